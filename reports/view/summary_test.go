package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// What formats say of a run is what the terminal says.
func TestShownAsOnTheTerminal(t *testing.T) {
	v := sample.Broken(t)
	var text strings.Builder
	if err := terminal.Write(&text, v, terminal.Look{Width: 10_000, Detail: terminal.Full}); err != nil {
		t.Fatal(err)
	}
	failing, warning := v.Causes()
	if len(failing)+len(warning) != len(v.Result.Causes) || len(failing) == 0 {
		t.Errorf("%d causes fail and %d warn, of %d", len(failing), len(warning), len(v.Result.Causes))
	}
	parts := []string{strings.Join(v.Scope(), " · "), v.Result.Verdict.Word(), v.Counts(), v.Work(), "seed " + v.Seed()}
	parts = append(parts, failing[0].Extent()...)
	for _, u := range v.Unasked(verdict.NotExercised) {
		parts = append(parts, u.Reason+": "+u.Rules[0].Rule)
	}
	answers := v.Observed()
	for _, r := range v.Asked() {
		parts = append(parts, r.Asks, "→ "+answers[r.ID][0].Answer)
	}
	for _, part := range parts {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the terminal does not say %q", part)
		}
	}
	rules, shown := 0, 0
	for _, a := range v.Areas() {
		rules += a.Rules
		for _, verdict := range v.Columns() {
			shown += a.Counts[verdict]
		}
	}
	if want := len(v.Result.Rules) - v.Result.Count(verdict.Untestable, ""); rules != want || shown != want {
		t.Errorf("the areas hold %d rules and the columns %d, of %d", rules, shown, want)
	}
	if !slices.Contains(v.Columns(), verdict.Violated) {
		t.Error("there is no column of what is violated")
	}
}
