package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// dripping is a body that sends pieces, each after a pause, and then nothing until its request ends, or its end.
type dripping struct {
	ctx    context.Context
	pieces []string
	pause  time.Duration
	ends   bool
	// rest reports whether the first piece is the remainder of a short read.
	rest bool
}

func (d *dripping) Read(to []byte) (int, error) {
	if len(d.pieces) == 0 && d.ends {
		return 0, io.EOF
	}
	wait := d.pause
	if len(d.pieces) > 0 && d.rest {
		wait = 0
	}
	if len(d.pieces) == 0 {
		wait = time.Hour
	}
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(wait):
	}
	n := copy(to, d.pieces[0])
	d.pieces[0] = d.pieces[0][n:]
	if d.rest = d.pieces[0] != ""; !d.rest {
		d.pieces = d.pieces[1:]
	}
	return n, nil
}

func (*dripping) Close() error { return nil }

type carrier func(*http.Request) (*http.Response, error)

func (f carrier) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A stream may never end: that is no timeout, and what was read of it is judged.
func TestStreamsAreClosed(t *testing.T) {
	const event = "data: 1\n\n"
	times := func(n int, text string) (all []string) {
		for range n {
			all = append(all, text)
		}
		return all
	}
	tests := map[string]struct {
		contentType string
		body        dripping
		want        string
		closed      bool
		took        time.Duration
	}{
		"events without end":          {"text/event-stream", dripping{pieces: times(300, event), pause: 210 * time.Millisecond}, strings.Repeat(event, 14), true, 3 * time.Second},
		"events at a great rate":      {"text/event-stream", dripping{pieces: times(300, event), pause: time.Millisecond}, strings.Repeat(event, 250), true, 250 * time.Millisecond},
		"events with CRLF":            {"text/event-stream", dripping{pieces: times(300, "data: 1\r\n\r\n"), pause: time.Millisecond}, strings.Repeat("data: 1\r\n\r\n", 250), true, 250 * time.Millisecond},
		"one event, then nothing":     {"text/event-stream", dripping{pieces: []string{event}}, event, true, 3 * time.Second},
		"an event after four seconds": {"text/event-stream", dripping{pieces: []string{event}, pause: 4 * time.Second}, event, true, 5 * time.Second},
		"no event":                    {"text/event-stream", dripping{}, "", true, 5 * time.Second},
		"events that end":             {"text/event-stream", dripping{pieces: times(2, event), ends: true}, event + event, false, 0},
		"a line that is not whole":    {"application/x-ndjson", dripping{pieces: []string{"{}\n", `{"a":`}}, "{}\n", true, 3 * time.Second},
		"lines that end":              {"application/x-ndjson", dripping{pieces: []string{"{}\n", `{"a":`}, ends: true}, `{}` + "\n" + `{"a":`, false, 0},
		"a text of a sequence":        {"application/json-seq", dripping{pieces: []string{"\x1e{}\n", "\x1e{"}}, "\x1e{}\n", true, 3 * time.Second},
		"more of a sequence than one": {"application/json-seq", dripping{pieces: []string{"\x1e{}\n", "\x1e{\n"}}, "\x1e{}\n\x1e{\n", true, 3 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(Options{BaseURL: "http://events.test", Timeout: 10 * time.Second, Transport: carrier(func(r *http.Request) (*http.Response, error) {
					body := test.body
					body.ctx = r.Context()
					return &http.Response{StatusCode: 200, ContentLength: -1, Body: &body, Header: http.Header{"Content-Type": {test.contentType}}, Request: r}, nil
				})})
				for _, later := range []bool{false, true} {
					began := time.Now()
					ex, err := c.Do(t.Context(), Call{Method: http.MethodGet, Path: "/events", Operation: "watch"})
					if err != nil || ex.Response == nil {
						t.Fatalf("%v, lost %q", err, ex.Lost)
					}
					if took := time.Since(began); later && took > max(test.took, time.Second) || !later && took != test.took {
						t.Errorf("it took %v, want %v", took, test.took)
					}
					if !later && (string(ex.Response.Body) != test.want || ex.Response.TooLong != test.closed) {
						t.Errorf("%.200q (closed: %t), want %.200q", ex.Response.Body, ex.Response.TooLong, test.want)
					}
					if ex.Elapsed > time.Millisecond && test.closed {
						t.Errorf("the service is said to have taken %v", ex.Elapsed)
					}
				}
			})
		})
	}
}

// A response that is no stream must end in time, and so must an error of a streaming operation.
func TestOtherBodiesHaveToEnd(t *testing.T) {
	for name, resp := range map[string]http.Response{
		"JSON":                      {StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}},
		"an error":                  {StatusCode: 400, Header: http.Header{"Content-Type": {"text/event-stream"}}},
		"a stream of known length":  {StatusCode: 200, ContentLength: 100, Header: http.Header{"Content-Type": {"text/event-stream"}}},
		"a success without a type":  {StatusCode: 200},
		"text, line by line, early": {StatusCode: 200, Header: http.Header{"Content-Type": {"text/plain"}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(Options{BaseURL: "http://events.test", Timeout: 10 * time.Second, Redactor: nil, Transport: carrier(func(r *http.Request) (*http.Response, error) {
					if resp.ContentLength == 0 {
						resp.ContentLength = -1
					}
					resp.Body, resp.Request = &dripping{ctx: r.Context(), pieces: []string{"{}\n"}}, r
					return &resp, nil
				})})
				ex, err := c.Do(t.Context(), Call{Method: http.MethodGet, Path: "/events", Operation: "watch"})
				if err != nil || ex.Response != nil || ex.Lost == "" {
					t.Errorf("%v, %+v", err, ex.Response)
				}
			})
		})
	}
}
