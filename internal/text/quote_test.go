package text_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestQuote(t *testing.T) {
	long := strings.Repeat("ž", text.MaxQuoted)
	for s, want := range map[string]string{"": `""`, "a\x00": `"a\x00"`, long: `"` + long + `"`, long + "a": `"` + long + `"…`} {
		if got := text.Quote(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for s, want := range map[string]string{
		strings.Repeat("1", 120):                                strings.Repeat("1", 120),
		strings.Repeat("1", 60) + strings.Repeat("2", 61):       strings.Repeat("1", 60) + "…" + strings.Repeat("2", 30),
		"/" + strings.Repeat("ž", 40) + strings.Repeat("y", 60): "/" + strings.Repeat("ž", 29) + "…" + strings.Repeat("y", 30),
	} {
		if got := text.Literal(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
