package source_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/source"
)

func TestTextLine(t *testing.T) {
	const yaml = `openapi: 3.1.0
info:
  description: |
    First line.

    Second one here,
    and on. Third.
  folded: >-
    Words that are
    folded into one
    line. Then more.
  plain: A plain text that
    goes on. And ends
    here. Now.
  double: "One line.\nTwo
    lines. Three."
  short: "One. Two."
  anchored: &a |
    Of an anchor.
    The end.
  next:
    On the next line.
    Another.
paths: {}
`
	doc, err := source.Parse([]byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		pointer, word string
		line          int
	}{
		{"/info/description", "First", 4}, {"/info/description", "Second", 6}, {"/info/description", "Third", 7},
		{"/info/folded", "Words", 9}, {"/info/folded", "Then", 11},
		{"/info/plain", "A plain", 12}, {"/info/plain", "And", 13}, {"/info/plain", "Now", 14},
		{"/info/double", "Three", 16}, {"/info/short", "Two", 17}, {"/info/anchored", "The end", 20}, {"/info/next", "Another", 23},
	} {
		text := doc.Text(row.pointer)
		at := strings.Index(text, row.word)
		if at < 0 {
			t.Fatalf("%s does not hold %q: %q", row.pointer, row.word, text)
		}
		if got := doc.TextLine(row.pointer, at); got != row.line {
			t.Errorf("TextLine(%s, %q) = %d, want %d", row.pointer, row.word, got, row.line)
		}
	}
	json, err := source.Parse([]byte("{\n  \"openapi\": \"3.1.0\",\n  \"info\": {\n    \"description\": \"One.\\nTwo.\"\n  }\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := json.TextLine("/info/description", 5); got != 4 {
		t.Errorf("the line in JSON is %d, want 4", got)
	}
	if got := json.TextLine("/info/none", 0); got != 0 {
		t.Errorf("the line of nothing is %d, want 0", got)
	}
}
