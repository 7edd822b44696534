package reports

import (
	"strings"
	"testing"

	"hallmark/spec"
)

// TestRulesThatWereAskedInPart are no conforming ones: what was not asked may be what the service breaks them by.
func TestRulesThatWereAskedInPart(t *testing.T) {
	rules := []spec.Rule{{ID: "a", Level: spec.Must}, {ID: "b", Level: spec.Must}, {ID: "always", Level: spec.Must, Always: true}}
	asked := func(outcome Outcome, reason string, excused bool, rules ...string) Scenario {
		return Scenario{ID: "f:1", Rules: rules, Outcome: outcome, Reason: reason, Excused: excused}
	}
	for name, test := range map[string]struct {
		scenarios []Scenario
		want      Verdict // of a
		reason    string
		exit      int
	}{
		"all asked":           {[]Scenario{asked(Passed, "", false, "a")}, Conforms, "", ExitOK},
		"one skipped":         {[]Scenario{asked(Passed, "", false, "a"), asked(Skipped, "the store is full", false, "a")}, NotExercised, "1 of its 2 scenarios could not be asked: the store is full", ExitIncomplete},
		"one has no case":     {[]Scenario{asked(Passed, "", false, "a"), asked(Skipped, "no such key", true, "a")}, Conforms, "", ExitOK},
		"another rule's":      {[]Scenario{asked(Passed, "", false, "a"), asked(Skipped, "the store is full", false, "always", "a")}, NotExercised, "1 of its 2", ExitIncomplete},
		"named by the way":    {[]Scenario{asked(Passed, "", false, "a"), asked(Skipped, "the store is full", false, "b", "always")}, Conforms, "", ExitIncomplete},
		"skipped, and broken": {[]Scenario{asked(Failed, "", false, "a"), asked(Skipped, "the store is full", false, "a")}, Violated, "", ExitViolated},
	} {
		t.Run(name, func(t *testing.T) {
			rec := Record{
				Complete: true, Scenarios: test.scenarios, Exercised: map[string]int{"a": 3, "b": 3, "always": 9},
				Options: Options{RequireComplete: true},
			}
			if test.want == Violated {
				rec.Scenarios[0].Findings = []spec.Finding{{Rule: "a", Cause: "a"}}
			}
			res := Judge(&rec, rules)
			if got := res.Rules[0]; got.Verdict != test.want || !strings.HasPrefix(got.Reason, test.reason) {
				t.Errorf("the rule is %s (%s), want %s (%s)", got.Verdict, got.Reason, test.want, test.reason)
			}
			if res.ExitCode != test.exit {
				t.Errorf("exit code %d, want %d: %s", res.ExitCode, test.exit, res.Because)
			}
		})
	}
}

// TestRuleThatWasAskedForAndNotExercised keeps a run of one rule from saying that nothing is violated, as if it had judged it.
func TestRuleThatWasAskedForAndNotExercised(t *testing.T) {
	rules := []spec.Rule{{ID: "list.empty", Level: spec.Must}, {ID: "answer.body", Level: spec.Must, Always: true}, {ID: "open", Level: spec.Open}}
	rec := Record{
		Complete: true, Exercised: map[string]int{"answer.body": 10}, Options: Options{Rules: []string{"list.empty"}},
		Scenarios: []Scenario{{ID: "f:1", Rules: []string{"list.empty"}, Outcome: Skipped, Reason: "the store holds animals"}},
	}
	res := Judge(&rec, rules)
	if res.Verdict != Inconclusive || res.ExitCode != ExitUnjudged || res.Because != "list.empty was not exercised: the store holds animals" {
		t.Errorf("%s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
	}
	rec.Options.Rules = []string{"list.empty", "answer.body"}
	if res := Judge(&rec, rules); res.Verdict != Partial || res.ExitCode != ExitOK {
		t.Errorf("with another rule that was exercised: %s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
	}
	rec.Options.Rules = []string{"open"}
	if res := Judge(&rec, rules); res.Verdict != Partial {
		t.Errorf("an open rule of which nothing was seen: %s: %s", res.Verdict, res.Because)
	}
}
