package wholerun_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// brokenService is the reference service with a fault of that name.
func brokenService(t *testing.T, fault string) http.Handler {
	t.Helper()
	for _, f := range variants.Faults() {
		if f.Name == fault {
			service, err := variants.Build(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"}, f.Variant)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(service.Close)
			return service.Handler
		}
	}
	t.Fatalf("there is no fault %q", fault)
	return nil
}

func serving(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func TestWhatShowsAgainIsConfirmed(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	url := serving(t, brokenService(t, "limit-one-more"))
	rec, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm = 2 })
	if len(res.Causes) == 0 {
		t.Fatal("nothing was found")
	}
	for _, c := range res.Causes {
		if c.Confirmation == nil || c.Confirmation.Tries != 2 || c.Confirmation.Shown != 2 || len(c.Confirmation.Exchanges) < 2 {
			t.Errorf("%s was found in %s; repeating it gave %+v", c.Rule, c.Scenario, c.Confirmation)
		}
	}
	known := map[int]bool{}
	for _, ex := range rec.Exchanges {
		known[ex.Seq] = true
	}
	for _, seq := range rec.Confirmations[0].Exchanges {
		if !known[seq] {
			t.Errorf("the record lacks exchange %d of the repetition", seq)
		}
	}
}

func TestWhatDoesNotShowAgainIsIntermittentAndFails(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	// A list that is too long once, and never again; not while the store is empty, which cannot be repeated.
	var once atomic.Bool
	sound, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	url := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+referenceKey && asks(r, "features/petstore/lists.feature") && r.URL.RawQuery == "limit=2" && once.CompareAndSwap(false, true) {
			w.Header().Set("Content-Type", "application/json")
			var items []string
			for i := range 3 {
				items = append(items, fmt.Sprintf(`{"id": %d, "name": "a", "categoryId": 1}`, 901+i))
			}
			_, _ = io.WriteString(w, "["+strings.Join(items, ", ")+"]")
			return
		}
		sound.Handler().ServeHTTP(w, r)
	}))
	_, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm = 1 })
	found := false
	for _, c := range res.Causes {
		if c.Rule == "list.limit.honoured" {
			found = true
			if !c.Confirmation.Intermittent() || c.Confirmation.Tries != 1 {
				t.Errorf("a list was too long once; repeating it gave %+v", c.Confirmation)
			}
		}
	}
	if !found || res.Verdict != verdict.Violated || res.ExitCode != verdict.ExitViolated {
		t.Errorf("a list was too long once; the verdict is %s, exit code %d", res.Verdict, res.ExitCode)
	}
}

func TestConfirmingCreatesNothingBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	handler := brokenService(t, "create-quota")
	var stored atomic.Int64
	url := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r)
		if rec.Code == http.StatusCreated {
			stored.Add(1)
		}
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	}))
	const limit = 90
	_, res := k.Run(t, url, referenceKey, func(c *steps.Config) {
		c.Confirm, c.Target.MaxCreated = 3, limit
	})
	if res.Verdict != verdict.Violated {
		t.Errorf("the verdict is %s", res.Verdict)
	}
	if n := stored.Load(); n > limit {
		t.Errorf("%d animals were created, and %d were allowed", n, limit)
	}
}

func TestWithoutConfirmNothingIsRepeated(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	rec, _ := k.Run(t, serving(t, brokenService(t, "limit-one-more")), referenceKey, nil)
	if len(rec.Confirmations) > 0 {
		t.Errorf("nothing was to be repeated, and %+v was", rec.Confirmations)
	}
}
