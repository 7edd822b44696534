package terminal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// coveredOperations returns the coverage of that many operations, of which every third was refused and every third was judged whole.
func coveredOperations(n int) *record.Coverage {
	c := &record.Coverage{}
	for i := range n {
		op := record.OperationCoverage{
			Operation: fmt.Sprintf("operation%d", i), Judgements: record.Judgements{Right: 1}, Succeeded: 1,
			Statuses: []record.ElementCoverage{{Name: "200", Judgements: record.Judgements{Right: 1}}, {Name: "404", Judgements: record.Judgements{Right: 1}}},
		}
		switch i % 3 {
		case 1:
			op.Judgements, op.Succeeded, op.Unsuccessful = record.Judgements{Seen: 1}, 0, []record.Tallied{{Name: "409", Count: 7}}
		case 2:
			op.Statuses[1].Judgements = record.Judgements{}
		}
		c.Operations = append(c.Operations, op)
	}
	return c
}

func TestCoverage(t *testing.T) {
	r := fixture.GoodRun(t)
	r.Rec.Coverage = coveredOperations(6)
	if page := render(t, r, terminal.Look{Width: 100}); !strings.Contains(page, "\nCOVERAGE  operations 4 of 6, statuses 10 of 12\n") || strings.Contains(page, "operation1") {
		t.Errorf("the coverage takes one line:\n%s", page)
	}
	page := render(t, r, terminal.Look{Width: 100, Detail: terminal.Full})
	_, page, _ = strings.Cut(page, "COVERAGE")
	want := `  operations 4 of 6, statuses 10 of 12
      operation1  not judged: never succeeded: 409 (7 responses)
      operation4  not judged: never succeeded: 409 (7 responses)
      operation2  statuses 1 of 2 (never 404)
      operation5  statuses 1 of 2 (never 404)
      2 operations were judged whole
`
	if !strings.HasPrefix(page, want) {
		t.Errorf("it says:\n%s", page)
	}
}

// However many operations there are, those that were not judged at all come first, and the list fits a screen.
func TestCoverageFitsAScreen(t *testing.T) {
	r := fixture.GoodRun(t)
	r.Rec.Coverage = coveredOperations(300)
	page := render(t, r, terminal.Look{Width: 80, Detail: terminal.Full})
	_, page, _ = strings.Cut(page, "COVERAGE")
	page, _, _ = strings.Cut(page, "judged whole")
	lines := strings.Split(page, "\n")
	if len(lines) > 45 || !strings.Contains(lines[1], "not judged") || !strings.Contains(page, "and 160 more (--report coverage") {
		t.Errorf("%d lines:\n%s", len(lines), page)
	}
}
