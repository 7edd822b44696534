package text_test

import (
	"testing"

	"hallmark/internal/text"
)

func TestSimilar(t *testing.T) {
	known := []string{"report", "replay", "run"}
	for word, want := range map[string]string{"reprot": "report", "RELAY": "replay", "rn": "run", "mutate": ""} {
		if got := text.Similar(word, known); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
