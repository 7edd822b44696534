package text_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 20, []string{""}},
		{"one two three", 0, []string{"one two three"}},
		{"one two three", 5, []string{"one", "two", "three"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 12, []string{"one two", "three"}},
		{"one two three", 13, []string{"one two three"}},
		{"TITLE  text", 20, []string{"TITLE  text"}},
		{"a " + strings.Repeat("b", 40), 20, []string{"a", strings.Repeat("b", 20), strings.Repeat("b", 20)}},
		{strings.Repeat("b", 40) + " a", 16, []string{strings.Repeat("b", 16), strings.Repeat("b", 16), "bbbbbbbb a"}},
		{strings.Repeat("日", 20), 16, []string{strings.Repeat("日", 8), strings.Repeat("日", 8), strings.Repeat("日", 4)}},
		{"a日本", 1, []string{"a", "日", "本"}},
	} {
		if diff := cmp.Diff(c.want, text.Wrap(c.in, c.width)); diff != "" {
			t.Errorf("%q to %d (-want +got):\n%s", c.in, c.width, diff)
		}
	}
}
