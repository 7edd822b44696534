package bundled_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/steps"
)

// Reports name scenarios by paths; these must lead to the scenario in the repository.
func TestScenarioIDsArePaths(t *testing.T) {
	own := bundled.Petstore()
	promises, catalogue, err := own.Derived()
	if err != nil {
		t.Fatal(err)
	}
	features, err := own.Features(promises, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := steps.LoadSuite(features, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	scenarios := 0
	for _, f := range loaded.Features {
		file, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(f.Name)))
		if err != nil || string(file) != f.Content {
			t.Errorf("%s is not the file of that name: %v", f.Name, err)
			continue
		}
		lines := strings.Split(f.Content, "\n")
		for _, s := range f.Scenarios {
			scenarios++
			name, line, _ := strings.Cut(s.ID(), ":")
			n, err := strconv.Atoi(line)
			if err != nil || name != f.Name || n < 1 || n > len(lines) || !leads(lines[n-1]) {
				t.Errorf("%q leads to no scenario", s.ID())
			}
		}
	}
	if scenarios < 400 {
		t.Errorf("only %d scenarios", scenarios)
	}
}

// leads reports whether a scenario, or a row of an outline, begins in a line.
func leads(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "Scenario: ") || strings.HasPrefix(line, "| ")
}
