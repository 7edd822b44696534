package text_test

import (
	"slices"
	"testing"

	"hallmark/internal/text"
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

func TestFoldCommand(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  []string
	}{
		{"run --a b --c d", 15, []string{"run --a b --c d"}},
		{"run --a b --c d", 14, []string{`run --a b \`, "--c d"}},
		{"run --a b --c d", 11, []string{`run --a b \`, "--c d"}},
		{"run --a b --c d", 10, []string{`run \`, `--a b \`, "--c d"}},
		{"run --a b --c d", 1, []string{`run \`, `--a b \`, "--c d"}},
		{"run --a 'x --y' --c d", 9, []string{`run \`, `--a 'x --y' \`, "--c d"}},
		{`run --a 'x'\'' --y' --c d`, 9, []string{`run \`, `--a 'x'\'' --y' \`, "--c d"}},
		{`run --a $'x\' --y' --c d`, 9, []string{`run \`, `--a $'x\' --y' \`, "--c d"}},
		{"run-a-b", 3, []string{"run-a-b"}},
		{"", 3, []string{""}},
	} {
		if got := text.FoldCommand(c.line, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%s in %d columns: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}
