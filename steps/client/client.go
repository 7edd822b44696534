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
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/wire"
	"hallmark/steps/redact"
)

const (
	// MaxBody is how much of a body is read, in bytes: room for 100 animals with names of 64 KiB. More of it, for each
	// request under way, would not fit into the memory that a run may take.
	MaxBody = 8 << 20
	// bigBody is from how many bytes on bodies are read and judged one at a time; it is less where many requests are made
	// at a time.
	bigBody = 256 << 10
	// ShortBody is how much is read of a body once MaxLong answers were longer than MaxBody, in bytes: a service that
	// answers without end must not make the run endless, too.
	ShortBody = 1 << 20
	// MaxLong is how many responses longer than MaxBody are read to that length.
	MaxLong = 20
	// maxReason is how long the transport's word on a lost connection may be, in characters: it quotes what it cannot read.
	maxReason = 300
	// maxDelays and maxWaiting bound how often and how long one request yields to back-pressure.
	maxDelays  = 20
	maxWaiting = 3 * time.Minute
	// maxSilent bounds how often a 429 is waited out that does not say when to come back; one more is a response.
	maxSilent = 6
	// noticeAfter is how long a connection is refused before the run says that it waits.
	noticeAfter = time.Second
)

// Client sends requests and records exchanges. It never follows redirects, and repeats a request only when the service
// asked for it (429, or 503 with Retry-After). Its exported fields are set before the first request.
type Client struct {
	transport http.RoundTripper
	base      string
	key       string
	// Bases are the addresses that the paths of operations follow, where they are others than that of the target.
	Bases    map[string]string
	Redactor *redact.Redactor
	headers  []Header
	Timeout  time.Duration
	seq      atomic.Int64
	agent    string
	// Run is the run's id, and Correlation the header that carries an id of each exchange; empty for none.
	Run, Correlation string
	Limiter          *Limiter
	// Gate bounds how many requests are under way at a time.
	Gate *Gate
	// apart is from how many bytes on a body is a big one; big is held (by one at a time) while such a body is read and
	// judged. It lies in buffer.
	apart  int
	big    chan struct{}
	buffer []byte
	// long counts the responses that were longer than what is read.
	long    atomic.Int64
	streams streams
	// Contact is what lets a request without a connection wait for one; Refused is told when one begins to.
	Contact *Contact
	// answered reports whether something was answered once.
	answered atomic.Bool
	Refused  func(reason string)
}

// Options say how requests are sent.
type Options struct {
	// Transport carries the requests.
	Transport http.RoundTripper
	// BaseURL is the address that every path follows.
	BaseURL string
	// Key is sent where a credential names a parameter of the query.
	Key string
	// Redactor takes secrets out of what a transport says of a lost connection.
	Redactor *redact.Redactor
	Headers  []Header
	// Timeout bounds one request, its response's body included.
	Timeout time.Duration
	// Agent is what the User-Agent header begins with; the run and the scenario follow.
	Agent string
}

// New returns a client without limits and without patience.
func New(o Options) *Client {
	return &Client{
		transport: o.Transport, base: o.BaseURL, key: o.Key, Redactor: o.Redactor, headers: o.Headers, Timeout: o.Timeout,
		agent: o.Agent, Limiter: NewLimiter(Limits{}, time.Time{}), apart: bigBody, big: make(chan struct{}, 1),
		Gate: NewGate(1), Contact: NewContact(0), Refused: func(string) {}, streams: streams{bounds: defaultStreamBounds()},
	}
}

// KeyVariable is what stands for the key in records and curl lines.
const KeyVariable = "$HALLMARK_API_KEY"

// Credential is what a request carries to be let in.
type Credential struct {
	// Header is the value of the Authorization header; present reports whether it is sent at all.
	Header  string
	Present bool
	// Shown stands for the header's value in records: an expression of the shell where the key is a part of it.
	Shown string
	// Query names the parameter of the query that carries the key instead; empty for none.
	Query string
	// Parts are headers, parameters of the query and cookies that carry credentials; the order of the query is theirs.
	Parts []CredentialPart
}

// Call is a request to be made.
type Call struct {
	// Scenario is the id of the one that asks.
	Scenario string
	// Timeout is another one than the client's; 0 for that.
	Timeout   time.Duration
	Operation string
	// Beside is the operation beside which a request of none is sent, to the server that serves it; empty for the base URL.
	Beside string
	About  string
	Method string
	// Path is escaped and relative to the base URL, query encoded.
	Path, Query string
	Credential  Credential
	// Body is sent when it is not nil. The Content-Type is MediaType, with a body or without; none is sent when it is empty.
	Body      []byte
	MediaType string
	// Header and Cookie are parameters of the operation; Accept replaces the media types that are asked for. Each may be empty.
	Header         http.Header
	Cookie, Accept string
	// Streams reports whether a success is a stream, which may have no end: its beginning is read, whatever it is.
	Streams bool
	// Loss, where it is not nil, is told why no response came.
	Loss *Loss
	// Judge is called with the whole response, of which the caller keeps what it needs; it may be nil.
	Judge func(*spec.Exchange)
}

// Loss says why an exchange was lost.
type Loss struct {
	// TimedOut reports whether no whole response came in time.
	TimedOut bool
	// Unsent reports whether there was no connection, so that nothing was sent: it can be tried again, whatever it is.
	Unsent bool
	// Broke reports whether the connection broke after the request was sent, or while it was.
	Broke bool
	// Refused is how long a connection was looked for.
	Refused time.Duration
}

// Do makes one exchange. Its error is the context's or a LimitError: a lost connection is an exchange with Lost set. Where no
// connection can be made it tries again, as long as the patience of the run lasts: nothing was sent.
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
			ex.Lost = fmt.Sprintf("the service asked to come back later (429 or 503 with Retry-After) %d times", ex.Delays)
			return ex, nil
		}
		c.Limiter.pauseFor(after)
	}
}

// inTurn sends the request one time, when its turn has come.
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

// Send sends the request one time, and records it in ex. It returns how long to wait before it is repeated, or -1 when the
// response counts.
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
	query, shownQuery := what.Query, what.Query
	if what.Credential.Query != "" {
		join := ""
		if query != "" {
			join = "&"
		}
		query += join + what.Credential.Query + "=" + url.QueryEscape(c.key)
		shownQuery += join + what.Credential.Query + "=" + KeyVariable
	}
	for _, p := range what.Credential.Parts {
		if p.In == "query" {
			query, shownQuery = joined(query, "&", escaped(p.Name)+"="+escaped(p.Value)), joined(shownQuery, "&", escaped(p.Name)+"="+p.Shown)
		}
	}
	if query != "" {
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
	if err != nil {
		what.Loss.Unsent = way.failed(err, c.answered.Load())
		what.Loss.Broke = !what.Loss.Unsent && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
		return -1, c.lost(run, ctx, ex, err, timeout, what.Loss, &way)
	}
	defer func() { _ = resp.Body.Close() }()
	if reason := unreached(resp); reason != "" {
		return -1, c.lost(run, ctx, ex, errors.New(reason), timeout, what.Loss, &way)
	}
	c.answered.Store(true)
	decode(resp)
	stream, began := c.openStream(ctx, clock, what, resp), time.Since(ex.Started)
	most := c.most()
	raw, release, err := c.readAll(ctx, clock, resp, most)
	defer release()
	tooLong := len(raw) > most
	if err != nil && !tooLong {
		if errors.Is(err, io.ErrUnexpectedEOF) && resp.ContentLength > 0 {
			err = shortBody{resp.ContentLength, len(raw)}
		}
		return -1, c.lost(run, ctx, ex, err, timeout, what.Loss, &way)
	}
	if tooLong {
		raw = raw[:most]
		c.long.Add(1)
	}
	ex.Elapsed = time.Since(ex.Started)
	if stream != nil && stream.closed {
		raw, tooLong, ex.Elapsed = stream.whole(raw), true, began // how long it was read says nothing of the service
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

// decode takes codings off the body of a response that nobody asked for: the transport takes off the one that it asks for. A service should not
// have sent it (RFC 9110, section 12.5.3), but it can be read.
func decode(resp *http.Response) {
	codings := wire.Codings(resp.Header.Values("Content-Encoding"))
	if len(codings) == 0 || wire.UnknownCoding(codings) != "" {
		return
	}
	resp.Body = readCloser{wire.Decode(codings, resp.Body), resp.Body}
	resp.ContentLength = -1 // of what was sent, not of what is read
}

// readCloser reads from one and closes another.
type readCloser struct {
	io.Reader
	io.Closer
}

// roundTrip sends a request as an [http.Client] does that follows no redirect. It makes no copy of the request, and does not read the
// Location of a response: what is wrong there is the business of who judges it.
func (c *Client) roundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.transport.RoundTrip(req)
	if other, ok := errors.AsType[tls.RecordHeaderError](err); ok && string(other.RecordHeader[:]) == "HTTP/" {
		err = http.ErrSchemeMismatch
	}
	return resp, err
}

// most is how much of a body is read, in bytes.
func (c *Client) most() int {
	if c.long.Load() >= MaxLong {
		return ShortBody
	}
	return MaxBody
}

// readAll reads a body up to the limit, and one byte more so that the caller sees when it was longer. Of the big ones it
// reads one at a time, until release is called: endless bodies on all connections must not fill the memory.
func (c *Client) readAll(ctx context.Context, clock *stopwatch, resp *http.Response, most int) (raw []byte, release func(), err error) {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, func() {}, nil // what follows is no body: the connection itself, to which no time applies
	}
	size := bytes.MinRead
	if n := resp.ContentLength; n > 0 && n < int64(c.apart) {
		size = int(n)
	}
	raw, err = readSized(io.LimitReader(resp.Body, int64(c.apart)), size)
	if err != nil || len(raw) < c.apart {
		return raw, func() {}, err
	}
	clock.stop() // that others are being read is not the service's fault
	select {
	case c.big <- struct{}{}:
	case <-ctx.Done():
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
	return raw, func() { <-c.big }, err
}

// readSized reads to the end what has size bytes, as far as is known.
func readSized(from io.Reader, size int) ([]byte, error) {
	raw := make([]byte, 0, size+1) // in the last byte the end shows, so that nothing has to grow
	for {
		n, err := from.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		switch {
		case err == io.EOF: // a reader ends with it itself; one that wraps it lost what should follow
			return raw, nil
		case err != nil:
			return raw, err
		case len(raw) == cap(raw):
			raw = slices.Grow(raw, len(raw))
		}
	}
}

// lost notes why no whole response came. A cancelled run is no fault of the target's.
func (c *Client) lost(run, own context.Context, ex *spec.Exchange, err error, timeout time.Duration, why *Loss, way *dialTrace) error {
	ex.Elapsed = time.Since(ex.Started)
	if run.Err() != nil {
		// The run was ended: by a signal, --fail-fast, or an outage that was seen elsewhere. A transport's own error may
		// be the cause of that, so it does not tell.
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
	ex.Lost = text.Elide(c.Redactor.Text(reason), maxReason) // a transport quotes answers that it cannot read
	return nil
}

// retryAfter reports whether a response is back-pressure, and how long to wait (RFC 9110, section 10.2.3). A 429 need not
// say how long (RFC 6585, section 4): it is waited out a few times, longer each time.
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

// addHeaders puts the target's headers into a request, and what stands for them into its record.
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
