package text_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestSimilar(t *testing.T) {
	known := []string{"report", "replay", "run"}
	for word, want := range map[string]string{"reprot": "report", "RELAY": "replay", "rn": "run", "mutate": ""} {
		if got := text.Similar(word, known); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"report", "run", "reports", "replay"}
	if got, want := text.Nearest("reprots", known, 2), []string{"reports", "report"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := text.Nearest("mutate", known, 2); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
