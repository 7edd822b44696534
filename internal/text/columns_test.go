package text_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "žlutý": 5, "日本": 4, "e\u0301": 1, "😀": 2} {
		if got := text.Columns(s); got != want {
			t.Errorf("%s: %d columns, want %d", s, got, want)
		}
	}
}

func TestPad(t *testing.T) {
	for s, want := range map[string]string{"": "    ", "日": "日  ", "abcd": "abcd", "abcde": "abcde"} {
		if got := text.Pad(s, 4); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestSplitColumns(t *testing.T) {
	for width, want := range map[int][2]string{0: {"", "a日b"}, 1: {"a", "日b"}, 2: {"a", "日b"}, 3: {"a日", "b"}, 9: {"a日b", ""}} {
		if head, rest := text.SplitColumns("a日b", width); head != want[0] || rest != want[1] {
			t.Errorf("%d columns: %q and %q, want %q", width, head, rest, want)
		}
	}
}

func TestTruncateColumns(t *testing.T) {
	for width, want := range map[int]string{7: "日本 go", 6: "日本…", 5: "日本…", 4: "日…", 1: "…"} {
		if got := text.TruncateColumns("日本 go", width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}
