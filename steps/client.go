package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"hallmark/spec"
)

const (
	// maxAnswer is how much of a body is read, in bytes: room for 100 animals with names of 64 KiB. More of it, for each
	// request under way, would not fit into the memory that a run may take.
	maxAnswer = 8 << 20
	// bigAnswer is from how many bytes on bodies are read and judged one at a time; it is less where many requests are made
	// at a time.
	bigAnswer = 256 << 10
	// shortAnswer is how much is read of a body once maxLong answers were longer than maxAnswer, in bytes: a service that
	// answers without end must not make the run endless, too.
	shortAnswer, maxLong = 1 << 20, 20
	// longestLost is how long the transport's word on a lost connection may be, in characters: it quotes what it cannot read.
	longestLost = 300
	// maxHeaders is how much of a response's headers is read, in bytes.
	maxHeaders = 128 << 10
	// maxDelays and maxWaiting bound how often and how long one request yields to back-pressure.
	maxDelays  = 20
	maxWaiting = 3 * time.Minute
	// maxSilent bounds how often a 429 is waited out that does not say when to come back; one more is a response.
	maxSilent = 6
	// noticeAfter is how long a connection is refused before the run says that it waits.
	noticeAfter = time.Second
)

// client sends requests and records exchanges. It never follows redirects, and repeats a request only when the service
// asked for it (429, or 503 with Retry-After).
type client struct {
	http    *http.Client
	base    string
	key     string
	secrets *secrets
	headers []Header
	timeout time.Duration
	seq     atomic.Int64
	agent   string
	// run is the run's id, and correlation the header that carries an id of each exchange; empty for none.
	run, correlation string
	governor         *governor
	// apart is from how many bytes on a body is a big one; big is held (by one at a time) while such a body is read and
	// judged. It lies in buffer.
	apart  int
	big    chan struct{}
	buffer []byte
	// long counts the responses that were longer than what is read.
	long atomic.Int64
	// contact is what lets a request without a connection wait for one; refused is told when one begins to.
	contact *contact
	// answered reports whether something was answered once.
	answered atomic.Bool
	refused  func(reason string)
}

func newClient(transport http.RoundTripper, target Target, timeout time.Duration, agent string) *client {
	return &client{
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: target.BaseURL, key: target.Key, secrets: target.secrets(), headers: target.Headers, timeout: timeout,
		agent: agent, governor: newGovernor(Limits{}, time.Time{}), apart: bigAnswer, big: make(chan struct{}, 1),
		contact: newContact(0), refused: func(string) {},
	}
}

// call is a request to be made.
type call struct {
	// scenario is the id of the one that asks.
	scenario string
	// timeout is another one than the client's; 0 for that.
	timeout   time.Duration
	operation string
	about     string
	method    string
	// path is escaped and relative to the base URL, query encoded.
	path, query string
	credential  credential
	// body is sent when it is not nil. The Content-Type is mediaType, with a body or without; none is sent when it is empty.
	body      []byte
	mediaType string
	// fate, where it is not nil, is told why no response came.
	fate *fate
	// judge is called with the whole response, of which the caller keeps what it needs; it may be nil.
	judge func(*spec.Exchange)
}

// fate says why an exchange was lost.
type fate struct {
	// timedOut reports whether no whole response came in time.
	timedOut bool
	// unsent reports whether there was no connection, so that nothing was sent: it can be tried again, whatever it is.
	unsent bool
	// refused is how long a connection was looked for.
	refused time.Duration
}

// do makes one exchange. Its error is the context's: a lost connection is an exchange with Lost set. Where no connection
// can be made it tries again, as long as the patience of the run lasts: nothing was sent.
func (c *client) do(ctx context.Context, what call) (*spec.Exchange, error) {
	ex := &spec.Exchange{
		Seq: int(c.seq.Add(1)), Operation: what.operation, About: what.about, Started: time.Now(),
	}
	if c.correlation != "" {
		ex.Correlation = c.run + "-" + strconv.Itoa(ex.Seq)
	}
	if what.fate == nil {
		what.fate = new(fate)
	}
	var waited time.Duration
	var refusedSince time.Time
	for tries := 0; ; {
		if err := c.governor.admit(ctx); err != nil {
			return ex, err
		}
		*what.fate = fate{}
		ex.Started, ex.Response, ex.Lost, ex.Malformed = time.Now(), nil, "", ""
		began := ex.Started
		after, err := c.once(ctx, what, ex)
		if err == nil && what.fate.unsent && c.contact.patience > 0 {
			if refusedSince.IsZero() {
				refusedSince = began
			}
			if time.Since(refusedSince) >= noticeAfter {
				c.refused(ex.Lost)
			}
			next := min(leastRetry<<min(tries, 10), mostRetry)
			if what.fate.refused = time.Since(refusedSince); what.fate.refused+next < c.contact.patience {
				tries++
				if err := pause(ctx, next); err != nil {
					return ex, err
				}
				continue
			}
			ex.Lost += fmt.Sprintf(", for %v (--patience)", c.contact.patience)
			return ex, nil
		}
		if !refusedSince.IsZero() && err == nil {
			c.contact.found(began.Sub(refusedSince))
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
		c.governor.hold(after)
	}
}

// once sends the request one time. It returns how long to wait before it is repeated, or -1 when the response counts.
func (c *client) once(run context.Context, what call, ex *spec.Exchange) (time.Duration, error) {
	timeout := c.timeout
	if what.timeout > 0 {
		timeout = min(timeout, what.timeout)
	}
	ctx, clock := newStopwatch(run, timeout)
	defer clock.end()
	var way connecting
	ctx = httptrace.WithClientTrace(ctx, way.trace())
	target, shown := c.base+what.path, c.base+what.path
	query, shownQuery := what.query, what.query
	if what.credential.query != "" {
		join := ""
		if query != "" {
			join = "&"
		}
		query += join + what.credential.query + "=" + url.QueryEscape(c.key)
		shownQuery += join + what.credential.query + "=" + keyVariable
	}
	if query != "" {
		target, shown = target+"?"+query, shown+"?"+shownQuery
	}
	var body io.Reader
	if what.body != nil {
		body = bytes.NewReader(what.body)
	}
	req, err := http.NewRequestWithContext(ctx, what.method, target, body)
	if err != nil {
		return -1, fmt.Errorf("the request %s %s cannot be made: %w", what.method, shown, err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", agentOf(c.agent, c.run, what.scenario))
	if ex.Correlation != "" {
		req.Header.Set(c.correlation, ex.Correlation)
	}
	if what.mediaType != "" {
		req.Header.Set("Content-Type", what.mediaType)
	}
	masked := req.Header.Clone()
	c.addHeaders(req, masked)
	if what.credential.present {
		req.Header.Set("Authorization", what.credential.header)
		masked.Set("Authorization", what.credential.shown)
	}
	ex.Request = spec.Request{Method: what.method, URL: shown, Header: masked, Body: what.body}

	resp, err := c.http.Do(req)
	if err != nil {
		what.fate.unsent = way.failed(err, c.answered.Load())
		return -1, c.lost(run, ctx, ex, err, timeout, what.fate)
	}
	c.answered.Store(true)
	defer resp.Body.Close()
	most := c.most()
	raw, release, err := c.readAll(ctx, clock, resp, most)
	defer release()
	tooLong := len(raw) > most
	if err != nil && !tooLong {
		if errors.Is(err, io.ErrUnexpectedEOF) && resp.ContentLength > 0 {
			err = shortBody{resp.ContentLength, len(raw)}
		}
		return -1, c.lost(run, ctx, ex, err, timeout, what.fate)
	}
	if tooLong {
		raw = raw[:most]
		c.long.Add(1)
	}
	ex.Elapsed = time.Since(ex.Started)
	ex.Response = &spec.Response{
		Status: resp.StatusCode, Header: resp.Header, Body: raw, Size: len(raw), TooLong: tooLong,
	}
	if after, ok := retryAfter(resp, ex.Delays, time.Now()); ok {
		ex.Response.Body = nil
		return after, nil
	}
	if what.judge != nil {
		what.judge(ex)
	} else {
		ex.Response.Body = bytes.Clone(raw)
	}
	return -1, nil
}

// most is how much of a body is read, in bytes.
func (c *client) most() int {
	if c.long.Load() >= maxLong {
		return shortAnswer
	}
	return maxAnswer
}

// readAll reads a body up to the limit, and one byte more so that the caller sees when it was longer. Of the big ones it
// reads one at a time, until release is called: endless bodies on all connections must not fill the memory.
func (c *client) readAll(ctx context.Context, clock *stopwatch, resp *http.Response, most int) (raw []byte, release func(), err error) {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, func() {}, nil // what follows is no body: the connection itself, to which no time applies
	}
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n < int64(c.apart) {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err = buf.ReadFrom(io.LimitReader(resp.Body, int64(c.apart)))
	if err != nil || buf.Len() < c.apart {
		return buf.Bytes(), func() {}, err
	}
	clock.stop() // that others are being read is not the service's fault
	select {
	case c.big <- struct{}{}:
	case <-ctx.Done():
		return nil, func() {}, context.Cause(ctx)
	}
	clock.resume()
	if c.buffer == nil {
		c.buffer = make([]byte, maxAnswer+1)
	}
	raw = c.buffer[:copy(c.buffer, buf.Bytes())]
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

// lost notes why no whole response came. A cancelled run is no fault of the target's.
func (c *client) lost(run, own context.Context, ex *spec.Exchange, err error, timeout time.Duration, why *fate) error {
	ex.Elapsed = time.Since(ex.Started)
	if run.Err() != nil {
		// The run was ended: by a signal, --fail-fast, or an outage that was seen elsewhere. A transport's own error may
		// be the cause of that, so it does not tell.
		return context.Canceled
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL, which may hold the key
	}
	text := err.Error()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(own), context.DeadlineExceeded) {
		why.timedOut = true
		text = fmt.Sprintf("no whole response within %v (--timeout)", timeout)
		if timeout < c.timeout {
			text = fmt.Sprintf("no whole response within %v, after one that took longer than --timeout", timeout)
		}
	}
	ex.Malformed = malformed(err)
	ex.Lost = shortened(c.secrets.hide(text), longestLost) // a transport quotes answers that it cannot read
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
