package text_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 rules are", 1: "1 rule is", 2: "2 rules are", 1204: "1,204 rules are"} {
		if got := text.Count(n, "rule") + " " + text.Are(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := text.Were(1) + " " + text.Were(2); got != "was were" {
		t.Error(got)
	}
}

func TestWithArticle(t *testing.T) {
	for word, want := range map[string]string{"array": "an array", "number": "a number"} {
		if got := text.WithArticle(word); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
