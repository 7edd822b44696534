package wholerun_test

import (
	"net/http/httptest"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// TestRulesAlone asks about each rule by itself, on a store that nothing else has filled: a scenario that leans on another
// one would accuse the reference service here, or judge nothing.
func TestRulesAlone(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	asked := k.Suite.Rules()
	for i, rule := range k.Catalogue.Rules {
		if asked[rule.ID] == 0 {
			continue
		}
		t.Run(rule.ID, func(t *testing.T) {
			skip.Sampled(t, i, 8)
			service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(service.Handler())
			defer server.Close()
			rec, res := k.Run(t, server.URL+"/v1", referenceKey, func(c *steps.Config) {
				c.Selection = suite.Selection{Rules: []string{rule.ID}}
			})
			for _, c := range res.Causes {
				t.Errorf("%s is accused: expected %s, actual %s, at %s (%s)", c.Rule, c.Lead.Expected, c.Lead.Actual, c.Lead.Where, c.Scenario)
			}
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Errored {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
			for _, r := range res.Rules {
				if r.Rule == rule.ID && r.Verdict == verdict.NotExercised && rule.Level != spec.Open {
					t.Errorf("not exercised: %s", r.Reason)
				}
			}
		})
	}
}
