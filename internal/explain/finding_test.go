package explain_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/explain"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func findingPage(t *testing.T, v *view.View, f view.Finding) string {
	t.Helper()
	var b strings.Builder
	if err := explain.WriteFinding(&b, v, f, 100, false, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteFinding(t *testing.T) {
	for _, name := range []string{"broken", "hostile", "known", "no exchanges", "undecided"} {
		v := sample.Named(t, name)
		all := v.Findings()
		if len(all) == 0 {
			t.Errorf("%s has no findings", name)
		}
		for _, f := range all {
			text := findingPage(t, v, f)
			label := map[view.Standing]string{view.Failing: "FAIL", view.Warning: "WARN", view.Known: "KNOWN"}[v.Standing(f)]
			for _, want := range []string{label + " ", f.ID, "\nFOUND ", "\nWHY ", "\nFIX ", "expected", "actual"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %q is not in\n%s", name, want, text)
				}
			}
			if !strings.HasPrefix(text, label+" ") {
				t.Errorf("%s: it begins with %.40q", name, text)
			}
			if strings.Contains(text, sample.Key) || strings.ContainsAny(text, "\x1b\u202e") {
				t.Errorf("%s: it has the key, or what steers a terminal:\n%q", name, text)
			}
		}
	}
}

// Of the last run, the command that prints the script stands for it.
func TestWriteFindingNamesTheScript(t *testing.T) {
	v := sample.Broken(t)
	var b strings.Builder
	f := v.Findings()[0]
	if err := explain.WriteFinding(&b, v, f, 100, false, true); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\n      hallmark replay "+f.ID+" --script\n") || strings.Contains(text, "response1=$(") {
		t.Errorf("written:\n%s", text)
	}
}

// What another finding explains says so.
func TestWriteFindingNamesTheCause(t *testing.T) {
	v := sample.Broken(t)
	n := 0
	for _, f := range v.Findings() {
		names := strings.Contains(strings.Join(strings.Fields(findingPage(t, v, f)), " "), "Its likely cause is "+f.Cause.ID)
		if names == f.Leads {
			t.Errorf("%s leads: %t, and names its cause: %t", f.ID, f.Leads, names)
		}
		if names {
			n++
		}
	}
	if n == 0 {
		t.Error("nothing in the sample is explained by another finding")
	}
}
