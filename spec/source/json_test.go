package source

import (
	"strings"
	"testing"
)

// libopenapi reads JSON as YAML. What JSON means and YAML does not, or YAML means otherwise, is read as JSON.
func TestJSONIsReadAsJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"v": "\/\u00e9\ud83d\ude00"}`:   "!!str /é😀",
		`{"v": "\\ud83d \ud83d|\ude00"}`:  "!!str \\ud83d \ufffd|\ufffd",
		"{\"v\": \"a\xffb\"}":             "!!str a\ufffdb",
		"{\"v\": \"\u0085\u2028\ufeff\"}": "!!str \u0085\u2028\ufeff",
		"{\"v\": \"\x7f\\u0000\"}":        "!!str \x7f\x00",
		"{\"v\"\n : 1}":                   "!!int 1",
		"{\"v\"\r\n\t:\r2}\t":             "!!int 2",
		`{"v": 123456789012345678901}`:    "!!int 123456789012345678901",
		`{"v": 1e500}`:                    "!!float 1e500",
		`{"v": -0}`:                       "!!int -0",
		`{"v": 1.50}`:                     "!!float 1.50",
		`{"v": "1e500"}`:                  "!!str 1e500",
		`{"<<": {"w": 1}, "v": "yes"}`:    "!!str yes",
		`{"a": [1, "]"], "v": null}`:      "!!null null",
	} {
		d, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if n := d.Node("/v"); n == nil || n.ShortTag()+" "+n.Value != want || d.Exists("/w") {
			t.Errorf("%q is read as %+v, want %q", text, n, want)
		}
		if line := d.Line("/v"); line != 1 {
			t.Errorf("%q: v is in line %d", text, line)
		}
	}
	d := mustParse(t, "{\n\"a\"\n:\n{\"b\\u2028\":\n1,\n\"c\": \"\u2028\"}}")
	if a, b, c := d.Line("/a"), d.Line("/a/b\u2028"), d.Line("/a/c"); a != 2 || b != 4 || c != 6 {
		t.Errorf("the lines are %d, %d and %d", a, b, c)
	}
}

// Of several documents in a file the first counts, whatever is wrong with the others.
func TestLaterDocumentsDoNotCount(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n---\n{{ template }}: [\n":      "",
		"# first\n---\na: |\n  1\n---\n\t}\n": "",
		"a: 1\n---\nb: 2\n":                   "",
		"a: [\n---\nb: 2\n":                   "line 1: it is not YAML: it ends too early",
		"{\"a\": 1} and more":                 "line 1",
	} {
		d, err := Parse([]byte(text))
		switch {
		case want != "":
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", text, err)
			}
		case err != nil:
			t.Errorf("%q: %v", text, err)
		case strings.TrimSpace(d.Text("/a")) != "1" || len(d.Remarks()) != 1:
			t.Errorf("%q: %q, %v", text, d.Text("/a"), d.Remarks())
		}
	}
}
