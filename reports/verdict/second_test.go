package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// opinions returns the same opinion on all findings of the selected causes.
func opinions(causes []verdict.Cause, o spec.Opinion) (all []record.Opinion) {
	for _, c := range causes {
		for _, shown := range c.Showing {
			for _, f := range shown.Findings {
				all = append(all, record.Opinion{Finding: f.Cause, Rule: f.Rule, Opinion: o})
			}
		}
	}
	return all
}

// A cause with which the second judge disagrees, for no known reason, is undecided and does not fail the run.
func TestDoubtIsUndecided(t *testing.T) {
	r := fixture.BadRun(t)
	rules := fixture.Catalogue(t)
	before := verdict.Draw(&r.Rec, rules)
	r.Rec.Opinions = opinions(before.Causes, spec.Opinion{Says: spec.Disputed, Reason: "it finds nothing wrong there"})
	res := verdict.Draw(&r.Rec, rules)
	if res.Verdict != verdict.Partial || res.ExitCode != verdict.ExitOK || !strings.Contains(res.Because, "undecided") {
		t.Errorf("%s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
	}
	for _, c := range res.Causes {
		if !c.Undecided || c.Fails(&r.Rec) || c.Mark() != verdict.UndecidedMark || !slices.Contains(c.Extent(), "second judge: differs: it finds nothing wrong there") {
			t.Errorf("%s: undecided %v, mark %q, %q", c.Rule, c.Undecided, c.Mark(), c.Extent())
		}
	}
	violated := before.Count(verdict.Violated, "") + before.Count(verdict.Warned, "")
	if n := res.Count(verdict.Doubtful, ""); n != violated || res.Count(verdict.Violated, "") != 0 {
		t.Errorf("%d rules are undecided, %d violated; %d were broken", n, res.Count(verdict.Violated, ""), violated)
	}
}

// A cause counts if the second judge agrees, cannot tell, disagrees in a known way, or was not asked about all of
// it.
func TestWhatIsNotInDoubtStands(t *testing.T) {
	r := fixture.BadRun(t)
	rules := fixture.Catalogue(t)
	before := verdict.Draw(&r.Rec, rules)
	differs := spec.Opinion{Says: spec.Disputed, Reason: "no"}
	some := opinions(before.Causes, differs)
	for name, tt := range map[string]struct {
		opinions []record.Opinion
		says     string
	}{
		"agrees":                {opinions(before.Causes, spec.Opinion{Says: spec.Agreed, Reason: "yes"}), "second judge: agrees"},
		"cannot tell":           {opinions(before.Causes, spec.Opinion{Says: spec.Unsettled, Reason: "not JSON"}), "second judge: cannot tell: not JSON"},
		"differs as is known":   {opinions(before.Causes, spec.Opinion{Says: spec.Disputed, Reason: "no", Known: "null-body"}), "second judge: differs, as is known (null-body): no"},
		"agrees in one shard":   {append(slices.Clone(some), opinions(before.Causes, spec.Opinion{Says: spec.Agreed})...), "second judge: agrees"},
		"on another finding":    {[]record.Opinion{{Finding: "another", Rule: before.Causes[0].Rule, Opinion: differs}}, ""},
		"on one finding of two": {some[:1], ""},
	} {
		r.Rec.Opinions = tt.opinions
		res := verdict.Draw(&r.Rec, rules)
		undecided := 0
		for _, c := range res.Causes {
			if c.Undecided {
				undecided++
			}
			if tt.says != "" && !slices.Contains(c.Extent(), tt.says) {
				t.Errorf("%s: %q", name, c.Extent())
			}
		}
		if res.Verdict != verdict.Violated || undecided > 0 && name != "on one finding of two" {
			t.Errorf("%s: the run is %s, and %d causes are undecided", name, res.Verdict, undecided)
		}
	}
}
