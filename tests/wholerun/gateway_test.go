package wholerun_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// gateways are how often a gateway answers 502, and the seeds of the runs behind it.
func gateways(t *testing.T, judge func(t *testing.T, every, seed int64)) {
	t.Helper()
	for i, every := range []int64{50, 97, 200, 333, 500} {
		for seed := int64(1); seed <= 3; seed++ {
			t.Run(fmt.Sprintf("every %dth, seed %d", every, seed), func(t *testing.T) {
				if int64(i%3)+1 != seed {
					skip.Sampled(t, i, 100)
				}
				judge(t, every, seed)
			})
		}
	}
}

// everyNth reports of each request whether it is the nth since the last one of which it did.
func everyNth(n int64) func(*http.Request) bool {
	var count atomic.Int64
	return func(*http.Request) bool { return count.Add(1)%n == 0 }
}

// isTheEnvironment checks that nothing is held against a service whose gateway failed, and that the failures are told as intermittent.
func isTheEnvironment(t *testing.T, rec record.Record, res verdict.Result) {
	t.Helper()
	want, because := verdict.Partial, "only by 502, 503 or 504"
	if !slices.ContainsFunc(res.Causes, func(c verdict.Cause) bool { return c.Level != spec.Should }) {
		want, because = verdict.Conformant, "with 1 warning" // it hit what only warns
	}
	if res.Verdict != want || res.ExitCode != verdict.ExitOK || !strings.Contains(res.Because, because) {
		t.Errorf("the run is %s (%s), exit code %d", res.Verdict, res.Because, res.ExitCode)
	}
	if failing, _ := res.Split(&rec); len(failing) > 0 || len(res.Causes) == 0 {
		t.Errorf("%d of %d causes fail the run", len(failing), len(res.Causes))
	}
	for _, c := range res.Causes {
		if c.Mark() != record.IntermittentMark {
			t.Errorf("%s in %s is not told as intermittent: %s", c.Rule, c.Scenario, c.Confirmation.Sentence())
		}
	}
}

// A gateway that answers 502 now and then is not the service: whichever requests it hits, and whatever it hits when they are repeated.
func TestAServiceBehindAFlakyGatewayIsNotViolated(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	gateways(t, func(t *testing.T, every, seed int64) {
		url := gateway(t, 502, everyNth(every))
		rec, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm, c.Seed, c.Concurrency = 1, seed, 1 })
		isTheEnvironment(t, rec, res)
	})
}

// The same holds for any contract.
func TestAServiceOfAContractBehindAFlakyGatewayIsNotViolated(t *testing.T) {
	t.Parallel()
	gateways(t, func(t *testing.T, every, seed int64) {
		service, fails := shop.New(""), everyNth(every)
		rec, catalogue := trial{contract: shop.Contract(), seed: seed, created: 500, confirm: 1, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if fails(r) {
				http.Error(w, "<h1>502 Bad Gateway</h1>", http.StatusBadGateway)
				return
			}
			service.ServeHTTP(w, r)
		})}}.judge(t)
		res := verdict.Draw(&rec, catalogue.Rules)
		if res.Verdict == verdict.Violated {
			failing, _ := res.Split(&rec)
			t.Errorf("the run is violated: %s", res.Because)
			for _, c := range failing {
				t.Errorf("%s, %s, in %s: %s", c.Rule, c.Message, c.Scenario, c.Confirmation.Sentence())
			}
		}
	})
}

// A request that always gets 503 is the service's own failure, also behind a gateway that fails now and then.
func TestADefectIsNotExcusedByAFlakyGateway(t *testing.T) {
	t.Parallel()
	k, fails := runtest.New(t), everyNth(97)
	url := gateway(t, 503, func(r *http.Request) bool { return fails(r) || r.URL.RawQuery == "limit=50" })
	rec, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm, c.Concurrency = 1, 1 })
	failing, _ := res.Split(&rec)
	if res.ExitCode != verdict.ExitViolated || len(failing) == 0 {
		t.Fatalf("the run is %s (%s), exit code %d", res.Verdict, res.Because, res.ExitCode)
	}
	for _, c := range failing {
		if c.Mark() != "" || c.Confirmation.Tries < 3 {
			t.Errorf("%s in %s: %s", c.Rule, c.Scenario, c.Confirmation.Sentence())
		}
	}
}

// Behind a gateway that fails often next to nothing is known of the service.
func TestAnEnvironmentThatFailsOftenLeavesNothingToJudge(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	rec, res := k.Run(t, gateway(t, 502, everyNth(11)), referenceKey, func(c *steps.Config) { c.Confirm, c.Concurrency, c.Seed = 0, 1, 1 })
	if len(res.Causes) == 0 {
		t.Fatal("nothing was found")
	}
	for _, c := range res.Causes { // as if none of it had shown again
		for _, s := range c.Showing {
			rec.Confirmations = append(rec.Confirmations, record.Confirmation{Scenario: s.Scenario, Rule: s.Findings[0].Rule, Tries: 1})
		}
	}
	res = verdict.Draw(&rec, k.Catalogue.Rules)
	if res.Verdict != verdict.Inconclusive || res.ExitCode != verdict.ExitUnjudged || !strings.Contains(res.Because, "the environment fails") {
		t.Errorf("the run is %s (%s), exit code %d", res.Verdict, res.Because, res.ExitCode)
	}
}
