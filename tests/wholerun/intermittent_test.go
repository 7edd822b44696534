package wholerun_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// gateway stands before the reference service and answers itself what a function says so of: with that status, and a page.
func gateway(t *testing.T, status int, itself func(r *http.Request) bool) string {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	handler := service.Handler()
	return serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !itself(r) {
			handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<html><body><h1>%d</h1></body></html>", status)
	}))
}

// From the User-Agent a service learns which scenario asks.
func asks(r *http.Request, scenario string) bool {
	return strings.Contains(r.UserAgent(), "; "+scenario)
}

// nth is which request of some scenarios a gateway answers itself: one whose status is judged, not the first, by which a plain request is
// searched for.
func nth(where string) int64 {
	if strings.Contains(where, "derived") {
		return 20
	}
	return 1
}

// TestWhatAGatewayAnsweredOnceIsIntermittent repeats what made the wrong response, and never what only told of it later.
func TestWhatAGatewayAnsweredOnceIsIntermittent(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	var judged atomic.Bool
	for i, where := range []string{
		"preflight", "features/petstore/an-empty-store.feature", "features/petstore/credentials.feature", "features/petstore/create.feature", "features/petstore/get.feature",
		"features/petstore/derived/listPets.feature", "features/petstore/derived/createPet.feature", "features/petstore/derived/getPet.feature", "features/petstore/lists.feature",
	} {
		status := []int{502, 503, 504}[i%3]
		t.Run(fmt.Sprint(where, " ", status), func(t *testing.T) {
			skip.Sampled(t, i, 6)
			for _, forever := range []bool{false, true} {
				if forever && where == "preflight" {
					continue // a service that is down before the run is not judged
				}
				var n atomic.Int64
				url := gateway(t, status, func(r *http.Request) bool { return asks(r, where) && (n.Add(1) == nth(where) || forever) })
				rec, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm = 1 })
				want, code := []verdict.Verdict{verdict.Partial, verdict.Conformant}, verdict.ExitOK // once, where the status is not judged
				if forever {
					want, code = []verdict.Verdict{verdict.Violated}, verdict.ExitViolated
				}
				if !slices.Contains(want, res.Verdict) || res.ExitCode != code || forever && len(res.Causes) == 0 {
					t.Fatalf("forever %v: the run is %s (%s), exit code %d, with %d causes", forever, res.Verdict, res.Because, res.ExitCode, len(res.Causes))
				}
				judged.Store(judged.Load() || !forever && len(res.Causes) > 0)
				for _, c := range res.Causes {
					if forever == c.Confirmation.Intermittent() || c.Confirmation == nil || c.Confirmation.Tries == 0 {
						t.Errorf("forever %v: %s in %s: repeating it gave %+v", forever, c.Rule, c.Scenario, c.Confirmation)
					}
				}
				rec.Options.Intermittent = record.IntermittentWarn
				warned := verdict.Draw(&rec, k.Catalogue.Rules)
				if !slices.Contains(want, warned.Verdict) || warned.ExitCode != code {
					t.Errorf("forever %v: with a warning only, the run is %s (%s), exit code %d", forever, warned.Verdict, warned.Because, warned.ExitCode)
				}
				for _, r := range warned.Rules {
					if !forever && r.Verdict == verdict.Violated || r.Verdict == verdict.Conforms && r.Findings+r.Intermittent > 0 {
						t.Errorf("forever %v: %s: %s", forever, r.Rule, r.Verdict)
					}
				}
			}
		})
	}
	if !judged.Load() && !testing.Short() {
		t.Error("nowhere was a status judged that a gateway answered once")
	}
}

// A cause is excused only when each scenario that showed it was repeated without showing it: a defect does not hide behind a
// moment's failure that looks like it.
func TestADefectIsNotExcusedByAMoment(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	var once atomic.Bool
	url := gateway(t, 500, func(r *http.Request) bool {
		if r.Method != http.MethodGet || r.Header.Get("Authorization") != "Bearer "+referenceKey {
			return false
		}
		return r.URL.RawQuery == "limit=50" || asks(r, "features/petstore/get.feature") && once.CompareAndSwap(false, true)
	})
	rec, _ := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm = 1 })
	rec.Options.Intermittent = record.IntermittentWarn
	res := verdict.Draw(&rec, k.Catalogue.Rules)
	if res.Verdict != verdict.Violated || res.ExitCode != verdict.ExitViolated {
		t.Errorf("a limit is always answered 500; the run is %s: %s", res.Verdict, res.Because)
	}
}
