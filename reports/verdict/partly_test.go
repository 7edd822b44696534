package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// TestRulesThatWereAskedInPart checks that such rules do not conform: the service may break them by what was not
// asked.
func TestRulesThatWereAskedInPart(t *testing.T) {
	rules := []spec.Rule{{ID: "a", Level: spec.Must}, {ID: "b", Level: spec.Must}, {ID: "always", Level: spec.Must, Always: true}}
	asked := func(outcome record.Outcome, reason string, excused bool, rules ...string) record.Scenario {
		return record.Scenario{ID: "f:1", Rules: rules, Outcome: outcome, Reason: reason, Excused: excused}
	}
	for name, test := range map[string]struct {
		scenarios []record.Scenario
		want      verdict.Verdict // of a
		reason    string
		exit      int
	}{
		"all asked":           {[]record.Scenario{asked(record.Passed, "", false, "a")}, verdict.Conforms, "", verdict.ExitOK},
		"one skipped":         {[]record.Scenario{asked(record.Passed, "", false, "a"), asked(record.Skipped, "the store is full", false, "a")}, verdict.NotExercised, "1 of its 2 scenarios could not be run to the end: the store is full", verdict.ExitIncomplete},
		"its only one":        {[]record.Scenario{asked(record.Skipped, "the store is full", false, "a")}, verdict.NotExercised, "its only scenario could not be run to the end: the store", verdict.ExitIncomplete},
		"all skipped":         {[]record.Scenario{asked(record.Skipped, "the store is full", false, "a"), asked(record.Skipped, "the store is full", false, "a")}, verdict.NotExercised, "none of its 2 scenarios could be run to the end: the store", verdict.ExitIncomplete},
		"one has no case":     {[]record.Scenario{asked(record.Passed, "", false, "a"), asked(record.Skipped, "no such key", true, "a")}, verdict.Conforms, "", verdict.ExitOK},
		"another rule's":      {[]record.Scenario{asked(record.Passed, "", false, "a"), asked(record.Skipped, "the store is full", false, "always", "a")}, verdict.NotExercised, "1 of its 2", verdict.ExitIncomplete},
		"named by the way":    {[]record.Scenario{asked(record.Passed, "", false, "a"), asked(record.Skipped, "the store is full", false, "b", "always")}, verdict.Conforms, "", verdict.ExitIncomplete},
		"skipped, and broken": {[]record.Scenario{asked(record.Failed, "", false, "a"), asked(record.Skipped, "the store is full", false, "a")}, verdict.Violated, "", verdict.ExitViolated},
	} {
		t.Run(name, func(t *testing.T) {
			rec := record.Record{
				Complete: true, Scenarios: test.scenarios, Exercised: map[string]int{"a": 3, "b": 3, "always": 9},
				Options: record.Options{RequireComplete: true},
			}
			if test.want == verdict.Violated {
				rec.Scenarios[0].Findings = []spec.Finding{{Rule: "a", Cause: "a"}}
			}
			res := verdict.Draw(&rec, rules)
			if got := res.Rules[0]; got.Verdict != test.want || !strings.HasPrefix(got.Reason, test.reason) {
				t.Errorf("the rule is %s (%s), want %s (%s)", got.Verdict, got.Reason, test.want, test.reason)
			}
			if res.ExitCode != test.exit {
				t.Errorf("exit code %d, want %d: %s", res.ExitCode, test.exit, res.Because)
			}
		})
	}
}

// TestRuleThatWasAskedForAndNotExercised keeps a run of one rule from saying that nothing is violated, as if it
// had judged it.
func TestRuleThatWasAskedForAndNotExercised(t *testing.T) {
	rules := []spec.Rule{{ID: "list.empty", Level: spec.Must}, {ID: "answer.body", Level: spec.Must, Always: true}, {ID: "open", Level: spec.Open}}
	rec := record.Record{
		Complete: true, Exercised: map[string]int{"answer.body": 10}, Options: record.Options{Rules: []string{"list.empty"}},
		Scenarios: []record.Scenario{{ID: "f:1", Rules: []string{"list.empty"}, Outcome: record.Skipped, Reason: "the store holds animals"}},
	}
	res := verdict.Draw(&rec, rules)
	if res.Verdict != verdict.Inconclusive || res.ExitCode != verdict.ExitUnjudged || res.Because != "list.empty was not exercised: the store holds animals" {
		t.Errorf("%s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
	}
	rec.Options.Rules = []string{"list.empty", "answer.body"}
	if res := verdict.Draw(&rec, rules); res.Verdict != verdict.Partial || res.ExitCode != verdict.ExitOK {
		t.Errorf("with another rule that was exercised: %s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
	}
	rec.Options.Rules = []string{"open"}
	if res := verdict.Draw(&rec, rules); res.Verdict != verdict.Partial {
		t.Errorf("an open rule of which nothing was seen: %s: %s", res.Verdict, res.Because)
	}
}
