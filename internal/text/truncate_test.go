package text_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestTruncate(t *testing.T) {
	for limit, want := range map[int]string{1: "…", 4: "žlu…", 5: "žlutý", 9: "žlutý"} {
		if got := text.Truncate("žlutý", limit); got != want {
			t.Errorf("%d characters: %q, want %q", limit, got, want)
		}
	}
}

func TestTruncateBytes(t *testing.T) {
	for limit, want := range map[int]string{2: "…", 3: "…", 4: "…", 5: "ž…", 6: "žl…", 7: "žlutý"} {
		if got := text.TruncateBytes("žlutý", limit); got != want {
			t.Errorf("%d bytes: %q, want %q", limit, got, want)
		}
	}
	if got := text.TruncateBytes(strings.Repeat("\x80", 9), 8); got != strings.Repeat("\x80", 5)+"…" {
		t.Errorf("bytes that are no text become %q", got)
	}
}
