package prose_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/reports/prose"
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
		if got := prose.Visible(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{strings.Repeat("a", 100), 100, strings.Repeat("a", 100)},
		{"begin" + strings.Repeat("-", 1000) + "end", 40, "begin------ … (1,008 characters) … --end"},
		{strings.Repeat("é", 50), 1, "éééééé … (50 characters) … éé"},
		{"aaaaaaaa", 2, "aaaaaaaa"},
	} {
		if got := prose.Cut(c.in, c.limit); got != c.want {
			t.Errorf("%.20q to %d: %s, want %s", c.in, c.limit, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 20, []string{""}},
		{"one two", 20, []string{"one two"}},
		{"one two three four five", 16, []string{"one two three", "four five"}},
		{"a " + strings.Repeat("b", 40), 20, []string{"a", strings.Repeat("b", 20), strings.Repeat("b", 20)}},
		{strings.Repeat("b", 40) + " a", 16, []string{strings.Repeat("b", 16), strings.Repeat("b", 16), "bbbbbbbb a"}},
		{strings.Repeat("日", 20), 16, []string{strings.Repeat("日", 8), strings.Repeat("日", 8), strings.Repeat("日", 4)}},
	} {
		if diff := cmp.Diff(c.want, prose.Wrap(c.in, c.width)); diff != "" {
			t.Errorf("%q to %d (-want +got):\n%s", c.in, c.width, diff)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -12: "-12"} {
		if got := prose.Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := prose.Plural(1, "scenario") + " " + prose.Plural(0, "scenario") + " " + prose.Plural(1200, "scenario"); got != "1 scenario 0 scenarios 1,200 scenarios" {
		t.Error(got)
	}
}
