package source

import (
	"os"
	"strings"
	"testing"
)

func TestExcerptShowsTheNodeWithItsLine(t *testing.T) {
	text, err := os.ReadFile("../petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(text), "\n")
	cases := []struct{ pointer, first, last string }{
		{"/paths/~1pets/get/parameters/0", "- name: limit", "default: 20"},
		{"/paths/~1pets/get/parameters/0/schema/maximum", "maximum: 100", "maximum: 100"},
		{"/components/schemas/Error/required/1", "required: [code, message, status]", "required: [code, message, status]"},
		{"/security", "security:", "- apiKey: []"},
		{"/components/schemas/PetStatus", "PetStatus:", ""},
	}
	for _, c := range cases {
		e, ok := contract.Excerpt(c.pointer)
		if !ok || len(e.Lines) == 0 {
			t.Errorf("%s: no excerpt", c.pointer)
			continue
		}
		last := e.Lines[len(e.Lines)-1]
		if strings.TrimSpace(e.Lines[0]) != c.first || c.last != "" && strings.TrimSpace(last) != c.last {
			t.Errorf("%s is shown as\n%s", c.pointer, strings.Join(e.Lines, "\n"))
		}
		if got := strings.TrimSpace(all[e.Line-1]); got != c.first {
			t.Errorf("%s is said to stand in line %d, which is %q", c.pointer, e.Line, got)
		}
		if strings.HasPrefix(e.Lines[0], " ") {
			t.Errorf("%s is indented: %q", c.pointer, e.Lines[0])
		}
	}
	if _, ok := contract.Excerpt("/paths/~1dogs"); ok {
		t.Error("a pointer that has no target has an excerpt")
	}
	if e, ok := contract.Excerpt("/paths"); !ok || !e.Cut || len(e.Lines) != excerptLines {
		t.Errorf("/paths is shown in %d lines, cut: %v", len(e.Lines), e.Cut)
	}
}

func TestExcerptFollowsTheLayoutOfTheText(t *testing.T) {
	cases := []struct{ name, text, pointer, want string }{
		{"JSON", "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}", "/a", "\"a\": {\n  \"b\": 1\n},"},
		{"a list as far out as its key", "a:\n- b: 1\n  c: 2\n- d: 3\ne: 4\n", "/a", "a:\n- b: 1\n  c: 2\n- d: 3"},
		{"one item of it", "a:\n- b: 1\n  c: 2\n- d: 3\ne: 4\n", "/a/0", "- b: 1\n  c: 2"},
		{"the end of the text", "a:\n  b: |\n    one\n\n    two\n\n", "/a/b", "b: |\n  one\n\n  two"},
	}
	for _, c := range cases {
		contract, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		e, ok := contract.Excerpt(c.pointer)
		if got := strings.Join(e.Lines, "\n"); !ok || got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}
