package cli_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

func TestNearest(t *testing.T) {
	flags := []string{"base-url", "api-key-file", "values-file", "strict", "report", "rule", "run"}
	for word, want := range map[string]string{
		"rnu": "run", "Strict": "strict", "stricct": "strict", "url": "base-url", "baseurl": "base-url", "values": "values-file",
		"reports": "report", "xyz": "", "": "",
	} {
		if got := cli.Nearest(word, flags); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}
