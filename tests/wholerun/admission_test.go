package wholerun_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// A run that loses its credential ends, and names the request that did it. Nothing is found in what comes of it, though other scenarios
// are refused while it is looked whether the credential is still good.
func TestRunThatLosesItsCredential(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		slow   time.Duration
		closed string
	}{
		"at once":                             {0, "none"},
		"while reads are slow":                {50 * time.Millisecond, "none"},
		"where one operation never let it in": {0, "/staff"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			losesCredential(t, test.slow, test.closed)
		})
	}
}

// losesCredential has a run judge a service that does not accept its credential any more once a shelf was closed, and never did at one path.
func losesCredential(t *testing.T, slow time.Duration, closed string) {
	t.Helper()
	var ended atomic.Bool
	library := shop.NewLibrary("")
	service := http.StripPrefix("/v1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == closed {
			r.Header.Set("X-Key", "for others")
		}
		if ended.Load() {
			r.Header.Set("X-Key", "no longer")
			if r.Method == http.MethodGet {
				_ = client.Sleep(r.Context(), slow)
			}
		}
		library.ServeHTTP(w, r)
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/close") {
			ended.Store(true)
			_ = client.Sleep(r.Context(), slow)
		}
	}))
	rec, catalogue := trial{contract: shop.LibraryContract(), baseURL: "http://library.test/v1", service: inMemory{service}, created: 500}.judge(t)
	lost := rec.Lost
	if !strings.Contains(lost, "the credential is no longer accepted") || !strings.Contains(lost, "closeShelf") {
		t.Errorf("the run ended with %q", lost)
	}
	accuse(t, failing(rec, catalogue))
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s could not be judged: %s", s.ID, s.Reason)
		}
	}
}

// One operation that refuses a credential now and then does not end the run.
func TestRefusalOfOneOperationEndsNoRun(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	library := shop.NewLibrary("")
	service := http.StripPrefix("/v1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/staff" && n.Add(1) > 1 {
			r.Header.Set("X-Key", "no longer")
		}
		library.ServeHTTP(w, r)
	}))
	if rec, _ := (trial{contract: shop.LibraryContract(), baseURL: "http://library.test/v1", service: inMemory{service}, created: 500}).judge(t); rec.Lost != "" {
		t.Errorf("the run ended with %q", rec.Lost)
	}
}
