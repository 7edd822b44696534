package cli_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

func TestReportsValue(t *testing.T) {
	for text, want := range map[string][]string{
		"json:a":                              {"json:a"},
		"json:a,markdown:b":                   {"json:a", "markdown:b"},
		"json:a, markdown:-,junit:by=rule:c":  {"json:a", "markdown:-", "junit:by=rule:c"},
		"json:a,b.json":                       {"json:a,b.json"},
		"json:a,b,bundle:c,d.zip":             {"json:a,b", "bundle:c,d.zip"},
		"json,markdown:b":                     {"json", "markdown:b"},
		"json:a,mardown:b":                    {"json:a", "mardown:b"},
		"json:{2026,1}:x":                     {"json:{2026,1}:x"},
		"junit:by=scenario:a,junit:by=rule:b": {"junit:by=scenario:a", "junit:by=rule:b"},
	} {
		var all []string
		if err := cli.ReportsValue(&all).Set(text); err != nil || !slices.Equal(all, want) {
			t.Errorf("%s: %q %v, want %q", text, all, err, want)
		}
	}
}
