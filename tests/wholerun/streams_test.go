package wholerun_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ticker is a contract with a stream of events that does not end.
const ticker = `openapi: 3.2.0
info: {title: Ticker, version: 1.0.0}
paths:
  /ticks:
    get:
      operationId: watch
      responses:
        '200':
          description: Events without end
          content:
            text/event-stream: {itemSchema: {type: object, required: [event, data], properties: {event: {const: tick}, data: {type: string}}}}
            application/x-ndjson: {itemSchema: {type: object, required: [event], properties: {event: {const: tick}}}}
  /now:
    get:
      operationId: now
      responses: {'200': {description: The last one, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}}}}
`

// endless is the body of a response that sends a text again and again, and ends with its request only.
type endless struct {
	ctx        context.Context
	text, rest string
}

func (e *endless) Read(to []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.text
	}
	if e.rest == "" {
		<-e.ctx.Done()
	}
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	n := copy(to, e.rest)
	e.rest = e.rest[n:]
	select {
	case <-e.ctx.Done():
	case <-time.After(time.Millisecond): // a stream that never ends is not to fill the memory either
	}
	return n, nil
}

// An endless stream is judged by its beginning. It is no operation that hangs, and one that sends nothing is not judged.
func TestStreamsWithoutEnd(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		contentType, text string
		silent            bool // no head of a response comes either
		want              []string
		judged            bool
	}{
		"events":                     {"text/event-stream", "event: tick\ndata: 1\n\n", false, nil, true},
		"events that are none":       {"text/event-stream", "event: tock\ndata: 1\n\n", false, []string{"watch.body"}, true},
		"lines":                      {"application/x-ndjson", "{\"event\":\"tick\"}\n", false, nil, true},
		"lines that break the rules": {"application/x-ndjson", "{\"event\":\"tick\"}\n{\"event\":1}\n", false, []string{"watch.body"}, true},
		"lines that are no JSON":     {"application/x-ndjson", "tick\n", false, []string{"watch.body"}, true},
		"no event":                   {"text/event-stream", "", false, nil, true},
		"no response":                {"", "", true, nil, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path != "/now":
					w.WriteHeader(http.StatusNotFound)
				case r.Method != http.MethodGet && r.Method != http.MethodHead:
					w.Header().Set("Allow", "GET, HEAD")
					w.WriteHeader(http.StatusMethodNotAllowed)
				default:
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"n":1}`)
				}
			})}
			rec, catalogue := trial{contract: []byte(ticker), confirm: 1, timeout: 2 * time.Second, service: carried(func(r *http.Request) (*http.Response, error) {
				if r.URL.Path != "/ticks" || r.Method != http.MethodGet {
					return service.RoundTrip(r)
				}
				if test.silent {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				return &http.Response{
					StatusCode: http.StatusOK, ContentLength: -1, Header: http.Header{"Content-Type": {test.contentType}}, Request: r,
					Body: io.NopCloser(&endless{ctx: r.Context(), text: test.text}),
				}, nil
			})}.judge(t)
			if diff := cmp.Diff(test.want, slices.Sorted(maps.Keys(failing(rec, catalogue)))); diff != "" {
				t.Error(diff)
			}
			if got := slices.Contains(reached(rec), "watch"); got != test.judged || !slices.Contains(reached(rec), "now") {
				t.Errorf("reached: %v", reached(rec))
			}
			for _, s := range rec.Scenarios {
				if strings.Contains(s.Reason, "hangs") {
					t.Error(s.Reason)
				}
			}
		})
	}
}

// carried is a transport that one function makes.
type carried func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f carried) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r)
}
