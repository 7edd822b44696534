package verdict_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// A rule that a service need not give the occasion to judge does not apply, where its operation succeeded and was asked for all; otherwise it was
// not exercised.
func TestWhatAConformingServiceCannotShow(t *testing.T) {
	rules := []spec.Rule{
		{ID: "list.headers", Level: spec.Must, Always: true, Conditional: true, Operations: []string{"list"}},
		{ID: "list.body", Level: spec.Must, Always: true, Operations: []string{"list"}},
		{ID: "list.credential.scope", Level: spec.Must, Operations: []string{"list"}},
	}
	const none = "no response was received that it is about, and the contract requires none"
	scope := func(inapplicable bool) func(*fixture.Run) {
		return func(r *fixture.Run) {
			s := r.Scenario("list.credential.scope", record.Skipped)
			s.Reason, s.Excused, s.Inapplicable = "no other role", true, inapplicable
		}
	}
	for _, c := range []struct {
		name, rule string
		status     int
		fill       func(*fixture.Run)
		want       verdict.Verdict
		reason     string
	}{
		{"a success without a header", "list.headers", 200, nil, verdict.NotApplicable, none},
		{"no success", "list.headers", 404, nil, verdict.NotExercised, "no matching response was received"},
		{"a body that every success owes", "list.body", 200, nil, verdict.NotExercised, "no matching response was received"},
		{"a part of a run", "list.headers", 200, func(r *fixture.Run) { r.Rec.Options.Tags = "@get" }, verdict.NotExercised, "none of its scenarios was selected"},
		{"a run that ended early", "list.headers", 200, func(r *fixture.Run) { r.Rec.Complete = false }, verdict.NotExercised, "the run ended before it"},
		{"no second role", "list.credential.scope", 200, scope(true), verdict.NotApplicable, "no other role"},
		{"no second role, and no success", "list.credential.scope", 403, scope(true), verdict.NotExercised, "no other role"},
		{"another excuse", "list.credential.scope", 200, scope(false), verdict.NotExercised, "no other role"},
		{"one without a role, one without data", "list.credential.scope", 200, func(r *fixture.Run) {
			scope(true)(r)
			r.Scenario("list.credential.scope", record.Skipped).Reason = "no other role"
		}, verdict.NotExercised, "no other role"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			r.Rec.Exercised = map[string]int{}
			r.Rec.Exchanges[r.Exchange("GET /list", c.status, "{}")-1].Operation = "list"
			if c.fill != nil {
				c.fill(r)
			}
			for _, v := range verdict.Draw(&r.Rec, rules).Rules {
				if v.Rule == c.rule && (v.Verdict != c.want || v.Reason != c.reason) {
					t.Errorf("%q (%s), want %q (%s)", v.Verdict, v.Reason, c.want, c.reason)
				}
			}
		})
	}
}
