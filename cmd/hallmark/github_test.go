package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// Under GitHub Actions nothing that a record says begins a command of the runner; elsewhere it is shown as it is.
func TestTextIsNoCommand(t *testing.T) {
	rec := *sample.Broken(t).Record
	// As many of them as are needed for one to be the first word of a line.
	rec.Complete, rec.Stopped = false, strings.Repeat("::error::owned ##[error]owned ", 40)
	file := filepath.Join(t.TempDir(), "record.json")
	var text bytes.Buffer
	if err := reports.WriteJSON(&text, &rec, verdict.Draw(&rec, sample.Broken(t).Catalogue.Rules)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", file}, {"compare", file, file}, {"ledger", file}, {"run", "--base-url", "::error::x\n::error::y"}, {"::error::owned ##[x]"}} {
		begun := false
		for _, env := range []map[string]string{{}, {"GITHUB_ACTIONS": "true"}} {
			var out bytes.Buffer
			run(t.Context(), args, func(name string) (string, bool) { v, ok := env[name]; return v, ok }, &out, &out, &memory{})
			for line := range strings.Lines(out.String()) {
				if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
					begun = true
					if len(env) > 0 {
						t.Errorf("%q: the line begins a command: %s", args[0], line)
					}
				}
			}
		}
		if args[0] == "report" && !begun {
			t.Errorf("%q: no line would have begun a command: this shows nothing", args[0])
		}
	}
}
