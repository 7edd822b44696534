package text_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestElide(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{strings.Repeat("é", 100), 100, strings.Repeat("é", 100)},
		{"begin" + strings.Repeat("-", 1000) + "end", 40, "begin------ … (1,008 characters) … --end"},
		{strings.Repeat("é", 50), 1, "éééééé … (50 characters) … éé"},
		{"aaaaaaaa", 2, "aaaaaaaa"},
	} {
		if got := text.Elide(c.in, c.limit); got != c.want {
			t.Errorf("%.20q to %d: %s, want %s", c.in, c.limit, got, c.want)
		}
	}
}
