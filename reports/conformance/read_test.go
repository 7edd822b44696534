package conformance

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/tests/sample"
)

func TestReadRefuses(t *testing.T) {
	inYAML, inJSON := written(t, sample.Good(t), nil)
	y, j := string(inYAML), string(inJSON)
	first := func(text, old, with string) string {
		t.Helper()
		out := strings.Replace(text, old, with, 1)
		if out == text {
			t.Fatalf("there is no %q in the report", old)
		}
		return out
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "it is empty"},
		"a word":                {"hello", "it is not a conformance report"},
		"a list":                {"- a", "it is not a conformance report"},
		"a record":              {`{"schema":"hallmark.record/v1"}`, "it is the record of a run"},
		"another kind":          {first(y, "kind: ConformanceReport", "kind: Report"), `its kind is Report`},
		"another version":       {first(y, "hallmark/v2", "hallmark/v3"), `its apiVersion is hallmark/v3`},
		"another kind in JSON":  {first(j, "ConformanceReport", "\\u001b[2J"), `its kind is \x1b[2J`},
		"an unknown member":     {y + "colour: red\n", "the whole: additional properties 'colour' not allowed"},
		"one deep within":       {first(y, "  whole: true", "  whole: true\n  half: true"), "mode: additional properties 'half' not allowed"},
		"a missing member":      {first(y, "because: all 73 must rules conform\n", ""), "missing property 'because'"},
		"a member twice":        {y + "result: conformant\n", "result is given a second time"},
		"one twice in JSON":     {first(j, `"result":`, `"result": "conformant", "result":`), "line 5: a member name is given a second time"},
		"text for a number":     {first(y, "concurrency: 8", "concurrency: '8'"), "mode.concurrency: got string, want integer"},
		"a fraction":            {first(y, "concurrency: 8", "concurrency: 8.5"), "8.5 is not a valid whole number"},
		"a fraction in JSON":    {first(j, `"concurrency": 8`, `"concurrency": 8.5`), "8.5 is not a valid whole number"},
		"an exponent":           {first(j, `"concurrency": 8`, `"concurrency": 1e9`), "1e9 is not a valid whole number"},
		"a huge number":         {first(j, `"concurrency": 8`, `"concurrency": 9007199254740992`), "mode.concurrency: maximum"},
		"a huger number":        {first(j, `"concurrency": 8`, `"concurrency": `+strings.Repeat("9", 5000)), "is not a valid whole number"},
		"an octal number":       {first(y, "concurrency: 8", "concurrency: 0o10"), "0o10 is not a valid whole number"},
		"a number below zero":   {first(y, "concurrency: 8", "concurrency: -8"), "mode.concurrency: minimum"},
		"a number for a text":   {first(y, "version: 1.2.3", "version: 1.2"), "1.2 is not a valid whole number"},
		"null":                  {first(y, "version: 1.2.3", "version:"), "null is not allowed"},
		"null in JSON":          {first(j, `"1.2.3"`, "null"), "null is not allowed"},
		"no date":               {first(y, "date: '20", "date: '3"), "date: "},
		"a date without zone":   {first(y, "Z'\nresult", "'\nresult"), "date: "},
		"no such day":           {first(j, `"date": "20`, `"date": "2026-02-31T00:00:00Z", "x": "20`), "date: "},
		"an alias":              {first(y, "project: petstore", "project: &a petstore") + "colour: *a\n", "must not contain anchors or aliases"},
		"only an anchor":        {first(y, "project: petstore", "project: &a petstore"), "must not contain anchors or aliases"},
		"a merge":               {y + "<<: {result: conformant}\n", "additional properties '<<'"},
		"a tag":                 {first(y, "project: petstore", "project: !!str petstore"), "must not contain tags"},
		"binary":                {first(y, "project: petstore", "project: !!binary aGFsbG8="), "must not contain tags"},
		"a key that is a list":  {y + "[a]: b\n", "plain words"},
		"a key that is tagged":  {y + "!!str a: b\n", "plain words"},
		"two documents":         {y + "---\n" + y, "more than one document"},
		"more behind JSON":      {j + "{}", "there is more behind the report"},
		"half of it":            {j[:len(j)/2], "it is not JSON: it ends too early"},
		"half of it as YAML":    {"kind: [ConformanceReport", "it is not YAML: the [ of line 1, column 7 is not closed"},
		"no UTF-8":              {first(j, "petstore", "pet\xffstore"), "which is not UTF-8"},
		"no UTF-8 in YAML":      {first(y, "petstore", "pet\xffstore"), "it is not YAML: it contains the byte 0xff, which is not UTF-8"},
		"depth":                 {"{" + strings.Repeat(`"a":{`, 10_000), "nested deeper"},
		"depth in lists":        {`{"a":` + strings.Repeat(`[`, 10_000), "nested deeper"},
		"depth in YAML":         {"a: " + strings.Repeat("[", 50) + strings.Repeat("]", 50), "nested deeper"},
		"great depth in YAML":   {"a: " + strings.Repeat("[", 100_000), "it is not YAML: it is nested too deeply"},
		"a bomb":                {bomb(), "must not contain anchors or aliases"},
		"a signature alone":     {y + "signature: {algorithm: ed25519, key: unknown, value: " + strings.Repeat("A", 86) + "==}\n", "expires"},
		"another algorithm":     {y + "signature: {algorithm: none, key: unknown, value: " + strings.Repeat("A", 86) + "==}\n", "signature.algorithm"},
		"an expiry without one": {y + "expires: '2027-01-01T00:00:00Z'\n", "signature"},
	} {
		_, err := read([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "\x1b") || !utf8.ValidString(err.Error()) || len(err.Error()) > 3000) {
			t.Errorf("%s: the error is raw or long: %.200q", name, err.Error())
		}
	}
	for name, text := range map[string]string{"YAML": y, "JSON": j, "a mark of the byte order": "\ufeff" + y} {
		if _, err := read([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bomb is a text whose aliases expand to a billion words.
func bomb() string {
	text := "kind: ConformanceReport\na0: &a0 [" + strings.Repeat("x, ", 9) + "x]\n"
	for i := 1; i < 10; i++ {
		n := string(rune('0' + i))
		before := "*a" + string(rune('0'+i-1))
		text += "a" + n + ": &a" + n + " [" + strings.Repeat(before+", ", 9) + before + "]\n"
	}
	return text
}

func TestReadTextIsBounded(t *testing.T) {
	if _, err := ReadText(bytes.NewReader(make([]byte, maxText+1))); err == nil || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Errorf("got %v", err)
	}
	if text, err := ReadText(bytes.NewReader(make([]byte, maxText))); err != nil || len(text) != maxText {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
}

// No input makes the reader panic, and everything it accepts can be checked.
func FuzzRead(f *testing.F) {
	inYAML, inJSON := written(f, sample.Good(f), nil)
	f.Add(inYAML)
	f.Add(inJSON)
	f.Add([]byte(bomb()))
	suite := own(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := read(text); err == nil {
			d.verify(suite, nil, d.Date)
		}
	})
}
