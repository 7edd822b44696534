package reports

import (
	"strings"
	"testing"

	"hallmark/spec"
)

func TestJudgeRun(t *testing.T) {
	rules := catalogue(t)
	for _, c := range []struct {
		name    string
		fill    func(r *run)
		verdict Verdict
		code    int
		because string
	}{
		{"everything conforms", func(*run) {}, Conformant, 0, "all 73 must rules conform"},
		{"a must rule is broken", func(r *run) {
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, Violated, 1, "1 must rule is violated"},
		{"a should rule is broken", func(r *run) {
			r.wrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		}, Conformant, 0, "all 73 must rules conform, with 1 warning"},
		{"a should rule is broken, strictly", func(r *run) {
			r.rec.Options.Strict = true
			r.wrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		}, Violated, 1, "1 should rule is violated (--strict)"},
		{"both are broken, strictly", func(r *run) {
			r.rec.Options.Strict = true
			r.wrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
			r.wrongStatus("get.extreme", "GET /pets/1", 404, 410)
		}, Violated, 1, "2 must rules are violated and 1 should rule is violated (--strict)"},
		{"a must rule was not exercised", func(r *run) {
			delete(r.rec.Exercised, "list.empty")
		}, Partial, 0, "nothing is violated, but 1 of 73 must rules was not exercised"},
		{"a must rule was not exercised, and has to be", func(r *run) {
			r.rec.Options.RequireComplete = true
			delete(r.rec.Exercised, "list.empty")
			delete(r.rec.Exercised, "list.complete")
		}, Partial, 4, "nothing is violated, but 2 of 73 must rules were not exercised"},
		{"a should rule was not exercised", func(r *run) {
			r.rec.Options.RequireComplete = true
			delete(r.rec.Exercised, "get.sunset")
		}, Conformant, 0, "all 73 must rules conform"},
		{"only a part was selected", func(r *run) { r.rec.Options.Operations = []string{"listPets"} }, Partial, 0, "only a part of the suite was selected"},
		{"the run was ended early", func(r *run) { r.rec.Complete = false }, Partial, 3, "the run was ended before its end"},
		{"the run was ended early, with a violation", func(r *run) {
			r.rec.Complete = false
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, Violated, 1, "1 must rule is violated"},
		{"the target was lost", func(r *run) {
			r.rec.Complete, r.rec.Lost = false, "connection refused"
			r.scenario("list.array", Errored)
		}, Inconclusive, 3, "the target was lost: connection refused"},
		{"the target was lost after a violation", func(r *run) {
			r.rec.Complete, r.rec.Lost = false, "connection refused"
			r.scenario("list.array", Errored)
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, Violated, 1, "1 must rule is violated"},
		{"nothing was exercised", func(r *run) { r.rec.Exercised = nil }, Inconclusive, 3, "no rule was exercised"},
		{"a scenario ended in an error of ours", func(r *run) {
			r.scenario("list.array", Errored)
		}, Inconclusive, 70, "1 scenario ended in an error of the harness"},
		{"an error of ours beside a violation", func(r *run) {
			r.scenario("list.array", Errored)
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, Violated, 70, "1 must rule is violated"},
		{"the harness failed", func(r *run) {
			r.rec.Failure = "a step is undefined"
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, Inconclusive, 70, "the harness failed: a step is undefined"},
		{"a finding on an open rule", func(r *run) {
			r.wrongStatus("list.order", "GET /pets", 200, 404)
		}, Inconclusive, 70, "the harness failed: features/list.feature:10 reports a finding on list.order, an open rule, which cannot be broken"},
		{"a finding on a rule that is not in the catalogue", func(r *run) {
			r.wrongStatus("list.nonsense", "GET /pets", 200, 404)
		}, Inconclusive, 70, "a rule that the catalogue does not have"},
		{"a finding on a rule that cannot be tested", func(r *run) {
			r.wrongStatus("address.release", "GET /pets", 200, 404)
		}, Inconclusive, 70, "a rule that cannot be tested from outside"},
		{"a finding on a rule that does not apply", func(r *run) {
			r.rec.NotApplicable = map[string]string{"get.found": "the operation is removed"}
			r.wrongStatus("get.found", "GET /pets", 200, 404)
		}, Inconclusive, 70, "a rule that does not apply here: the operation is removed"},
		{"a failure without a finding", func(r *run) {
			r.scenario("list.array", Failed).Reason = "it broke"
		}, Inconclusive, 70, "features/list.feature:10 failed without a finding (it broke)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRun(t)
			c.fill(r)
			res := Judge(&r.rec, rules)
			if res.Verdict != c.verdict || res.ExitCode != c.code || !strings.Contains(res.Because, c.because) {
				t.Errorf("got  %s, exit %d, because %s\nwant %s, exit %d, because %s",
					res.Verdict, res.ExitCode, res.Because, c.verdict, c.code, c.because)
			}
		})
	}
}

func TestJudgeRule(t *testing.T) {
	rules := catalogue(t)
	const id = "list.empty"
	skip := func(reason string) func(*run) {
		return func(r *run) { r.scenario(id, Skipped).Reason = reason }
	}
	many := func(fills ...func(*run)) func(*run) {
		return func(r *run) {
			for _, fill := range fills {
				fill(r)
			}
		}
	}
	for _, c := range []struct {
		name   string
		rule   string
		fill   func(r *run)
		want   Verdict
		reason string
	}{
		{"a scenario passed and judged nothing", id, func(r *run) { r.scenario(id, Passed) },
			NotExercised, "its scenario ran, but nothing came that it could be judged by"},
		{"only counted", id, func(r *run) { r.rec.Exercised[id] = 1 }, Conforms, ""},
		{"a scenario failed by another rule", id, func(r *run) {
			r.rec.Exercised[id] = 1
			r.scenario(id, Failed, r.finding("list.array", r.exchange("GET /pets", 200, "{}"), "", "an array", "an object"))
		}, Conforms, ""},
		{"a scenario was stopped by another rule", id, func(r *run) {
			s := r.scenario(id, Failed, r.finding("list.array", r.exchange("GET /pets", 200, "{}"), "", "an array", "an object"))
			s.Steps = []Step{{"When ", "listPets is called", Failed}, {"Then ", "it is empty", Skipped}}
		}, NotExercised, "its scenario was stopped by another defect before it was judged"},
		{"broken", id, func(r *run) { r.wrongStatus(id, "GET /pets", 200, 404) }, Violated, ""},
		{"broken, should", "get.sunset", func(r *run) {
			r.scenario("get.found", Passed, r.finding("get.sunset", r.exchange("GET /pets/1", 200, "{}"), "", "a Sunset header", "none"))
		}, Warned, ""},
		{"broken before an error", id, func(r *run) {
			r.wrongStatus(id, "GET /pets", 200, 404)
			r.rec.Scenarios[0].Outcome = Errored
		}, Violated, ""},
		{"observed", "list.order", func(r *run) {
			r.scenario("list.order", Passed).Observations = []spec.Observation{{Rule: "list.order", Asked: "30 animals", Answer: "by id"}}
		}, Observed, ""},
		{"asked without a response", "list.order", func(r *run) { r.scenario("list.order", Passed) },
			NotExercised, "it was asked, but no response came that could be noted"},
		{"open and never asked", "list.order", func(*run) {}, NotExercised, "nothing of the kind was seen"},
		{"open and not selected", "list.order", func(r *run) { r.rec.Options.Tags = "@get" }, NotExercised, "no scenario of it was selected"},
		{"not selected", id, func(*run) {}, NotExercised, "no scenario of it was selected"},
		{"judged always, and nothing came", "get.deprecation", func(*run) {}, NotExercised, "no response came that it speaks of"},
		{"judged always, but only a part was selected", "get.deprecation", func(r *run) { r.rec.Options.Tags = "@list" },
			NotExercised, "no scenario of it was selected"},
		{"cut short", id, func(r *run) { r.rec.Complete = false }, NotExercised, "the run ended before it"},
		{"an error", id, func(r *run) { r.scenario(id, Errored) }, NotExercised, "its scenario ended in an error"},
		{"skipped", id, skip("the store is not empty"), NotExercised, "the store is not empty"},
		{"skipped without a reason", id, skip(""), NotExercised, "its scenario was skipped without a reason"},
		{"the commonest reason", id, many(skip("a"), skip("b"), skip("b")), NotExercised, "b"},
		{"reasons as common as each other", id, many(skip("b"), skip("a")), NotExercised, "a"},
		{"not applicable", "get.found", func(r *run) {
			r.rec.NotApplicable = map[string]string{"get.found": "removed on 5 December 2030"}
			r.rec.Exercised["get.found"] = 3
		}, NotApplicable, "removed on 5 December 2030"},
		{"untestable", "address.release", func(*run) {}, Untestable, "No response shows the interface version."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRun(t)
			r.rec.Exercised = map[string]int{}
			c.fill(r)
			for _, v := range Judge(&r.rec, rules).Rules {
				if v.Rule == c.rule && (v.Verdict != c.want || v.Reason != c.reason) {
					t.Errorf("%s: %q (%s), want %q (%s)", c.rule, v.Verdict, v.Reason, c.want, c.reason)
				}
				if (v.Verdict == Conforms || v.Verdict == Violated || v.Verdict == Observed) && v.Exercised == 0 {
					t.Errorf("%s %s without having been exercised", v.Rule, v.Verdict)
				}
			}
		})
	}
}

func TestJudgeChangesNothing(t *testing.T) {
	rules := catalogue(t)
	for _, c := range causeCases {
		r := newRun(t)
		c.fill(r)
		before, err := jsonOf(&r.rec)
		if err != nil {
			t.Fatal(err)
		}
		Judge(&r.rec, rules)
		after, err := jsonOf(&r.rec)
		if err != nil {
			t.Fatal(err)
		}
		if before != after {
			t.Errorf("%s: judging changed the record", c.name)
		}
	}
}

func jsonOf(rec *Record) (string, error) {
	var out strings.Builder
	err := WriteJSON(&out, rec, Result{})
	return out.String(), err
}

func TestCatalogueIsJudgedWhole(t *testing.T) {
	c, err := spec.DefaultCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	rules := c.Rules
	r := newRun(t)
	res := Judge(&r.rec, rules)
	if len(res.Rules) != len(rules) {
		t.Errorf("%d verdicts for %d rules", len(res.Rules), len(rules))
	}
	for i, v := range res.Rules {
		if v.Rule != rules[i].ID || v.Verdict == "" {
			t.Errorf("verdict %d is %+v, of %s", i, v, rules[i].ID)
		}
	}
}
