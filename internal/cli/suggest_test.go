package cli_test

import (
	"testing"

	"hallmark/internal/cli"
)

func TestNearest(t *testing.T) {
	flags := []string{"base-url", "api-key-file", "category-id", "strict", "report", "rule", "run"}
	for word, want := range map[string]string{
		"rnu": "run", "Strict": "strict", "stricct": "strict", "url": "base-url", "baseurl": "base-url", "category": "category-id",
		"reports": "report", "xyz": "", "": "",
	} {
		if got := cli.Nearest(word, flags); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}
