package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// covered are two operations: one that was judged, with one of its two statuses, and one that was refused.
func covered() *record.Coverage {
	return &record.Coverage{Operations: []record.OperationCoverage{
		{
			Operation: "list", Judgements: record.Judgements{Right: 2}, Succeeded: 2,
			Statuses: []record.ElementCoverage{{Name: "200", Judgements: record.Judgements{Right: 2}}, {Name: "400"}},
		},
		{
			Operation: "add", Judgements: record.Judgements{Seen: 3}, Unsuccessful: []record.Tallied{{Name: "409", Count: 2}, {Name: "400", Count: 1}},
			Statuses:   []record.ElementCoverage{{Name: "201"}, {Name: "409", Judgements: record.Judgements{Right: 2}}},
			Parameters: []record.ElementCoverage{{Name: "query dry", Judgements: record.Judgements{Seen: 1}}},
		},
	}}
}

func TestRequireCoverage(t *testing.T) {
	rules := []spec.Rule{{ID: "a", Level: spec.Must}}
	for name, test := range map[string]struct {
		required map[record.Dimension]float64
		shard    string
		unknown  bool
		exit     int
		says     string
	}{
		"nothing":          {},
		"what is there":    {required: map[record.Dimension]float64{record.Operations: 50, record.Statuses: 50}},
		"what is not":      {required: map[record.Dimension]float64{record.Operations: 50.5}, exit: verdict.ExitIncomplete, says: "only 1 of 2 operations (50 %) were judged, which is less than --require-coverage operations=50.5"},
		"a refused one":    {required: map[record.Dimension]float64{record.Parameters: 1}, exit: verdict.ExitIncomplete, says: "only 0 of 1 parameters (0 %)"},
		"both":             {required: map[record.Dimension]float64{record.Statuses: 51, record.Operations: 51}, exit: verdict.ExitIncomplete, says: "operations=51,statuses=51"},
		"of nothing":       {required: map[record.Dimension]float64{record.MediaTypes: 100}},
		"of a shard":       {required: map[record.Dimension]float64{record.Operations: 100}, shard: "1/2"},
		"of what is known": {required: map[record.Dimension]float64{record.Operations: 1}, unknown: true, exit: verdict.ExitIncomplete, says: "it is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := record.Record{
				Complete: true, Scenarios: []record.Scenario{{ID: "f:1", Rules: []string{"a"}, Outcome: record.Passed}}, Exercised: map[string]int{"a": 1},
				Options: record.Options{RequireCoverage: test.required, Shard: test.shard}, Coverage: covered(),
			}
			if test.unknown {
				rec.Coverage = nil
			}
			res := verdict.Draw(&rec, rules)
			if res.ExitCode != test.exit || !strings.Contains(res.Because, test.says) || test.exit != 0 && res.Verdict != verdict.Partial {
				t.Errorf("exit code %d, %s: %s", res.ExitCode, res.Verdict, res.Because)
			}
		})
	}
}

// A coverage that is too low is told beside a violation, too.
func TestRequireCoverageBesideAViolation(t *testing.T) {
	rec := record.Record{
		Complete: true, Exercised: map[string]int{"a": 1}, Coverage: covered(), Options: record.Options{RequireCoverage: map[record.Dimension]float64{record.Operations: 100}},
		Scenarios: []record.Scenario{{ID: "f:1", Rules: []string{"a"}, Outcome: record.Failed, Findings: []spec.Finding{{Rule: "a", Cause: "x"}}}},
	}
	res := verdict.Draw(&rec, []spec.Rule{{ID: "a", Level: spec.Must}})
	if want := "1 must rule is violated; besides, only 1 of 2 operations (50 %) were judged"; res.ExitCode != verdict.ExitViolated || !strings.HasPrefix(res.Because, want) {
		t.Errorf("exit code %d: %s", res.ExitCode, res.Because)
	}
	rec.Complete = false
	if res = verdict.Draw(&rec, []spec.Rule{{ID: "a", Level: spec.Must}}); strings.Contains(res.Because, "besides") {
		t.Errorf("of a run that ended early: %s", res.Because)
	}
}

// Which operations succeeded is the same for the verdict and for the coverage.
func TestCoveredOperationsSucceeded(t *testing.T) {
	rules := []spec.Rule{
		{ID: "a", Level: spec.Must, Operations: []string{"list"}}, {ID: "b", Level: spec.Must, Operations: []string{"add"}},
		{ID: "c", Level: spec.Must, Operations: []string{"remove"}},
	}
	rec := record.Record{Complete: true, Exercised: map[string]int{"a": 1}, Coverage: covered()}
	res := verdict.Draw(&rec, rules)
	if res.ExitCode != verdict.ExitIncomplete || !strings.Contains(res.Because, "only 1 of 3 operations was seen to succeed") {
		t.Errorf("exit code %d: %s", res.ExitCode, res.Because)
	}
	rec.Coverage.Operations = rec.Coverage.Operations[1:] // all was refused
	if res = verdict.Draw(&rec, rules); res.ExitCode != verdict.ExitUnjudged {
		t.Errorf("exit code %d: %s", res.ExitCode, res.Because)
	}
}

func TestCoverageReasons(t *testing.T) {
	refused := func(statuses ...record.Tallied) record.OperationCoverage {
		return record.OperationCoverage{Operation: "add", Judgements: record.Judgements{Seen: 1}, Unsuccessful: statuses}
	}
	never := record.OperationCoverage{Operation: "add"}
	for name, test := range map[string]struct {
		rec  record.Record
		op   record.OperationCoverage
		want string
	}{
		"judged":        {op: record.OperationCoverage{Operation: "add", Judgements: record.Judgements{Broken: 1}}},
		"no credential": {rec: record.Record{Uncalled: []record.Uncalled{{Operation: "add", Reason: "no credential is given for it; set KEY", Remedy: "set KEY"}}}, op: never, want: "no credential is given for it; set KEY"},
		"refused":       {op: refused(record.Tallied{Name: "409", Count: 2}, record.Tallied{Name: "400", Count: 1}), want: "never succeeded: 409 (2 responses), 400 (1 response)"},
		"with its body": {
			rec: record.Record{Exchanges: []spec.Exchange{{Operation: "add", Response: &spec.Response{Status: 409, Body: []byte("busy")}}}},
			op:  refused(record.Tallied{Name: "409", Count: 2}), want: "never succeeded: 409 (2 responses); the last 409: busy",
		},
		"conditional":    {op: refused(record.Tallied{Name: "428", Count: 2}), want: "never succeeded: 428 (2 responses); 428 needs If-Match"},
		"locked":         {op: refused(record.Tallied{Name: "403", Count: 2}), want: "never succeeded: 403 (2 responses); check the credentials"},
		"a hole":         {rec: record.Record{Unjudged: []record.Unjudged{{Remark: record.Remark{Line: 9, Text: "it is binary", Operations: []string{"add"}}}}}, op: record.OperationCoverage{Operation: "add", Judgements: record.Judgements{Seen: 1}, Succeeded: 1}, want: "its responses could not be judged: line 9: it is binary"},
		"skipped":        {rec: record.Record{Scenarios: []record.Scenario{{Outcome: record.Skipped, Reason: "no more may be created", Operations: []string{"add"}}}}, op: never, want: "no more may be created"},
		"in traffic":     {rec: record.Record{Traffic: &record.Traffic{}}, op: never, want: "the traffic has no request of it"},
		"a limit":        {rec: record.Record{Stopped: "the run reached its limit"}, op: never, want: "the run reached its limit"},
		"not selected":   {rec: record.Record{Complete: true, Options: record.Options{Operations: []string{"list"}}}, op: never, want: "none of its scenarios was selected"},
		"without reason": {rec: record.Record{Complete: true}, op: never, want: "no request of it was sent"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := verdict.NewCoverageReasons(&test.rec).Operation(&test.op); got != test.want {
				t.Errorf("%q, not %q", got, test.want)
			}
		})
	}
}

// What was judged has no reason, and everything else has one.
func TestCoverageReasonsOfParts(t *testing.T) {
	all := covered()
	reasons := verdict.NewCoverageReasons(&record.Record{
		Complete: true, Document: &record.Document{Budget: &record.Budget{Operations: []string{"list"}}},
	})
	list, add := &all.Operations[0], &all.Operations[1]
	for want, got := range map[string]string{
		"":                               reasons.Status(list, &list.Statuses[0]),
		"no response had it; cases were": reasons.Status(list, &list.Statuses[1]),
		"never succeeded: 409":           reasons.Status(add, &add.Statuses[0]),
		"never succeeded: 409 (2":        reasons.Parameter(add, &add.Parameters[0]),
		"no response had it: a run":      reasons.Status(list, &record.ElementCoverage{Name: "500"}),
	} {
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q does not begin with %q", got, want)
		}
	}
	if got := reasons.Status(add, &add.Statuses[1]); got != "" {
		t.Errorf("a refusal that was judged is covered, but %s", got)
	}
}
