package syntax_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text/syntax"
)

func TestYAML(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a tab", "a:\n\tb: 1\n", "it is not YAML: the indentation contains a tab; use spaces, in line 2, column 1"},
		{"a tab later", "a:\n  b: 1\n  \tc: 2\n  d: e: f", "it is not YAML: the indentation contains a tab; use spaces, in line 3, column 3"},
		{"a missing colon", "a: 1\nb\nc: 2\n", "it is not YAML: a : is missing after the key that begins here, in line 2, column 1"},
		{"a missing colon above", "paths:\n  /a\n    get: {}\n", "it is not YAML: a : is missing after the key that begins here, in line 2, column 3"},
		{"a missing space", "key:value\nb: 2\n", "it is not YAML: a space is missing after the :, in line 1, column 4"},
		{"a second colon", "title: Pets: all\n", "it is not YAML: a second : stands in this line; put the text that contains it into quotes, in line 1, column 12"},
		{"an open quote", "a: \"x\nb: 1\n", "it is not YAML: the quoted text that begins here is not closed, in line 1, column 4"},
		{"an open quote before ---", "a: 'x\n---\nb'\n", "it is not YAML: the quoted text that begins here is not closed, in line 1, column 4"},
		{"a quote within", "a: 'x'y'\n", "it is not YAML: something follows the end of a quoted text or of a bracket; put the whole text into quotes, in line 1, column 7"},
		{"an open bracket", "a: [1, 2\nb: 1\n", "it is not YAML: the [ of line 1, column 4 is not closed, or a comma is missing, in line 2, column 2"},
		{"an open brace", "a: {b: 1\nc: 2\n", "it is not YAML: the { of line 1, column 4 is not closed, or a comma is missing, in line 2, column 2"},
		{"cut short", "a: [1, ", "it is not YAML: it ends too early: a bracket is not closed, in line 1, column 7"},
		{"cut short in an object", "{'a': 1", "it is not YAML: the { of line 1, column 1 is not closed, or a comma is missing, in line 1, column 8"},
		{"a bracket too much", "a: 1\n]\n", "it is not YAML: the ] closes nothing, in line 2, column 1"},
		{"a bracket too much in a line", "a: [b]]\n", "it is not YAML: the ] closes nothing, in line 1, column 7"},
		{"less indentation", "info:\n  title: T\n version: 1\n", "it is not YAML: a key (name: value) is expected, with the indentation of the keys above, in line 3, column 2"},
		{"more indentation", "a: 1\n  b: 2\n", "it is not YAML: this line is indented more than the key above, which has a value already, in line 2, column 3"},
		{"a key in a list", "- a\nb: c\n", "it is not YAML: an entry of the list above (- …) is expected, or another indentation, in line 2, column 1"},
		{"an entry in a line", "a: - b\n", "it is not YAML: a list must not begin in the line of its key; put the - into the next line, or the text into quotes, in line 1, column 4"},
		{"an at sign", "a: @x\n", "it is not YAML: a text must not begin with @; put it into quotes, in line 1, column 4"},
		{"an asterisk", "a: *x\n", "it is not YAML: the anchor after * does not exist; put a text that begins with * into quotes, in line 1, column 4"},
		{"an asterisk alone", "a: * x\n", "it is not YAML: a text must not begin with * or &; put it into quotes, in line 1, column 4"},
		{"an exclamation mark", "a: !x!y z\n", "it is not YAML: a tag is unknown or malformed; put a text that begins with ! into quotes, in line 1, column 4"},
		{"an escape", "a: \"\\q\"\n", `it is not YAML: there is no such escape; write \\ for a backslash, or put the text into single quotes, in line 1, column 5`},
		{"a block", "a: |x\n  y\n", "it is not YAML: after | or > nothing but +, - and a digit may stand; the text begins in the next line, in line 1, column 5"},
		{"a directive", "%YAML 3.0\n---\na: 1", "it is not YAML: a line that begins with % is a directive, and this one is unknown; put a text that begins with % into quotes, in line 1, column 1"},
		{"a value missing", "a: ]\n", "it is not YAML: nothing is expected to end with ] here, in line 1, column 4"},
		{"a NUL byte", "a: \x00b\n", "it is not YAML: it contains the control character U+0000, in line 1, column 4"},
		{"no UTF-8", "a: ä\nb: \xff\n", "it is not YAML: it contains the byte 0xff, which is not UTF-8, in line 2, column 4"},
		{"a byte order mark", "\ufeffa: [\n", "it is not YAML: it ends too early: a bracket is not closed, in line 1, column 5"},
		{"wide letters", "ä: 'ö' ü\n", "it is not YAML: something follows the end of a quoted text or of a bracket; put the whole text into quotes, in line 1, column 8"},
		{"JSON", "{\"a\": [1, 2}\n", "it is not JSON: the \"[\" of line 1, column 7 is closed by \"}\", in line 1, column 12"},
		{"JSON with a NUL byte", "{\"a\": \"\x00\"}", "it is not JSON: it contains the control character U+0000, in line 1, column 8"},
	} {
		if err := yaml.Unmarshal([]byte(c.text), new(yaml.Node)); err == nil {
			t.Errorf("%s: the parser reads it", c.name)
		}
		if got := syntax.YAML([]byte(c.text)).Error(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", " \n", "it is empty"},
		{"a byte order mark", "\ufeff{}", "it begins with a byte order mark; save it as UTF-8 without one, in line 1, column 1"},
		{"a trailing comma", "{\"a\": 1,\n}", `there is a comma before the closing "}", in line 1, column 8`},
		{"a trailing comma in a list", "[1,\n 2, ]", `there is a comma before the closing "]", in line 2, column 3`},
		{"single quotes around a name", "{'a': 1}", "a name stands in single quotes; write double ones, in line 1, column 2"},
		{"single quotes around a value", `{"a": 'b'}`, "a text stands in single quotes; write double ones, in line 1, column 7"},
		{"no quotes around a name", "{a: 1}", "a name in double quotes is expected, not a, in line 1, column 2"},
		{"no quotes around a value", `{"a": b}`, "b is no value; a text stands in double quotes, in line 1, column 7"},
		{"a missing colon", `{"a" 1}`, "a : is missing after the name a, in line 1, column 6"},
		{"a missing comma", "{\"a\": 1\n \"b\": 2}", "a comma is missing before the next text, in line 2, column 2"},
		{"a missing comma in a list", "[1 2]", "a comma is missing before 2, in line 1, column 4"},
		{"an open text", "{\"a\": \"b\n}", "the text that begins here is not closed in its line, in line 1, column 7"},
		{"an open text at the end", `{"a": "b`, "the text that begins here is not closed, in line 1, column 7"},
		{"an open bracket", "{\"a\": [1,\n 2}", `the "[" of line 1, column 7 is closed by "}", in line 2, column 3`},
		{"cut short after a name", "{\n\"a\"", `it ends too early: the "{" of line 1, column 1 is not closed, in line 2, column 4`},
		{"cut short after a colon", `{"a":`, `it ends too early: the "{" of line 1, column 1 is not closed, in line 1, column 6`},
		{"cut short after a value", "[[1]\n", `it ends too early: the "[" of line 1, column 1 is not closed, in line 1, column 5`},
		{"cut short after a comma", "[1,", `it ends too early: the "[" of line 1, column 1 is not closed, in line 1, column 4`},
		{"a bracket too much", "{}}", "something follows after its end, in line 1, column 3"},
		{"a value missing", `{"a": }`, `a value is missing before "}", in line 1, column 7`},
		{"a comment", "{\"a\": 1 // one\n}", "JSON has no comments, in line 1, column 9"},
		{"a comment first", "# one\n{}", "JSON has no comments, in line 1, column 1"},
		{"Python", `{"a": True}`, "True must be written true, in line 1, column 7"},
		{"Python's None", `{"a": None}`, "None must be written null, in line 1, column 7"},
		{"a leading zero", `[01]`, "01 is no number, in line 1, column 2"},
		{"no number", `[NaN]`, "NaN is no value; a text stands in double quotes, in line 1, column 2"},
		{"an escape", `["\q"]`, `\q is no escape; write \\ for a backslash, in line 1, column 3`},
		{"a short escape", `["\u12"]`, `after \u four hexadecimal digits are expected, in line 1, column 3`},
		{"a tab in a text", "[\"a\tb\"]", `a text contains the control character U+0009; write it as \u0009, in line 1, column 4`},
		{"a NUL byte", "{\"a\": \x00}", "it contains the control character U+0000, in line 1, column 7"},
		{"no UTF-8", "[\"ä\xff\"]", "it contains the byte 0xff, which is not UTF-8, in line 1, column 4"},
		{"YAML", "a: 1\n", "a is no value; a text stands in double quotes, in line 1, column 1"},
		{"great depth", strings.Repeat("[", 20_000), "it is nested deeper than 10000 levels, in line 1, column 10002"},
	} {
		err := syntax.JSON([]byte(c.text))
		if err == nil || err.Error() != "it is not JSON: "+c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// What encoding/json reads is JSON, and nothing else.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a": [1, -2.5e+3, true, false, null, "x\u00e4\n\/"], "b": {}}`, "[]", " 0 ", `"x"`, "[1,]", "{\"a\":1 \"b\"}", "[\"\x7f\"]", "tru", "-", "[1e]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		wrong := syntax.JSON(data)
		if valid := json.Valid(data); valid != (wrong == nil) && !strings.Contains(wrong.Error(), "not UTF-8") {
			t.Errorf("%q: valid is %v, and the mistake %v", data, valid, wrong)
		}
	})
}

func TestDecoding(t *testing.T) {
	var into struct {
		Name  string
		Count int
		Good  bool
		All   []string
		Inner struct{ Share float64 }
	}
	for text, want := range map[string]string{
		``:                             "it ends too early",
		`{"Name":`:                     "it ends too early",
		`{"Name": <`:                   "a value is expected, not '<'",
		`{Name: 1}`:                    "a name in double quotes is expected, not 'N'",
		`{"Name" 1}`:                   "a : is expected, not '1'",
		`{"Name": "a" "b"}`:            "a comma or } is expected, not '\"'",
		`{"All": ["a" "b"]}`:           "a comma or ] is expected, not '\"'",
		`{} {}`:                        "something follows after its end",
		`{"Count": -x}`:                "a number contains 'x'",
		`{"Name": "\q"}`:               "an escape contains 'q'",
		"{\"Name\": \"\n\"}":           `a text contains '\n' unescaped, or is not closed`,
		`{"Good": tru}`:                "a word is neither true, false nor null",
		`{"Name": 1}`:                  "its member Name is a number, where a text is expected",
		`{"Count": "x"}`:               "its member Count is a text, where a whole number is expected",
		`{"Count": 1.5}`:               "its member Count is a number, where a whole number is expected",
		`{"Good": []}`:                 "its member Good is a list, where true or false is expected",
		`{"All": {}}`:                  "its member All is an object, where a list is expected",
		`{"Inner": {"Share": "half"}}`: "its member Inner.Share is a text, where a number is expected",
		`{"Inner": true}`:              "its member Inner is true or false, where an object is expected",
		`[]`:                           "it is a list, where an object is expected",
	} {
		err := json.Unmarshal([]byte(text), &into)
		if err == nil {
			t.Errorf("%s: it is read", text)
		} else if got := syntax.Decoding(err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestConstructing(t *testing.T) {
	var into struct {
		A string
		B int
		C []string
		D map[string]string
		E bool
	}
	for text, want := range map[string]string{
		"a: x\nb: y":     "a number is expected, not a text",
		"a: x\nc: 1":     "a list is expected, not a number",
		"a: x\nd: [1]":   "a map is expected, not a list",
		"a: x\ne: maybe": "true or false is expected, not a text",
		"b: 1\na: {}":    "a text is expected, not a map",
		"a: 1\na: 2":     "the key a is repeated; it stands in line 1, too",
	} {
		err := yaml.Unmarshal([]byte(text), &into)
		if err == nil {
			t.Errorf("%s: it is read", text)
		} else if line, got := syntax.Constructing(err); line != 2 || got != want {
			t.Errorf("%s:\n got %d, %s\nwant 2, %s", text, line, got, want)
		}
	}
}
