package view_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func TestFindings(t *testing.T) {
	v := sample.Broken(t)
	all, seen, counted := v.Findings(), map[string]bool{}, 0
	for i, f := range all {
		if seen[f.ID] || f.ID != f.Example.ID() || f.Count < 1 || f.Scenario == nil || f.Rerun == "" {
			t.Errorf("%+v", f)
		}
		if seen[f.ID] = true; f.Leads && i > 0 && !all[i-1].Leads {
			t.Errorf("%s leads a cause, and follows one that does not", f.ID)
		}
		counted += f.Count
	}
	want := 0
	for _, c := range v.Result.Causes {
		want += c.Findings
	}
	if counted != want || want == 0 {
		t.Errorf("%d of %d findings of the causes are counted", counted, want)
	}
}

func TestWithID(t *testing.T) {
	all := []view.Finding{{ID: "f123456789"}, {ID: "f12a456789"}, {ID: "f200000000"}}
	for start, want := range map[string]int{"f": 3, "f12": 2, "f123": 1, "f123456789": 1, "f1234567890": 0, "f3": 0} {
		if got := view.WithID(all, start); len(got) != want {
			t.Errorf("%s: %v", start, got)
		}
	}
}
