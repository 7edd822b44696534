package text_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestShellQuote(t *testing.T) {
	for s, want := range map[string]string{
		"": "''", "a/b=1": "a/b=1", "a b": "'a b'", "it's": `'it'\''s'`, "\ufffd": "'\ufffd'",
		"it's\t\\\n\xff": `$'it\'s\t\\\n\xff'`, "\u202e": `$'\xe2\x80\xae'`,
	} {
		if got := text.ShellQuote(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := text.AlwaysShellQuote("a/b=1"); got != "'a/b=1'" {
		t.Error(got)
	}
}

func TestShellWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                      nil,
		"--a b  --c":            {"--a", "b", "--c"},
		`--a 'b c' --d=''e`:     {"--a", "b c", "--d=e"},
		`'it'\''s' ''`:          {"it's", ""},
		"--base-url 'http://x'": {"--base-url", "http://x"},
	} {
		if got, ok := text.ShellWords(line); !ok || !slices.Equal(got, want) {
			t.Errorf("%s has the words %q, %t", line, got, ok)
		}
	}
	for _, line := range []string{"$HOME", `"a"`, "'a", "a; b", "a && b", "$'\\n'", "a `b`"} {
		if got, ok := text.ShellWords(line); ok {
			t.Errorf("%s has the words %q", line, got)
		}
	}
}
