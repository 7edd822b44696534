package steps_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// local passes requests to a handler in this process. If spoil is set, its result is sent instead of the response.
type local struct {
	handler http.Handler
	spoil   breakage // may be nil
}

// RoundTrip implements [http.RoundTripper].
func (l local) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, fmt.Errorf("the connection was cut: %v", p)
		}
	}()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:1", r.URL.Host
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	l.handler.ServeHTTP(w, in)
	if l.spoil != nil && strings.Contains(r.UserAgent(), ".feature:") { // not the requests before the scenarios
		w = l.spoil(r, w)
	}
	resp = w.Result()
	resp.Request = r
	return resp, nil
}

// breakage changes a response.
type breakage func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder

// breakages returns breakages that make services break nearly everything: they answer all requests of scenarios
// with an error, show animals, or every second one, with values that were not sent, lists that are too long, animals that are gone
// once they were read, or one identifier for several; or only one operation fails.
func breakages() []breakage {
	var mu sync.Mutex
	read, twice, reads := map[string]bool{}, map[string]bool{}, 0
	creating, shared := 0, json.RawMessage(nil)
	return []breakage{
		func(*http.Request, *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			return failing(http.StatusInternalServerError)
		},
		func(*http.Request, *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			return failing(http.StatusNotFound)
		},
		func(_ *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			var fields map[string]json.RawMessage
			if json.Unmarshal(w.Body.Bytes(), &fields) != nil || fields["categoryId"] == nil {
				return w
			}
			status := `"sold"`
			if string(fields["status"]) == status {
				status = `"available"`
			}
			maps.Copy(fields, map[string]json.RawMessage{"categoryId": []byte("4711"), "name": []byte(`"another"`), "status": []byte(status)})
			return instead(w, fields)
		},
		func(_ *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			var items []map[string]json.RawMessage
			if json.Unmarshal(w.Body.Bytes(), &items) != nil || len(items) == 0 {
				return w
			}
			for n := range 100 {
				more := maps.Clone(items[0])
				more["id"] = fmt.Appendf(nil, "%d", 1_000_000+n)
				items = append(items, more)
			}
			return instead(w, items)
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			if r.Method == http.MethodGet && isList(r) {
				return failing(http.StatusInternalServerError)
			}
			return w
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			if r.Method == http.MethodGet && !isList(r) {
				return failing(http.StatusInternalServerError)
			}
			return w
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			if r.Method == http.MethodGet && !isList(r) {
				return failing(http.StatusNotFound)
			}
			return w
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case r.Method != http.MethodGet || isList(r):
				return w
			case read[r.URL.Path]:
				return failing(http.StatusNotFound)
			}
			read[r.URL.Path] = true
			return w
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			var fields map[string]json.RawMessage
			if r.Method != http.MethodGet || json.Unmarshal(w.Body.Bytes(), &fields) != nil || fields["categoryId"] == nil {
				return w
			}
			mu.Lock()
			defer mu.Unlock()
			if !twice[r.URL.Path] {
				twice[r.URL.Path] = true
				return w
			}
			fields["categoryId"] = []byte("4711")
			return instead(w, fields)
		},
		altered(0), altered(1),
		// A list shows another status than the one that was asked for.
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			var items []map[string]json.RawMessage
			if !isList(r) || !r.URL.Query().Has("status") || json.Unmarshal(w.Body.Bytes(), &items) != nil {
				return w
			}
			status := `"sold"`
			if r.URL.Query().Get("status") == "sold" {
				status = `"pending"`
			}
			for _, item := range items {
				item["status"] = []byte(status)
			}
			return instead(w, items)
		},
		// What is created at the same time gets one identifier.
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			var fields map[string]json.RawMessage
			if r.Method != http.MethodPost || w.Code != http.StatusCreated || json.Unmarshal(w.Body.Bytes(), &fields) != nil {
				return w
			}
			mu.Lock()
			if creating++; creating == 1 {
				shared = fields["id"]
			}
			fields["id"] = shared
			mu.Unlock()
			time.Sleep(5 * time.Millisecond)
			mu.Lock()
			creating--
			mu.Unlock()
			return instead(w, fields)
		},
		func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			mu.Lock()
			defer mu.Unlock()
			if r.Method != http.MethodGet || isList(r) {
				return w
			}
			if reads++; reads > 1 {
				return failing(http.StatusNotFound)
			}
			return w
		},
	}
}

// altered returns a breakage that reads every second animal with other values. Of a value that never comes back as it was sent nothing is
// concluded, since services may set it themselves.
func altered(rest int) breakage {
	return func(r *http.Request, w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
		var fields map[string]json.RawMessage
		if r.Method != http.MethodGet || json.Unmarshal(w.Body.Bytes(), &fields) != nil || fields["categoryId"] == nil {
			return w
		}
		if id, err := strconv.Atoi(string(fields["id"])); err != nil || id%2 != rest {
			return w
		}
		fields["categoryId"] = []byte("4711")
		return instead(w, fields)
	}
}

func isList(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pets") }

// failing returns an error response of the interface.
func failing(status int) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":"c","message":"m","status":%d}`, status)
	return w
}

// instead returns a response with another body.
func instead(w *httptest.ResponseRecorder, body any) *httptest.ResponseRecorder {
	out := httptest.NewRecorder()
	maps.Copy(out.Header(), w.Header())
	out.Header().Del("Content-Length")
	out.WriteHeader(w.Code)
	_ = json.NewEncoder(out).Encode(body)
	return out
}

// referenceKey is the key that the service accepts.
const referenceKey = "Reference-Key-4711-abcXYZ"

// suiteRun is one run of the suite in this process.
type suiteRun struct {
	runtest.Kit

	fault     prove.Case // the zero Case for none
	spoil     breakage
	selection suite.Selection
	halt      func(ctx context.Context, at steps.Stage) error
	change    func(*steps.Config) // may be nil
	// wrap, if set, wraps the transport of the run.
	wrap func(http.RoundTripper) http.RoundTripper
}

// play judges the service. A cancelled run is judged by what it recorded.
func (s suiteRun) play(ctx context.Context, t *testing.T) (record.Record, verdict.Result) {
	t.Helper()
	variant, _ := s.fault.Variant().(variants.Variant)
	service, err := variants.Build(petstore.Options{Keys: []string{referenceKey}, Store: petstore.NewMemory()}, variant)
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	cfg := steps.Config{
		Options: scenario.Options{
			Target: scenario.Target{
				BaseURL: "http://pets.test" + service.BasePath, Key: referenceKey, Keyring: scheme.OneSecret(s.Contract.Operations(), referenceKey), MaxCreated: 999,
			},
			Contract: s.Contract, Catalogue: s.Catalogue, Promises: s.Promises, Seed: 1, Concurrency: 2,
			Timeout: 10 * time.Second, Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Transport: local{service.Handler, s.spoil},
			Agent: "hallmark/test", ID: "halted", Recorder: record.NewRecorder(record.Record{}),
			Patience: scenario.Patience{Least: time.Millisecond}, // the store shows at once what is written
		},
		Suite: s.Suite, Selection: s.selection,
	}
	if s.wrap != nil {
		cfg.Transport = s.wrap(cfg.Transport)
	}
	if s.halt != nil {
		steps.HaltBefore(&cfg, s.halt)
	}
	if s.change != nil {
		s.change(&cfg)
	}
	ending, err := steps.Run(ctx, cfg)
	if err != nil && ctx.Err() == nil && ending.Lost == "" {
		t.Fatalf("%s: %v", s.fault.Name, err)
	}
	rec := cfg.Recorder.Finish(ending)
	return rec, verdict.Draw(&rec, s.Catalogue.Rules)
}

// before ends scenarios with an error before their nth step.
func before(n int, err error) func(context.Context, steps.Stage) error {
	return func(_ context.Context, at steps.Stage) error {
		if at.Step == n {
			return err
		}
		return nil
	}
}

// halting is a way to end scenarios before a step. arrange is called for each run.
type halting struct {
	name string
	// excused reports whether the scenarios say that nothing was left untested.
	excused bool
	arrange func(s *suiteRun, n int, cancel context.CancelFunc)
}

// haltings are all ways to end scenarios early.
var haltings = []halting{
	{name: "stopped", arrange: func(s *suiteRun, n int, _ context.CancelFunc) { s.halt = before(n, steps.ErrStopped) }},
	{name: "excused", excused: true, arrange: func(s *suiteRun, n int, _ context.CancelFunc) { s.halt = before(n, steps.ErrExcused) }},
	{name: "failed", arrange: func(s *suiteRun, n int, _ context.CancelFunc) { s.halt = before(n, steps.ErrHarness) }},
	{name: "limited", arrange: func(s *suiteRun, n int, _ context.CancelFunc) {
		s.halt = later(n, func(at steps.Stage) error { return at.Limit() })
	}},
	{name: "cancelled", arrange: func(s *suiteRun, n int, cancel context.CancelFunc) {
		s.halt = later(n, func(steps.Stage) error {
			cancel()
			return nil
		})
	}},
	{name: "lost", arrange: func(s *suiteRun, n int, _ context.CancelFunc) {
		l := &lossy{lost: map[string]bool{}}
		s.wrap = func(next http.RoundTripper) http.RoundTripper {
			l.next = next
			return l
		}
		s.halt = func(_ context.Context, at steps.Stage) error {
			if at.Step == n {
				l.lose(at.Scenario)
			}
			return nil
		}
	}},
}

// later calls end when the nth scenario reaches its nth step; earlier ones are completed.
func later(n int, end func(steps.Stage) error) func(context.Context, steps.Stage) error {
	var mu sync.Mutex
	reached := 0
	return func(_ context.Context, at steps.Stage) error {
		mu.Lock()
		defer mu.Unlock()
		if at.Step == n {
			reached++
		}
		if reached >= n && at.Step == n {
			return end(at)
		}
		return nil
	}
}

// lossy loses all requests of the given scenarios.
type lossy struct {
	next http.RoundTripper
	mu   sync.Mutex
	lost map[string]bool
}

func (l *lossy) lose(scenario string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost[scenario] = true
}

// RoundTrip implements [http.RoundTripper].
func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	_, scenario, _ := strings.Cut(strings.TrimSuffix(r.UserAgent(), ")"), "; ")
	l.mu.Lock()
	lost := l.lost[scenario]
	l.mu.Unlock()
	if lost {
		if r.Body != nil {
			_, _ = new(bytes.Buffer).ReadFrom(r.Body)
		}
		return nil, fmt.Errorf("read: connection reset by peer")
	}
	return l.next.RoundTrip(r)
}
