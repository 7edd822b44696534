package html

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

func shown(body string, marks ...string) string {
	return string(layOut([]byte(body), marks, whole).text)
}

func TestBodiesAreLaidOut(t *testing.T) {
	long := `"` + strings.Repeat("x", 90) + `"`
	cases := []struct{ name, body, want string }{
		{"short JSON in one line", `{"id":1,"tags":["a",true,null]}`, `{"id": 1, "tags": ["a", true, null]}`},
		{"long JSON in lines", `{"id":1,"name":` + long + `}`, "{\n  \"id\": 1,\n  \"name\": " + long + "\n}"},
		{"every digit", `{"id":9007199254740993,"x":1.50e+0}`, `{"id": 9007199254740993, "x": 1.50e+0}`},
		{"an end that is missing", `[{"id":1},{"id":`, `[{"id": 1}, {"id": …`},
		{"a string that is cut off", `[{"id":1},{"id":"ab`, `[{"id": 1}, {"id": "ab…`},
		{"no JSON", "<html>\n<b>\u202e", "&lt;html&gt;\n&lt;b&gt;\\u202e"},
		{"not quite JSON", `{"id":1}}`, `{"id":1}}`},
		{"empty containers", `{"a":{},"b":[]}`, `{"a": {}, "b": []}`},
		{"no UTF-8", "\xff\x00", `\xff\x00`},
	}
	for _, c := range cases {
		if got := shown(c.body); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

func TestTheOffendingPlaceIsMarked(t *testing.T) {
	cases := []struct{ name, body, pointer, want string }{
		{"a member", `{"id":1,"name":"a"}`, "/name", `{"id": 1, <mark>"name": "a"</mark>}`},
		{"of an item", `[{"id":1},{"id":2}]`, "/1/id", `[{"id": 1}, {<mark>"id": 2</mark>}]`},
		{"an item", `[1,2]`, "/0", `[<mark>1</mark>, 2]`},
		{"a name with a slash", `{"a/b~":1}`, "/a~1b~0", `{<mark>"a/b~": 1</mark>}`},
		{"an escaped name", `{"\u0061":1}`, "/a", `{<mark>"\u0061": 1</mark>}`},
		{"nowhere", `{"id":1}`, "/name", `{"id": 1}`},
	}
	for _, c := range cases {
		if got := shown(c.body, c.pointer); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
	// A mark that goes over several lines is whole in each.
	l := layOut([]byte(`{"a":{"b":"`+strings.Repeat("x", 100)+`"}}`), []string{"/a"}, whole)
	for i := range l.ends {
		line := l.between(i, i+1)
		if strings.Count(string(line), "<mark>") != strings.Count(string(line), "</mark>") {
			t.Errorf("line %d: %s", i, line)
		}
	}
}

func TestFarLinesAreFolded(t *testing.T) {
	body := "[" + strings.Repeat(`{"id":1,"name":"an animal with a name"},`, 99) + `{"id":"2"}]`
	for _, c := range []struct {
		how    portion
		folded int
	}{{near, 1}, {whole, 0}} {
		l := layOut([]byte(body), []string{"/60/id"}, c.how)
		folded, count, text := 0, 0, ""
		for _, s := range l.stretches(c.how) {
			count += s.count
			if s.folded {
				folded++
			} else {
				text += string(s.lines)
			}
		}
		if folded < c.folded || c.folded == 0 && folded > 0 || count != len(l.ends) {
			t.Errorf("%d stretches are folded, %d of %d lines shown or folded", folded, count, len(l.ends))
		}
		if !strings.Contains(text, "<mark>") {
			t.Error("the offending place is folded away")
		}
		if l.Items != 100 {
			t.Errorf("%d items", l.Items)
		}
	}
	if got := text.Elide(strings.Repeat("x", 1000), 100); len(got) > 140 || !strings.Contains(got, "(1,000 characters)") {
		t.Errorf("a long line is shown as %s", got)
	}
}

func TestComparedPhrases(t *testing.T) {
	differs := func(all []piece) string {
		text := ""
		for _, p := range all {
			if p.Differs {
				text += "[" + string(p.Text) + "]"
			} else {
				text += string(p.Text)
			}
		}
		return text
	}
	of := phrase.Of
	cases := []struct {
		expected, actual phrase.Phrase
		want, got        string
	}{
		{of("status {}", phrase.Status(404)), of("status {}", phrase.Status(410)), "status [404]", "status [410]"},
		{of("name {}, as sent", phrase.JSON(`"Ada"`)), of("{}", phrase.JSON(`"ADA"`)), `name "[Ada]", as sent`, `"[ADA]"`},
		{of("at most {}", phrase.Count(3, "animal")), of("{}", phrase.Count(30, "animal")), "at most 3 animals", "30 animals"},
		{of("the field message, a string"), of("no field message"), "the field message, a string", "no field message"},
		{of(""), of(""), "", ""},
		{of("{}", phrase.JSON(`"a\u200bb"`)), of("{}", phrase.JSON(`"ab"`)), `"a\u200bb"`, `"ab"`},
		{of(strings.Repeat("a ", 5000)), of("b"), strings.Repeat("a ", 5000), "b"},
	}
	for _, c := range cases {
		d := compare(c.expected, c.actual)
		if want, got := differs(d.Expected), differs(d.Actual); want != c.want || got != c.got {
			t.Errorf("%s | %s, expected %s | %s", want, got, c.want, c.got)
		}
	}
}

func FuzzBodies(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}]}`), "/a/1/b")
	f.Add([]byte(`[`), "")
	f.Add([]byte("\xff<script>"), "/")
	f.Fuzz(func(t *testing.T, body []byte, pointer string) {
		for _, how := range []portion{whole, near} {
			l := layOut(body, []string{pointer}, how)
			if bytes.IndexByte(l.text, betweenParts) >= 0 {
				t.Fatalf("the separator of parts is left: %q", l.text)
			}
			for _, s := range l.stretches(how) {
				rest := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(string(s.lines))
				if strings.ContainsAny(rest, "<>") {
					t.Fatalf("markup is left: %q", rest)
				}
				if strings.Count(string(s.lines), "<mark>") != strings.Count(string(s.lines), "</mark>") {
					t.Fatalf("a mark is not closed: %q", s.lines)
				}
			}
		}
	})
}
