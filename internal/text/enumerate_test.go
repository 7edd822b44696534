package text_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestEnumerate(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := text.Enumerate(words, "and"); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
