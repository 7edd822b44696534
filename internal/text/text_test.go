package text_test

import (
	"slices"
	"strings"
	"testing"

	"hallmark/internal/text"
)

func TestPrintable(t *testing.T) {
	if got := text.Printable("a\x1b[31m\nž"); got != "a�[31m�ž" {
		t.Errorf("got %q", got)
	}
}

func TestWrap(t *testing.T) {
	s := "one two three"
	for width, want := range map[int][]string{
		0: {s}, 3: {"one", "two", "three"}, 7: {"one two", "three"}, 12: {"one two", "three"}, 13: {s},
	} {
		if got := text.Wrap(s, width); !slices.Equal(got, want) {
			t.Errorf("within %d: %q, want %q", width, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 rules", 1: "1 rule", 2: "2 rules", 1204: "1204 rules"} {
		if got := text.Count(n, "rule"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestEnumerate(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := text.Enumerate(words, "and"); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for limit, want := range map[int]string{4: "žlu…", 5: "žlutý", 9: "žlutý"} {
		if got := text.Truncate("žlutý", limit); got != want {
			t.Errorf("%d characters: %q, want %q", limit, got, want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for s, want := range map[string]string{"": "''", "a/b=1": "a/b=1", "a b": "'a b'", "it's": `'it'\''s'`} {
		if got := text.ShellQuote(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("ž", text.MaxQuoted)
	for s, want := range map[string]string{"": `""`, "a\x00": `"a\x00"`, long: `"` + long + `"`, long + "a": `"` + long + `"…`} {
		if got := text.Quote(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestMiddle(t *testing.T) {
	for most, want := range map[int]string{5: "žlutý", 4: "žl … tý"} {
		if got := text.Middle("žlutý", most); got != want {
			t.Errorf("%d characters: %q, want %q", most, got, want)
		}
	}
	if got := text.Shorten(strings.Repeat("a", 60) + strings.Repeat("b", 61)); got != strings.Repeat("a", 60)+"…"+strings.Repeat("b", 30) {
		t.Errorf("got %q", got)
	}
}
