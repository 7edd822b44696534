package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// asked makes a record one of a run that tested only one operation.
func asked(operation string) func(*record.Record) {
	return func(r *record.Record) {
		r.Options.Operations = []string{operation}
		r.Scenarios = append(r.Scenarios, record.Scenario{ID: "x:1", Rules: []string{operation + ".success"}, Operations: []string{operation}, Outcome: record.Passed})
	}
}

// A run of a contract's own suite says how much it saw succeed: nothing is concluded from the rest.
func TestRunsThatReachLittle(t *testing.T) {
	var rules []spec.Rule
	for _, op := range []string{"a", "b", "c"} {
		rules = append(rules, spec.Rule{ID: op + ".success", Level: spec.Must, Section: op, Says: op, Operations: []string{op}, Always: true})
	}
	for _, own := range []spec.Rule{ // rules of a file, which cover parts of those above
		{ID: "own.key", Operations: []string{"a", "b", "c"}, Cases: []string{"success"}},
		{ID: "own.unknown", Operations: []string{"b"}, Cases: []string{"not-found", "success"}},
		{ID: "own.part", Operations: []string{"c"}, Cases: []string{"success"}, Covers: []string{"c.success unknown"}},
	} {
		own.Level, own.Section, own.Says, own.Asks = spec.Open, "own", "own", "own"
		rules = append(rules, own)
	}
	for name, c := range map[string]struct {
		succeed []string
		change  func(r *record.Record)
		verdict verdict.Verdict
		code    int
		because string
	}{
		"none":              {nil, nil, verdict.Inconclusive, 3, "none of 3 operations was seen to succeed"},
		"few":               {[]string{"a", "a"}, nil, verdict.Partial, 4, "only 1 of 3 operations was seen to succeed"},
		"few, and accepted": {[]string{"a", "a"}, func(r *record.Record) { r.Options.AcceptPartial = true }, verdict.Partial, 0, "only 1 of 3 operations was seen to succeed"},
		"few, and one was held back": {[]string{"a"}, func(r *record.Record) {
			r.Uncalled = []record.Uncalled{{Operation: "b", Reason: "it may remove what others own"}}
		}, verdict.Partial, 0, "only 1 of 3 operations was seen to succeed"},
		"few, and a rule covers successes of several operations": {[]string{"a"}, func(r *record.Record) {
			r.Exercised = map[string]int{"own.key": 1, "own.unknown": 2, "own.part": 1}
		}, verdict.Partial, 4, "only 1 of 3 operations was seen to succeed"},
		"few, for a wrong credential": {[]string{"a"}, func(r *record.Record) {
			for range 2 {
				r.Exchanges = append(r.Exchanges, spec.Exchange{Operation: "b", Response: &spec.Response{Status: 401}})
			}
			r.Exchanges = append(r.Exchanges, spec.Exchange{Operation: "c", Response: &spec.Response{Status: 403}}) // besides its 404
		}, verdict.Partial, 4, "only 1 of 3 operations was seen to succeed; 1 operation returned only 401 or 403: check the credentials"},
		"most, and a credential is missing": {[]string{"a", "b"}, func(r *record.Record) {
			r.Uncalled = []record.Uncalled{{Operation: "c", Reason: "no credential", Remedy: "set HALLMARK_CREDENTIAL_C"}}
		}, verdict.Partial, 4, "1 operation was not called because a credential is missing: set HALLMARK_CREDENTIAL_C"},
		"most, and a credential is wrong": {[]string{"a", "b"}, func(r *record.Record) {
			r.Exchanges = []spec.Exchange{{Operation: "a", Response: &spec.Response{Status: 200}}, {Operation: "b", Response: &spec.Response{Status: 200}}, {Operation: "c", Response: &spec.Response{Status: 401}}}
		}, verdict.Partial, 0, "1 of 3 must rules was not exercised; 1 operation returned only 401 or 403: check the credentials"},
		"a credential is missing, and accepted": {[]string{"a", "b"}, func(r *record.Record) {
			r.Uncalled = []record.Uncalled{{Operation: "c", Reason: "no credential", Remedy: "set HALLMARK_CREDENTIAL_C"}}
			r.Options.AcceptPartial = true
		}, verdict.Partial, 0, "1 of 3 must rules was not exercised"},
		"few, and a credential is missing": {[]string{"a"}, func(r *record.Record) {
			r.Uncalled = []record.Uncalled{{Operation: "c", Reason: "no credential", Remedy: "set HALLMARK_CREDENTIAL_C"}}
		}, verdict.Partial, 4, "only 1 of 3 operations was seen to succeed; 1 operation was not called"},
		"none, and a credential is missing": {nil, func(r *record.Record) {
			r.Uncalled = []record.Uncalled{{Operation: "c", Reason: "no credential", Remedy: "set HALLMARK_CREDENTIAL_C"}}
		}, verdict.Inconclusive, 3, "set HALLMARK_CREDENTIAL_C"},
		"a part was asked, and never succeeded": {nil, asked("b"), verdict.Partial, 4, "none of 1 operation was seen to succeed"},
		"a part was asked, and succeeded":       {[]string{"b"}, asked("b"), verdict.Partial, 0, "only a part of the suite was selected"},
		"a refusal was asked for": {nil, func(r *record.Record) {
			r.Options.Tags = "@refused"
			r.Scenarios = append(r.Scenarios, record.Scenario{ID: "x:1", Rules: []string{"b.success"}, Operations: []string{"b"}, Outcome: record.Passed})
		}, verdict.Partial, 0, "only a part of the suite was selected"},
		"few, and all asked": {[]string{"a"}, func(r *record.Record) { r.Options.RequireComplete = true }, verdict.Partial, 4, "only 1 of 3 operations was seen to succeed"},
		"most":               {[]string{"a", "b"}, nil, verdict.Partial, 0, "1 of 3 must rules was not exercised"},
		"a part was asked":   {nil, func(r *record.Record) { r.Options.Operations = []string{"a"} }, verdict.Partial, 0, "only a part of the suite was selected"},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			r.Rec.Exercised = map[string]int{"a.success": 1, "b.success": 1}
			for i, op := range append(c.succeed, "c") {
				status := 200
				if i == len(c.succeed) {
					status = 404
				}
				r.Rec.Exchanges[r.Exchange("GET /"+op, status, "{}")-1].Operation = op
			}
			if c.change != nil {
				c.change(&r.Rec)
			}
			res := verdict.Draw(&r.Rec, rules)
			if res.Verdict != c.verdict || res.ExitCode != c.code || !strings.Contains(res.Because, c.because) {
				t.Errorf("%s, exit %d: %s; want %s, exit %d: %s", res.Verdict, res.ExitCode, res.Because, c.verdict, c.code, c.because)
			}
		})
	}
}

func TestJudgeRun(t *testing.T) {
	rules := fixture.Catalogue(t)
	for _, c := range []struct {
		name    string
		fill    func(r *fixture.Run)
		verdict verdict.Verdict
		code    int
		because string
	}{
		{"everything conforms", func(*fixture.Run) {}, verdict.Conformant, 0, "all 73 must rules conform"},
		{"a must rule is broken", func(r *fixture.Run) {
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Violated, 1, "1 must rule is violated"},
		{"a should rule is broken", func(r *fixture.Run) {
			r.WrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		}, verdict.Conformant, 0, "all 73 must rules conform, with 1 warning"},
		{"a should rule is broken, strictly", func(r *fixture.Run) {
			r.Rec.Options.Strict = true
			r.WrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		}, verdict.Violated, 1, "1 should rule is violated (--strict)"},
		{"both are broken, strictly", func(r *fixture.Run) {
			r.Rec.Options.Strict = true
			r.WrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
			r.WrongStatus("get.extreme", "GET /pets/1", 404, 410)
		}, verdict.Violated, 1, "2 must rules are violated and 1 should rule is violated (--strict)"},
		{"a must rule was not exercised", func(r *fixture.Run) {
			delete(r.Rec.Exercised, "list.empty")
		}, verdict.Partial, 0, "nothing is violated, but 1 of 73 must rules was not exercised"},
		{"a must rule was not exercised, and has to be", func(r *fixture.Run) {
			r.Rec.Options.RequireComplete = true
			delete(r.Rec.Exercised, "list.empty")
			delete(r.Rec.Exercised, "list.complete")
		}, verdict.Partial, 4, "nothing is violated, but 2 of 73 must rules were not exercised"},
		{"a should rule was not exercised", func(r *fixture.Run) {
			r.Rec.Options.RequireComplete = true
			delete(r.Rec.Exercised, "get.sunset")
		}, verdict.Conformant, 0, "all 73 must rules conform"},
		{"not all scenarios were selected", func(r *fixture.Run) { r.Rec.Options.Operations = []string{"listPets"} }, verdict.Partial, 0, "only a part of the suite was selected"},
		{"the run was ended early", func(r *fixture.Run) { r.Rec.Complete = false }, verdict.Partial, 3, "the run ended early"},
		{"the run was ended early, with a violation", func(r *fixture.Run) {
			r.Rec.Complete = false
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Violated, 1, "1 must rule is violated"},
		{"the target was lost", func(r *fixture.Run) {
			r.Rec.Complete, r.Rec.Lost = false, "connection refused"
			r.Scenario("list.array", record.Errored)
		}, verdict.Inconclusive, 3, "the target was lost: connection refused"},
		{"the target was lost after a violation", func(r *fixture.Run) {
			r.Rec.Complete, r.Rec.Lost = false, "connection refused"
			r.Scenario("list.array", record.Errored)
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Violated, 1, "1 must rule is violated"},
		{"nothing was exercised", func(r *fixture.Run) { r.Rec.Exercised = nil }, verdict.Inconclusive, 3, "no rule was exercised"},
		{"a scenario ended in an error of ours", func(r *fixture.Run) {
			r.Scenario("list.array", record.Errored)
		}, verdict.Inconclusive, 70, "1 scenario ended in an error of the harness"},
		{"an error of ours beside a violation", func(r *fixture.Run) {
			r.Scenario("list.array", record.Errored)
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Violated, 70, "1 must rule is violated"},
		{"hallmark itself failed", func(r *fixture.Run) {
			r.Rec.Failure = "a step is undefined"
			r.WrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}, verdict.Inconclusive, 70, "hallmark itself failed: a step is undefined"},
		{"a finding on an open rule", func(r *fixture.Run) {
			r.WrongStatus("list.order", "GET /pets", 200, 404)
		}, verdict.Inconclusive, 70, "hallmark itself failed: features/list.feature:10 reports a finding on list.order, an open rule, which cannot be broken"},
		{"a finding on a rule that is not in the catalogue", func(r *fixture.Run) {
			r.WrongStatus("list.nonsense", "GET /pets", 200, 404)
		}, verdict.Inconclusive, 70, "a rule that the catalogue does not have"},
		{"a finding on a rule that cannot be tested", func(r *fixture.Run) {
			r.WrongStatus("address.release", "GET /pets", 200, 404)
		}, verdict.Inconclusive, 70, "a rule that cannot be tested from outside"},
		{"a finding on a rule that does not apply", func(r *fixture.Run) {
			r.Rec.NotApplicable = map[string]string{"get.found": "the operation is removed"}
			r.WrongStatus("get.found", "GET /pets", 200, 404)
		}, verdict.Inconclusive, 70, "a rule that does not apply here: the operation is removed"},
		{"a failure without a finding", func(r *fixture.Run) {
			r.Scenario("list.array", record.Failed).Reason = "it broke"
		}, verdict.Inconclusive, 70, "features/list.feature:10 failed without a finding (it broke)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			c.fill(r)
			res := verdict.Draw(&r.Rec, rules)
			if res.Verdict != c.verdict || res.ExitCode != c.code || !strings.Contains(res.Because, c.because) {
				t.Errorf("got  %s, exit %d, because %s\nwant %s, exit %d, because %s",
					res.Verdict, res.ExitCode, res.Because, c.verdict, c.code, c.because)
			}
		})
	}
}

func TestJudgeRule(t *testing.T) {
	rules := fixture.Catalogue(t)
	const id = "list.empty"
	skip := func(reason string) func(*fixture.Run) {
		return func(r *fixture.Run) { r.Scenario(id, record.Skipped).Reason = reason }
	}
	many := func(fills ...func(*fixture.Run)) func(*fixture.Run) {
		return func(r *fixture.Run) {
			for _, fill := range fills {
				fill(r)
			}
		}
	}
	for _, c := range []struct {
		name   string
		rule   string
		fill   func(r *fixture.Run)
		want   verdict.Verdict
		reason string
	}{
		{"a scenario passed and judged nothing", id, func(r *fixture.Run) { r.Scenario(id, record.Passed) },
			verdict.NotExercised, "its scenario ran, but no response was received that could be judged"},
		{"only counted", id, func(r *fixture.Run) { r.Rec.Exercised[id] = 1 }, verdict.Conforms, ""},
		{"a scenario failed by another rule", id, func(r *fixture.Run) {
			r.Rec.Exercised[id] = 1
			r.Scenario(id, record.Failed, r.Finding("list.array", r.Exchange("GET /pets", 200, "{}"), "", "an array", "an object"))
		}, verdict.Conforms, ""},
		{"a scenario was stopped by another rule", id, func(r *fixture.Run) {
			s := r.Scenario(id, record.Failed, r.Finding("list.array", r.Exchange("GET /pets", 200, "{}"), "", "an array", "an object"))
			s.Steps = []record.Step{
				{Keyword: "When ", Text: "listPets is called", Outcome: record.Failed}, {Keyword: "Then ", Text: "it is empty", Outcome: record.Skipped},
			}
		}, verdict.NotExercised, "its scenario was stopped by another defect before it was judged"},
		{"broken", id, func(r *fixture.Run) { r.WrongStatus(id, "GET /pets", 200, 404) }, verdict.Violated, ""},
		{"broken, should", "get.sunset", func(r *fixture.Run) {
			r.Scenario("get.found", record.Passed, r.Finding("get.sunset", r.Exchange("GET /pets/1", 200, "{}"), "", "a Sunset header", "none"))
		}, verdict.Warned, ""},
		{"broken before an error", id, func(r *fixture.Run) {
			r.WrongStatus(id, "GET /pets", 200, 404)
			r.Rec.Scenarios[0].Outcome = record.Errored
		}, verdict.Violated, ""},
		{"observed", "list.order", func(r *fixture.Run) {
			r.Scenario("list.order", record.Passed).Observations = []spec.Observation{{Rule: "list.order", Asked: "30 animals", Answer: "by id"}}
		}, verdict.Observed, ""},
		{"asked without a response", "list.order", func(r *fixture.Run) { r.Scenario("list.order", record.Passed) },
			verdict.NotExercised, "its scenario ran, but no response was received that could be recorded"},
		{"open and never asked", "list.order", func(*fixture.Run) {}, verdict.NotExercised, "nothing of the kind was seen"},
		{"open and not selected", "list.order", func(r *fixture.Run) { r.Rec.Options.Tags = "@get" }, verdict.NotExercised, "none of its scenarios was selected"},
		{"not selected", id, func(r *fixture.Run) { r.Rec.Options.Tags = "@get" }, verdict.NotExercised, "none of its scenarios was selected"},
		{"without a scenario", id, func(*fixture.Run) {}, verdict.NotExercised, "nothing that was seen could have broken it"},
		{"judged always, and nothing came", "get.deprecation", func(*fixture.Run) {}, verdict.NotExercised, "no matching response was received"},
		{"judged always, but not all scenarios were selected", "get.deprecation", func(r *fixture.Run) { r.Rec.Options.Tags = "@list" },
			verdict.NotExercised, "none of its scenarios was selected"},
		{"cut short", id, func(r *fixture.Run) { r.Rec.Complete = false }, verdict.NotExercised, "the run ended before it"},
		{"an error", id, func(r *fixture.Run) { r.Scenario(id, record.Errored) }, verdict.NotExercised, "its scenario ended in an error"},
		{"skipped", id, skip("the store is not empty"), verdict.NotExercised, "the store is not empty"},
		{"skipped without a reason", id, skip(""), verdict.NotExercised, "its scenario was skipped without a reason"},
		{"the commonest reason", id, many(skip("a"), skip("b"), skip("b")), verdict.NotExercised, "b"},
		{"reasons as common as each other", id, many(skip("b"), skip("a")), verdict.NotExercised, "a"},
		{"not applicable", "get.found", func(r *fixture.Run) {
			r.Rec.NotApplicable = map[string]string{"get.found": "removed on 5 December 2030"}
			r.Rec.Exercised["get.found"] = 3
		}, verdict.NotApplicable, "removed on 5 December 2030"},
		{"untestable", "address.release", func(*fixture.Run) {}, verdict.Untestable, "No response shows the interface version."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.New(t)
			r.Rec.Exercised = map[string]int{}
			c.fill(r)
			for _, v := range verdict.Draw(&r.Rec, rules).Rules {
				if v.Rule == c.rule && (v.Verdict != c.want || v.Reason != c.reason) {
					t.Errorf("%s: %q (%s), want %q (%s)", c.rule, v.Verdict, v.Reason, c.want, c.reason)
				}
				if (v.Verdict == verdict.Conforms || v.Verdict == verdict.Violated || v.Verdict == verdict.Observed) && v.Exercised == 0 {
					t.Errorf("%s %s without having been exercised", v.Rule, v.Verdict)
				}
			}
		})
	}
}

func TestJudgeChangesNothing(t *testing.T) {
	rules := fixture.Catalogue(t)
	for _, c := range fixture.CauseCases {
		r := fixture.New(t)
		c.Fill(r)
		before, err := jsonOf(&r.Rec)
		if err != nil {
			t.Fatal(err)
		}
		verdict.Draw(&r.Rec, rules)
		after, err := jsonOf(&r.Rec)
		if err != nil {
			t.Fatal(err)
		}
		if before != after {
			t.Errorf("%s: judging changed the record", c.Name)
		}
	}
}

func jsonOf(rec *record.Record) (string, error) {
	var out strings.Builder
	err := reports.WriteJSON(&out, rec, verdict.Result{})
	return out.String(), err
}

func TestCatalogueIsJudgedWhole(t *testing.T) {
	c := petstoretest.Catalogue(t)
	rules := c.Rules
	r := fixture.New(t)
	res := verdict.Draw(&r.Rec, rules)
	if len(res.Rules) != len(rules) {
		t.Errorf("%d verdicts for %d rules", len(res.Rules), len(rules))
	}
	for i, v := range res.Rules {
		if v.Rule != rules[i].ID || v.Verdict == "" {
			t.Errorf("verdict %d is %+v, of %s", i, v, rules[i].ID)
		}
	}
}
