package examples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"
)

// TestDocsDeviations compares the tables of the documentation with the lists of deviations. UPDATE_DOCS=1 writes them.
func TestDocsDeviations(t *testing.T) {
	const begin, end = "<!-- deviations -->\n", "<!-- end -->\n"
	page := filepath.Join("..", "docs", "services-of-others.md")
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(content), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no place for the deviations", page)
	}
	var table strings.Builder
	for _, service := range []struct{ folder, name string }{{"powerdns", "PowerDNS"}, {"alertmanager", "Alertmanager"}} {
		text, err := os.ReadFile(filepath.Join(service.folder, "deviations.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var all []struct{ Rule, Message, Reason string }
		if err := yaml.Unmarshal(text, &all); err != nil || len(all) == 0 {
			t.Fatalf("%s: %d deviations, %v", service.folder, len(all), err)
		}
		if !strings.Contains(before, fmt.Sprintf("| %d |\n", len(all))) {
			t.Errorf("%s does not say that %s has %d known violations", page, service.name, len(all))
		}
		table.WriteString("\n### " + service.name + "\n\n| Rule | What was seen | Why it is accepted |\n|---|---|---|\n")
		for _, d := range all {
			table.WriteString("| `" + d.Rule + "` | " + d.Message + " | " + d.Reason + " |\n")
		}
	}
	table.WriteString("\n")
	fresh := before + begin + table.String() + end + after
	if fresh == string(content) {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("%s lists other deviations than examples/*/deviations.yaml; make docs brings it up to date", page)
	}
	if err := os.WriteFile(page, []byte(fresh), 0o600); err != nil {
		t.Fatal(err)
	}
}
