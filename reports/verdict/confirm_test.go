package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestConfirmationSentence(t *testing.T) {
	for want, c := range map[string]*record.Confirmation{
		"":                                      nil,
		"not repeated: the store is not empty":  {Reason: "the store is not empty"},
		"confirmed: failed again when repeated": {Tries: 1, Shown: 1},
		"confirmed: failed again each of 3 times when repeated": {Tries: 3, Shown: 3},
		"INTERMITTENT: did not fail again when repeated":        {Tries: 1},
		"INTERMITTENT: failed again in 2 of 3 repetitions":      {Tries: 3, Shown: 2},
		"INTERMITTENT: failed again in 0 of 20 repetitions":     {Tries: 20, Reason: "whatever"},
	} {
		if got := c.Sentence(); got != want {
			t.Errorf("%+v is told as %q, want %q", c, got, want)
		}
		if got := c.Intermittent(); got != strings.HasPrefix(want, "INTERMITTENT") {
			t.Errorf("%+v is intermittent: %v", c, got)
		}
	}
}

func TestConfirmationsBelongToTheirCauses(t *testing.T) {
	r := fixture.BadRun(t)
	rules := fixture.Catalogue(t)
	for _, c := range verdict.Draw(&r.Rec, rules).Causes {
		if c.Confirmation != nil {
			t.Errorf("%s has a confirmation, and nothing was repeated", c.Rule)
		}
		r.Rec.Confirmations = append(r.Rec.Confirmations, record.Confirmation{Scenario: c.Scenario, Rule: c.Lead.Rule, Tries: 2})
	}
	res := verdict.Draw(&r.Rec, rules)
	for _, c := range res.Causes {
		if !c.Confirmation.Intermittent() || c.Confirmation.Rule != c.Lead.Rule {
			t.Errorf("%s has the confirmation %+v", c.Rule, c.Confirmation)
		}
	}
	if res.Verdict != verdict.Violated || res.ExitCode != verdict.ExitViolated {
		t.Errorf("what did not show again makes the run %s, exit code %d; it still fails", res.Verdict, res.ExitCode)
	}
}
