package steps

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// A run that reaches a limit keeps its results, says what it left out, and is never green.
func TestRunsThatReachALimit(t *testing.T) {
	for _, n := range []int{1, 2, 40, 400} {
		service := rehearse.NewShop()
		p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests = n })
		if p.err != nil || len(service.Asked) != n || p.rec.Complete || p.rec.Stopped == "" {
			t.Errorf("%d: %v, %d requests, stopped: %q", n, p.err, len(service.Asked), p.rec.Stopped)
		}
		if p.res.ExitCode != verdict.ExitUnjudged || !strings.Contains(p.res.Because, "(--max-requests), and ") ||
			!strings.Contains(p.res.Because, "not completed") || p.res.Verdict != verdict.Partial {
			t.Errorf("%d: %s, exit code %d: %s", n, p.res.Verdict, p.res.ExitCode, p.res.Because)
		}
		done := 0
		for _, s := range p.rec.Scenarios {
			switch {
			case s.Outcome == record.Passed:
				done++
			case s.Outcome == record.Skipped && s.Reason != "":
			default:
				t.Errorf("%d: %s %s: %s", n, s.ID, s.Outcome, s.Reason)
			}
		}
		if n == 400 && done < 20 || len(p.musts(t)) > 0 {
			t.Errorf("%d: %d passed\n%s", n, done, exchangetest.Lines(p.musts(t)))
		}
	}
	// What was found until then counts.
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Header.Set("Content-Type", "text/plain") }
	p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests = 30 })
	if p.res.ExitCode != verdict.ExitViolated || !strings.Contains(p.res.Because, "there may be more") {
		t.Errorf("exit code %d: %s", p.res.ExitCode, p.res.Because)
	}
}

func TestRequestsTellWhoAsks(t *testing.T) {
	service := rehearse.NewShop()
	p := playRun(t, t.Context(), service, func(c *Config) {
		c.ID, c.Correlation = "k3j9x2", "X-Correlation-Id"
		c.Selection.Tags = "@phase:first"
	})
	seen := map[string]bool{}
	for _, a := range service.Asked {
		agent, id := a.Header.Get("User-Agent"), a.Header.Get("X-Correlation-Id")
		if !strings.HasPrefix(agent, "hallmark/test (run k3j9x2; ") || !strings.HasSuffix(agent, ")") {
			t.Fatalf("User-Agent: %s", agent)
		}
		if seen[id] || !strings.HasPrefix(id, "k3j9x2-") {
			t.Fatalf("correlation %q", id)
		}
		seen[id] = true
	}
	for _, ex := range p.rec.Exchanges {
		if !seen[ex.Correlation] || ex.Correlation != ex.Request.Header.Get("X-Correlation-Id") {
			t.Errorf("exchange %d is recorded as %q", ex.Seq, ex.Correlation)
		}
		if line := (record.Target{}).Curl(ex); strings.Contains(line, ex.Correlation) {
			t.Errorf("the line says it again: %s", line)
		}
		if agent := ex.Request.Header.Get("User-Agent"); !strings.Contains(agent, ex.Scenario) {
			t.Errorf("%s asked as %s", ex.Scenario, agent)
		}
	}
}

// TestEveryRuleIsAskedAbout: a rule that no scenario names cannot be selected, and would be judged by chance. A
// rule that is judged on every exchange may lack a scenario, and so may one that the scenarios of another rule
// judge, of which it is a part.
func TestEveryRuleIsAskedAbout(t *testing.T) {
	catalogue, named := rehearse.Must(t, rehearse.Catalogue), rehearse.Must(t, rehearse.Suite).Rules()
	asked := map[string]bool{}
	for id := range named {
		for id != "" && !asked[id] {
			asked[id] = true
			rule, ok := catalogue.Rule(id)
			if !ok {
				t.Errorf("a scenario names %s, which is no rule", id)
			}
			id = rule.Within // a test of a part tests the whole
		}
	}
	byTheWay := map[string]string{"list.status.complete": "list.status.honoured"}
	for _, rule := range catalogue.Rules {
		switch {
		case asked[byTheWay[rule.ID]]:
		case rule.Untestable != "" && named[rule.ID] > 0:
			t.Errorf("%s is said to be untestable, and %d scenarios name it", rule.ID, named[rule.ID])
		case rule.Untestable != "" || asked[rule.ID]:
		case rule.Always:
		default:
			t.Errorf("no scenario tests %s (%s)", rule.ID, rule.Level)
		}
	}
}
