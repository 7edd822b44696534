package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// A service that answers only with server errors has one defect; one that answers one operation properly has one
// for each of the others.
func TestServicesThatFailThroughout(t *testing.T) {
	operations := []string{"addBook", "listBooks", "readBook", "removeBook"}
	for _, c := range []struct {
		name     string
		statuses []int
		causes   int
		because  string
	}{
		{"500 to all", []int{500, 500, 500, 500}, 1, "the service answers 500 to everything: 5 requests to 4 operations"},
		{"500 or 505 to all", []int{505, 500, 500, 500}, 1, "the service answers 500 or 505 to everything: 5 requests to 4 operations"},
		{"one succeeds", []int{500, 500, 500, 204}, 3, "3 must rules are violated"},
		{"one is refused", []int{500, 500, 401, 500}, 3, "3 must rules are violated"},
		{"a gateway's", []int{502, 502, 502, 502}, 4, "4 must rules are violated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := record.Record{Complete: true, Exercised: map[string]int{}}
			var rules []spec.Rule
			for i, op := range operations {
				rule := op + ".no-server-error"
				rules = append(rules, spec.Rule{ID: rule, Level: spec.Must, Operations: []string{op}, Cases: []string{"no-server-error"}})
				rec.Exercised[rule] = 1
				s := record.Scenario{ID: "derived/" + op + ".feature:1", Outcome: record.Passed, Rules: []string{rule}, Exchanges: []int{i + 1}}
				if c.statuses[i] >= 500 {
					s.Outcome = record.Failed
					s.Findings = []spec.Finding{{
						Rule: rule, Operation: op, Kind: spec.KindStatus, Expected: phrase.Of("no server error (5xx)"), Actual: phrase.Of("status {}", phrase.Status(c.statuses[i])),
						Status: c.statuses[i], Exchanges: []int{i + 1}, Cause: rule,
					}}
				}
				rec.Scenarios = append(rec.Scenarios, s)
				rec.Exchanges = append(rec.Exchanges, spec.Exchange{Seq: i + 1, Operation: op, Response: &spec.Response{Status: c.statuses[i]}})
			}
			// A request to no operation counts as a request, and as nothing else.
			rec.Exchanges = append(rec.Exchanges, spec.Exchange{Seq: len(operations) + 1, Response: &spec.Response{Status: c.statuses[1]}})
			res := verdict.Draw(&rec, rules)
			if len(res.Causes) != c.causes || res.ExitCode != verdict.ExitViolated || !strings.HasPrefix(res.Because, c.because) {
				t.Errorf("%d causes, exit code %d: %s", len(res.Causes), res.ExitCode, res.Because)
			}
		})
	}
}
