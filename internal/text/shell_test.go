package text_test

import (
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
