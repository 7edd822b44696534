package session

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// Each ended scenario has its line, even if it ends between two checks; the preflight has one too.
func TestEachEndedScenarioHasItsLine(t *testing.T) {
	r := record.NewRecorder(record.Record{})
	var to bytes.Buffer
	lines := newScenarioLog(&to, r)
	for _, id := range []string{"preflight", "features/a.feature:1", "features/a.feature:2"} {
		r.AddScenario(record.Scenario{ID: id, Outcome: record.Passed})
	}
	lines.write()
	r.AddScenario(record.Scenario{ID: "features/a.feature:3", Outcome: record.Failed})
	lines.write()
	if got := strings.Count(to.String(), "\n"); got != 4 || !strings.Contains(to.String(), "failed   features/a.feature:3") {
		t.Errorf("%d lines, want 4:\n%s", got, to.String())
	}
}
