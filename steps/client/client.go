package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/turn"
)

const (
	// MaxBody is how many bytes of a body are read: room for 100 animals with names of 64 KiB. More, for each request
	// in flight, would exceed the memory that a run may take.
	MaxBody = 8 << 20
	// bigBody is the size in bytes from which bodies are read and judged one at a time; it is smaller with many
	// concurrent requests.
	bigBody = 256 << 10
	// ShortBody is how many bytes of a body are read after MaxLong responses exceeded MaxBody: endless responses must
	// not make the run endless.
	ShortBody = 1 << 20
	// MaxLong is how many responses longer than MaxBody are read to that length.
	MaxLong = 20
	// maxReason is the maximum length, in characters, of the transport's error in a lost exchange: it quotes what it
	// cannot parse.
	maxReason = 300
	// maxDelays and maxWaiting bound how often and how long one request yields to back-pressure.
	maxDelays  = 20
	maxWaiting = 3 * time.Minute
	// maxSilent bounds how often a 429 without Retry-After is retried; one more counts as the response.
	maxSilent = 6
	// noticeAfter is how long connections are refused before the run says that it waits.
	noticeAfter = time.Second
)

// Postponed begins the reason of a lost exchange whose request the service kept putting off.
const Postponed = "the service asked to come back later"

// Client sends requests and records exchanges. It never follows redirects, and repeats a request only if the
// service asked for it (429, or 503 with Retry-After). Its exported fields must be set before the first request.
type Client struct {
	transport http.RoundTripper
	base      string
	// Bases holds the base URLs of operations whose server is not the target.
	Bases    map[string]string
	Redactor *redact.Redactor
	headers  []Header
	query    []QueryParameter
	Timeout  time.Duration
	seq      atomic.Int64
	agent    string
	// Run is the run's id, and Correlation the name of the header with an id for each exchange, or empty.
	Run, Correlation string
	Limiter          *Limiter
	// Gate bounds the number of concurrent requests.
	Gate *Gate
	// bigFrom is the size in bytes from which a body counts as big. Only one request at a time reads such a body, into buffer, and judges
	// it, while it holds big.
	bigFrom int
	big     turn.Turn
	buffer  []byte
	// long counts the responses that were longer than what is read.
	long    atomic.Int64
	streams streams
	// Contact makes requests wait for a connection; Refused is called when one begins to.
	Contact *Contact
	// answered reports whether the target has ever answered.
	answered atomic.Bool
	Refused  func(reason string)
}

// Options configures a client.
type Options struct {
	// Transport carries the requests.
	Transport http.RoundTripper
	// BaseURL is the prefix of every path.
	BaseURL string
	// Redactor redacts a transport's error for a lost connection.
	Redactor *redact.Redactor
	// Headers and Query are sent with every request.
	Headers []Header
	Query   []QueryParameter
	// Timeout bounds one request, including the response's body.
	Timeout time.Duration
	// Agent is the beginning of the User-Agent header; the ids of the run and the scenario follow.
	Agent string
}

// New returns a client without limits and patience.
func New(o Options) *Client {
	return &Client{
		transport: o.Transport, base: o.BaseURL, Redactor: o.Redactor, headers: o.Headers, query: o.Query, Timeout: o.Timeout,
		agent: o.Agent, Limiter: NewLimiter(Limits{}, time.Time{}), bigFrom: bigBody, big: turn.New(),
		Gate: NewGate(1), Contact: NewContact(0), Refused: func(string) {}, streams: streams{bounds: defaultStreamBounds()},
	}
}

// Credential is the credential of a request.
type Credential struct {
	// Header is the value of the Authorization header; Present reports whether it is sent at all.
	Header  string
	Present bool
	// Shown replaces the header's value in records: a shell expression if the key is a part of it.
	Shown string
	// Parts are headers, query parameters and cookies that carry credentials; query parameters keep this order.
	Parts []CredentialPart
}

// Call is a request to be made.
type Call struct {
	// Scenario is the id of the calling scenario.
	Scenario string
	// Timeout overrides the client's timeout if it is not 0.
	Timeout   time.Duration
	Operation string
	// Beside, for a request without an operation, is the operation whose server it is sent to; empty for the base
	// URL.
	Beside string
	About  string
	Method string
	// Path is escaped and relative to the base URL; Query is encoded.
	Path, Query string
	Credential  Credential
	// Body is sent if it is not nil. The Content-Type is MediaType, with or without a body; none is sent if it is
	// empty.
	Body      []byte
	MediaType string
	// Header and Cookie hold parameters of the operation; Accept replaces the media types that are requested. Each
	// may be empty.
	Header         http.Header
	Cookie, Accept string
	// Streams reports whether a success is a stream, which may never end: only its beginning is read.
	Streams bool
	// Loss, if not nil, is set to the reason why there is no response.
	Loss *Loss
	// Judge, if not nil, is called with the whole response, before it is truncated.
	Judge func(*spec.Exchange)
}

// Loss says why an exchange was lost.
type Loss struct {
	// TimedOut reports whether no complete response arrived in time.
	TimedOut bool
	// Unsent reports whether there was no connection, so nothing was sent: every request can be retried.
	Unsent bool
	// Broke reports whether the connection broke during or after sending the request.
	Broke bool
	// Read reports whether the target had read the whole request when the connection ended: a connection with unread bytes is reset.
	Read bool
	// Closed reports whether the target had closed the connection before the request was sent.
	Closed bool
	// Again reports whether the connection of a read broke after it was sent, so that it was sent once more, perhaps with success.
	Again bool
	// Refused is how long the client tried to connect.
	Refused time.Duration
}

// Do makes one exchange. It returns the context's error or a LimitError; a lost connection is an exchange with
// Lost set. If no connection can be made, and so nothing was sent, it retries as long as the run's patience lasts.
func (c *Client) Do(ctx context.Context, what Call) (*spec.Exchange, error) {
	ex := &spec.Exchange{
		Seq: int(c.seq.Add(1)), Operation: what.Operation, About: what.About, Started: time.Now(),
	}
	if c.Correlation != "" {
		ex.Correlation = c.Run + "-" + strconv.Itoa(ex.Seq)
	}
	if what.Loss == nil {
		what.Loss = new(Loss)
	}
	var waited time.Duration
	var refusedSince time.Time
	for tries := 0; ; {
		after, err := c.inTurn(ctx, &what, ex)
		began := ex.Started
		if err == nil && what.Loss.Unsent && c.Contact.patience > 0 {
			if refusedSince.IsZero() {
				refusedSince = began
			}
			if time.Since(refusedSince) >= noticeAfter {
				c.Refused(ex.Lost)
			}
			next := min(minRetry<<min(tries, 10), maxRetry)
			if what.Loss.Refused = time.Since(refusedSince); what.Loss.Refused+next < c.Contact.patience {
				tries++
				if err := Sleep(ctx, next); err != nil {
					return ex, err
				}
				continue
			}
			ex.Lost += fmt.Sprintf(", for %v (--patience)", c.Contact.patience)
			return ex, nil
		}
		if !refusedSince.IsZero() && err == nil {
			c.Contact.found(began.Sub(refusedSince))
			refusedSince = time.Time{}
		}
		if err != nil || after < 0 {
			return ex, err
		}
		ex.Delays++
		waited += after
		if ex.Delays > maxDelays || waited > maxWaiting {
			ex.Response = nil
			ex.Lost = fmt.Sprintf("%s (429 or 503 with Retry-After) %d times", Postponed, ex.Delays)
			return ex, nil
		}
		c.Limiter.pauseFor(after)
	}
}

// inTurn sends the request once, when its turn has come.
func (c *Client) inTurn(ctx context.Context, what *Call, ex *spec.Exchange) (time.Duration, error) {
	ticket, err := c.Gate.enter(ctx, what.Scenario)
	if err != nil {
		return -1, err
	}
	var seen *sample
	defer func() { c.Gate.leave(ticket, seen) }()
	if err := c.Limiter.Wait(ctx); err != nil {
		return -1, err
	}
	*what.Loss = Loss{}
	ex.Started, ex.Response, ex.Lost, ex.Malformed = time.Now(), nil, "", ""
	after, err := c.Send(ctx, what, ex)
	if err == nil {
		seen = &sample{operation: what.Operation, took: ex.Elapsed, strain: strainOf(ex)}
	}
	return after, err
}

// Send sends the request once, and records it in ex. It returns how long to wait before it is repeated, or -1 if
// the response counts.
func (c *Client) Send(run context.Context, what *Call, ex *spec.Exchange) (time.Duration, error) {
	timeout := c.Timeout
	if what.Timeout > 0 {
		timeout = min(timeout, what.Timeout)
	}
	ctx, clock := newStopwatch(run, timeout)
	defer clock.end()
	var way dialTrace
	ctx = httptrace.WithClientTrace(ctx, way.trace())
	base := cmp.Or(c.Bases[cmp.Or(what.Operation, what.Beside)], c.base)
	target, shown := base+what.Path, base+what.Path
	if query, shownQuery := c.withParts(what.Query, what.Credential.Parts); query != "" {
		target, shown = target+"?"+query, shown+"?"+shownQuery
	}
	var body io.Reader
	if what.Body != nil {
		body = bytes.NewReader(what.Body)
	}
	req, err := http.NewRequestWithContext(ctx, what.Method, target, body)
	if err != nil {
		return -1, fmt.Errorf("the request %s %s cannot be made: %w", what.Method, shown, err)
	}
	values := make([]string, 0, 4)
	set := func(name, value string) {
		values = append(values, value)
		req.Header[name] = slices.Clip(values[len(values)-1:])
	}
	set("Accept", cmp.Or(what.Accept, "application/json"))
	set("User-Agent", agentOf(c.agent, c.Run, what.Scenario))
	if ex.Correlation != "" {
		set(http.CanonicalHeaderKey(c.Correlation), ex.Correlation)
	}
	if what.MediaType != "" {
		set("Content-Type", what.MediaType)
	}
	for name, values := range what.Header {
		req.Header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	if what.Cookie != "" {
		req.Header.Set("Cookie", what.Cookie)
	}
	masked := req.Header.Clone()
	c.addHeaders(req, masked)
	if what.Credential.Present {
		req.Header.Set("Authorization", what.Credential.Header)
		masked.Set("Authorization", what.Credential.Shown)
	}
	addParts(req, masked, what.Credential.Parts)
	ex.Request = spec.Request{Method: what.Method, URL: shown, Header: masked, Body: what.Body}

	resp, err := c.roundTrip(req)
	what.Loss.Again = way.again.Load()
	if err != nil {
		what.Loss.Unsent = way.failed(err, c.answered.Load())
		what.Loss.Broke = !what.Loss.Unsent && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
		what.Loss.Closed, what.Loss.Read = way.closedBefore(), way.read()
		return -1, c.lost(run, ctx, ex, err, timeout, what.Loss, &way)
	}
	defer func() { _ = resp.Body.Close() }()
	if reason := unreached(resp); reason != "" {
		return -1, c.lost(run, ctx, ex, errors.New(reason), timeout, what.Loss, &way)
	}
	c.answered.Store(true)
	decode(resp)
	stream, began := c.openStream(ctx, clock, what, resp), time.Since(ex.Started)
	most := c.readLimit()
	raw, release, err := c.readAll(ctx, clock, resp, most)
	defer release()
	tooLong := len(raw) > most
	if err != nil && !tooLong {
		if errors.Is(err, io.ErrUnexpectedEOF) && resp.ContentLength > 0 {
			err = shortBody{resp.ContentLength, len(raw)}
		}
		what.Loss.Read = true
		return -1, c.lost(run, ctx, ex, err, timeout, what.Loss, &way)
	}
	if tooLong {
		raw = raw[:most]
		c.long.Add(1)
	}
	ex.Elapsed = time.Since(ex.Started)
	if stream != nil && stream.closed {
		raw, tooLong, ex.Elapsed = stream.whole(raw), true, began // the time of reading says nothing about the service
	}
	ex.Response = &spec.Response{
		Status: resp.StatusCode, Header: resp.Header, Body: raw, Size: len(raw), TooLong: tooLong,
	}
	if after, ok := retryAfter(resp, ex.Delays, time.Now()); ok {
		ex.Response.Body = nil
		return after, nil
	}
	if what.Judge != nil {
		what.Judge(ex)
	} else {
		ex.Response.Body = bytes.Clone(raw)
	}
	return -1, nil
}

// decode decodes content codings that the request did not allow; the transport decodes the one that it allows. A service should not have
// sent them (RFC 9110, section 12.5.3), but they can be read.
func decode(resp *http.Response) {
	codings := wire.Codings(resp.Header.Values("Content-Encoding"))
	if len(codings) == 0 || wire.UnknownCoding(codings) != "" {
		return
	}
	resp.Body = readCloser{wire.Decode(codings, resp.Body), resp.Body}
	resp.ContentLength = -1 // it is the length before decoding
}

// readCloser reads from one value and closes another.
type readCloser struct {
	io.Reader
	io.Closer
}

// roundTrip sends a request like an [http.Client] that follows no redirects. It does not copy the request, and
// does not parse the Location of a response, which is left to the judge.
func (c *Client) roundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.transport.RoundTrip(req)
	if other, ok := errors.AsType[tls.RecordHeaderError](err); ok && string(other.RecordHeader[:]) == "HTTP/" {
		err = http.ErrSchemeMismatch
	}
	return resp, err
}

// readLimit returns the number of bytes of a body to read.
func (c *Client) readLimit() int {
	if c.long.Load() >= MaxLong {
		return ShortBody
	}
	return MaxBody
}

// readAll reads a body up to the limit, and one more byte to detect longer ones. It reads big bodies one at a
// time, until release is called: endless bodies on all connections must not fill the memory.
func (c *Client) readAll(ctx context.Context, clock *stopwatch, resp *http.Response, most int) (raw []byte, release func(), err error) {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, func() {}, nil // what follows is not a body but the connection itself, without a time limit
	}
	size := bytes.MinRead
	if n := resp.ContentLength; n > 0 && n < int64(c.bigFrom) {
		size = int(n)
	}
	raw, err = readSized(io.LimitReader(resp.Body, int64(c.bigFrom)), size)
	if err != nil || len(raw) < c.bigFrom {
		return raw, func() {}, err
	}
	clock.stop() // waiting for other bodies is not the service's fault
	if release, err = c.big.Take(ctx); err != nil {
		return nil, func() {}, context.Cause(ctx)
	}
	clock.resume()
	if c.buffer == nil {
		c.buffer = make([]byte, MaxBody+1)
	}
	raw = c.buffer[:copy(c.buffer, raw)]
	for len(raw) <= most && err == nil {
		var n int
		n, err = resp.Body.Read(raw[len(raw) : most+1])
		raw = raw[:len(raw)+n]
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return raw, release, err
}

// readSized reads to the end. size is the expected size.
func readSized(from io.Reader, size int) ([]byte, error) {
	raw := make([]byte, 0, size+1) // the last byte detects the end, so nothing has to grow
	for {
		n, err := from.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		switch {
		case err == io.EOF: // readers return it unwrapped; a wrapped one means lost data
			return raw, nil
		case err != nil:
			return raw, err
		case len(raw) == cap(raw):
			raw = slices.Grow(raw, len(raw))
		}
	}
}

// lost records why no complete response arrived. Cancelling the run is not the target's fault.
func (c *Client) lost(run, own context.Context, ex *spec.Exchange, err error, timeout time.Duration, why *Loss, way *dialTrace) error {
	ex.Elapsed = time.Since(ex.Started)
	if run.Err() != nil {
		// The run was ended by a signal, --fail-fast, or an outage seen elsewhere. The transport's own error may be a
		// consequence, so it is not reported.
		return context.Canceled
	}
	reason := err.Error()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(own), context.DeadlineExceeded) {
		why.TimedOut = true
		reason = fmt.Sprintf("no whole response within %v (--timeout)", timeout)
		if timeout < c.Timeout {
			reason = fmt.Sprintf("no whole response within %v, after one that took longer than --timeout", timeout)
		}
	}
	ex.Malformed = malformed(err, way.ended())
	ex.Lost = text.Elide(c.Redactor.Text(reason), maxReason) // a transport quotes responses that it cannot parse
	return nil
}

// retryAfter reports whether a response is back-pressure, and how long to wait (RFC 9110, section 10.2.3). A 429
// need not say how long (RFC 6585, section 4): it is retried a few times, after growing pauses.
func retryAfter(resp *http.Response, delays int, now time.Time) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return max(time.Duration(seconds)*time.Second, 5*time.Millisecond), true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 5*time.Millisecond), true
	}
	if resp.StatusCode == http.StatusTooManyRequests && delays < maxSilent {
		return 20 * time.Millisecond << delays, true
	}
	return 0, false
}

// addHeaders adds the target's headers to a request, and their redacted values to its record.
func (c *Client) addHeaders(req *http.Request, masked http.Header) {
	for _, h := range c.headers {
		if h.Name == "Host" {
			req.Host = h.Value
		} else {
			req.Header[h.Name] = append(req.Header[h.Name], h.Value)
		}
		masked[h.Name] = append(slices.Clone(masked[h.Name]), h.ForRecords())
	}
}
