package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é, 日本, 😀":    "plain, é, 日本, 😀",
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\x1b[31mred\x1b[0m": `\x1b[31mred\x1b[0m`,
		"\x00\x7f\u0085":     `\x00\x7f\u0085`,
		"\u202eevil\u2066":   `\u202eevil\u2066`,
		"\u200b\ufeff\u2028": `\u200b\ufeff\u2028`,
		"\u00a0":             `\u00a0`,
		"\xff\xfe":           `\xff\xfe`,
		"\ufffd":             "\ufffd",
		"":                   "",
	} {
		if got := text.Visible(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if again := text.Visible(want); again != want {
			t.Errorf("%s becomes %s when it is made visible twice", want, again)
		}
		if got := text.IsVisible(in); got != (in == want) {
			t.Errorf("%q is visible: %t", in, got)
		}
	}
}

func TestShort(t *testing.T) {
	got := text.Short(strings.Repeat("\x00é", 1000))
	if n := utf8.RuneCountInString(got); n != 240 || !strings.HasPrefix(got, `\x00é`) || !strings.Contains(got, "(5,000 characters)") {
		t.Errorf("%d characters: %s", n, got)
	}
}
