package wholerun_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// TestReadingCreatesNothing runs what a read-only run may.
func TestReadingCreatesNothing(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	server := tampered(t, func(r *http.Request, _ *httptest.ResponseRecorder) bool {
		if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, r.Method) {
			t.Errorf("%s %s is sent", r.Method, r.URL.Path)
		}
		return false
	})
	rec, res := k.Run(t, server.URL+"/v1", referenceKey, func(c *steps.Config) {
		c.Selection.ReadOnly, c.Target.ReadOnly = true, true
	})
	ran := slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Outcome == record.Passed && len(s.Exchanges) > 10 })
	if res.ExitCode != 0 || !ran {
		t.Errorf("the run is %s, and a scenario read much: %t", res.Verdict, ran)
	}
}

// tampered is the reference service with a hand in its responses.
func tampered(t *testing.T, change func(r *http.Request, rec *httptest.ResponseRecorder) bool) *httptest.Server {
	t.Helper()
	store := petstore.NewMemory()
	if err := petstore.Preload(t.Context(), store, 3); err != nil {
		t.Fatal(err)
	}
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: store})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		service.Handler().ServeHTTP(rec, r)
		if change(r, rec) {
			rec.Body = bytes.NewBufferString(`{"code":"gone","message":"it was there","status":404}`)
			rec.Code = http.StatusNotFound
		}
		for name, values := range rec.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(rec.Code)
		_, _ = io.Copy(w, rec.Body)
	}))
	t.Cleanup(server.Close)
	return server
}
