package compare_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// What was asked is one item if both were asked it.
func TestAsked(t *testing.T) {
	of := func(asked ...string) *compare.Run {
		rec := *sample.Good(t).Record
		rec.Scenarios = []record.Scenario{{ID: "x:1"}}
		for _, a := range asked {
			rec.Scenarios[0].Observations = append(rec.Scenarios[0].Observations, spec.Observation{Rule: "list.order", Asked: a, Answer: "by id"})
		}
		return compare.Take("x.json", view.New(&rec, sample.Good(t).Sources))
	}
	c := compared(t, compare.Implementations, of("the order of the list", "a name 41 characters long"), of("the order of the list", "a name 64 characters long"))
	var asked []string
	for _, item := range c.Questions[0].Items {
		asked = append(asked, item.Asked...)
	}
	slices.Sort(asked)
	if want := []string{"a name 41 characters long", "a name 64 characters long", "the order of the list"}; !slices.Equal(asked, want) {
		t.Errorf("asked were %q, want %q", asked, want)
	}
}

// A run that saw nothing of the kind also answers; one that was not asked does not.
func TestUnseen(t *testing.T) {
	of := func(reason string, answers map[string][]compare.OpenAnswer) *compare.Run {
		r := run("create.value.refused", spec.Open, verdict.Observed)
		r.Answers = map[string]map[string][]compare.OpenAnswer{"create.value.refused": answers}
		if answers == nil {
			r.Rules["create.value.refused"] = verdict.RuleVerdict{Level: spec.Open, Verdict: verdict.NotExercised, Reason: reason}
		}
		return r
	}
	refuses := of("", map[string][]compare.OpenAnswer{"a name of 41 characters": {{Text: "status 400", Reading: "status 400", Count: -1}}})
	q := compared(t, compare.Implementations, refuses, of(verdict.Unseen, nil), of("the run is read-only", nil)).Questions[0]
	if got := q.Items[0].Answers; !q.Differs() || got[1] != verdict.Unseen || got[2] != "" {
		t.Errorf("differs %v, %q", q.Differs(), got)
	}
}

// A question is read in the same way if only wording, names and the store's size differ.
func TestReadings(t *testing.T) {
	asked := func(a, b compare.OpenAnswer) compare.Question {
		of := func(answer compare.OpenAnswer) *compare.Run {
			r := run("list.order", spec.Open, verdict.Observed)
			// Counts mean something if a store is not empty.
			r.Answers = map[string]map[string][]compare.OpenAnswer{"list.order": {"a": {answer}}, "other": {"b": {{"3 animals", "a list", 3}}}}
			return r
		}
		return compared(t, compare.Implementations, of(a), of(b)).Questions[0]
	}
	plain := func(text string) compare.OpenAnswer { return compare.OpenAnswer{Text: text, Reading: text, Count: -1} }
	animals := func(n int64) compare.OpenAnswer {
		return compare.OpenAnswer{Text: fmt.Sprintf("status 200, %d animals", n), Reading: "status 200, a list", Count: n}
	}
	for _, c := range []struct {
		a, b            compare.OpenAnswer
		differs, worded bool
	}{
		{plain("status 400"), plain("status 400"), false, false},
		{plain("status 400"), plain("status 422"), true, false},
		{compare.OpenAnswer{`status 400, code "a"`, "status 400, a code", -1}, compare.OpenAnswer{`status 400, code "b"`, "status 400, a code", -1}, false, true},
		{compare.OpenAnswer{`status 400, code "a"`, "status 400, a code", -1}, plain("status 400"), true, false},
		{animals(20), animals(37), false, true},
		{animals(20), animals(100), true, false},
		{animals(20), animals(0), true, false},
		{plain("status 401 without a body"), plain("status 404 without a body"), true, false},
		{plain("present"), plain("absent"), true, false},
		{animals(1), animals(5), false, true},
	} {
		if q := asked(c.a, c.b); q.Differs() != c.differs || q.Worded() != c.worded {
			t.Errorf("%s and %s: differs %v, in words %v", c.a.Text, c.b.Text, q.Differs(), q.Worded())
		}
	}
}
