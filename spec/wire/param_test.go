package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

func value(t testing.TB, text string) any {
	t.Helper()
	d, err := exactjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d.Tree
}

// TestStyleTable compares the styles with the table "Style Examples" of OpenAPI 3.1.1 and 3.2, and with RFC 6570,
// with which it says that it agrees. Members of objects are ordered by name here.
func TestStyleTable(t *testing.T) {
	const (
		empty  = `""`
		text   = `"blue"`
		array  = `["blue","black","brown"]`
		object = `{"R":100,"G":200,"B":150}`
	)
	tests := []struct {
		in, style string
		explode   bool
		value     string
		want      string // "-" where OpenAPI has none and nothing can be written
	}{
		{InPath, Matrix, false, empty, ";color"},
		{InPath, Matrix, false, text, ";color=blue"},
		{InPath, Matrix, false, array, ";color=blue,black,brown"},
		{InPath, Matrix, false, object, ";color=B,150,G,200,R,100"},
		{InPath, Matrix, true, empty, ";color"},
		{InPath, Matrix, true, text, ";color=blue"},
		{InPath, Matrix, true, array, ";color=blue;color=black;color=brown"},
		{InPath, Matrix, true, object, ";B=150;G=200;R=100"},
		{InPath, Label, false, empty, "."},
		{InPath, Label, false, text, ".blue"},
		{InPath, Label, false, array, ".blue,black,brown"},
		{InPath, Label, false, object, ".B,150,G,200,R,100"},
		{InPath, Label, true, array, ".blue.black.brown"},
		{InPath, Label, true, object, ".B=150.G=200.R=100"},
		{InPath, Simple, false, empty, "-"},
		{InPath, Simple, false, text, "blue"},
		{InPath, Simple, false, array, "blue,black,brown"},
		{InPath, Simple, false, object, "B,150,G,200,R,100"},
		{InPath, Simple, true, array, "blue,black,brown"},
		{InPath, Simple, true, object, "B=150,G=200,R=100"},
		{InHeader, Simple, false, empty, ""},
		{InHeader, Simple, false, array, "blue,black,brown"},
		{InHeader, Simple, true, object, "B=150,G=200,R=100"},
		{InQuery, Form, false, empty, "color="},
		{InQuery, Form, false, text, "color=blue"},
		{InQuery, Form, false, array, "color=blue,black,brown"},
		{InQuery, Form, false, object, "color=B,150,G,200,R,100"},
		{InQuery, Form, true, empty, "color="},
		{InQuery, Form, true, text, "color=blue"},
		{InQuery, Form, true, array, "color=blue&color=black&color=brown"},
		{InQuery, Form, true, object, "B=150&G=200&R=100"},
		{InQuery, SpaceDelimited, false, array, "color=blue%20black%20brown"},
		{InQuery, SpaceDelimited, false, object, "color=B%20150%20G%20200%20R%20100"},
		{InQuery, PipeDelimited, false, array, "color=blue%7Cblack%7Cbrown"},
		{InQuery, PipeDelimited, false, object, "color=B%7C150%7CG%7C200%7CR%7C100"},
		{InQuery, DeepObject, true, object, "color%5BB%5D=150&color%5BG%5D=200&color%5BR%5D=100"},
		{InCookie, CookieStyle, false, text, "color=blue"},
		{InCookie, CookieStyle, true, empty, "color="},
		{InCookie, CookieStyle, false, array, "color=blue,black,brown"},
		{InCookie, CookieStyle, false, object, "color=B,150,G,200,R,100"},
		{InCookie, CookieStyle, true, array, "color=blue; color=black; color=brown"},
		{InCookie, CookieStyle, true, object, "B=150; G=200; R=100"},
		{InCookie, Form, false, array, "color=blue,black,brown"},
		// Swagger 2
		{InHeader, PipeDelimited, false, array, "blue|black|brown"},
		{InQuery, TabDelimited, false, array, "color=blue%09black%09brown"},
		// What OpenAPI does not have
		{InQuery, Simple, false, text, "-"},
		{InHeader, Form, false, text, "-"},
		{InCookie, DeepObject, true, object, "-"},
		{"body", "", false, text, "-"},
	}
	scalarHint := &Hint{Types: []string{"string"}}
	arrayHint := &Hint{Types: []string{"array"}, Items: scalarHint}
	number := &Hint{Types: []string{"integer"}}
	objectHint := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"R": number, "G": number, "B": number}}
	hints := map[string]*Hint{empty: scalarHint, text: scalarHint, array: arrayHint, object: objectHint}
	for _, test := range tests {
		p := Param{Name: "color", In: test.in, Style: test.style, Explode: test.explode}
		got, sent, err := p.Serialize(value(t, test.value))
		if test.want == "-" {
			if err == nil {
				t.Errorf("%s %s of %s: wrote %q", test.in, test.style, test.value, got)
			}
			continue
		}
		if err != nil || !sent || got != test.want {
			t.Errorf("%s %s of %s: %q, %v, %v, want %q", test.in, test.style, test.value, got, sent, err, test.want)
			continue
		}
		r, err := p.Parse(got, hints[test.value])
		if err != nil || !r.Present || len(r.Values) == 0 || !equal(r.Values[0], value(t, test.value)) {
			t.Errorf("%s %s: %q is read as %v, %v", test.in, test.style, got, r, err)
		}
	}
}

func TestSerializeEncodesForItsPlace(t *testing.T) {
	tests := []struct {
		p     Param
		value string
		want  string // or the error, after "! "
	}{
		{Param{In: InPath}, `"a/b?c#d%e f;g.h~ü"`, "a%2Fb%3Fc%23d%25e%20f%3Bg.h~%C3%BC"},
		{Param{In: InPath, AllowReserved: true}, `"a:b@c,d/e?f#g+h"`, "a:b@c,d%2Fe%3Ff%23g%2Bh"},
		{Param{In: InPath}, `["a,b","c"]`, "a%2Cb,c"},
		{Param{In: InPath}, `null`, "! the path needs a non-empty value"},
		{Param{In: InPath}, `[]`, "! the path needs a non-empty value"},
		{Param{In: InQuery}, `"a+b c&d=e;f#g/h"`, "x=a%2Bb%20c%26d%3De%3Bf%23g%2Fh"},
		{Param{In: InQuery, AllowReserved: true}, `"a+b c&d=e;f#g/h?[i]%41,j"`, "x=a%2Bb%20c%26d=e%3Bf%23g/h?%5Bi%5D%2541,j"},
		{Param{In: InQuery, AllowReserved: true}, `["a,b=c"]`, "x=a%2Cb%3Dc"},
		{Param{In: InQuery, Name: "filter[a b]"}, `1`, "filter%5Ba%20b%5D=1"},
		{Param{In: InQuery}, `1E400`, "x=1E400"},
		{Param{In: InQuery}, `9007199254740993`, "x=9007199254740993"},
		{Param{In: InQuery, Explode: true}, `["",null,true]`, "x=&x=true"},
		{Param{In: InQuery}, `{"a":[1]}`, "! member a: OpenAPI does not define"},
		{Param{In: InQuery}, `[[1]]`, "! item 0: OpenAPI does not define"},
		{Param{In: InForm}, `"a b+c~*"`, "x=a+b%2Bc%7E*"},
		{Param{In: InHeader}, `"a b,c\td"`, "a b,c\td"},
		{Param{In: InHeader}, `"a\r\nb"`, "! a header field cannot contain control"},
		{Param{In: InHeader}, `"\u007f"`, "! a header field can contain ASCII"},
		{Param{In: InHeader}, `"ü"`, "! a header field can contain ASCII"},
		{Param{In: InCookie}, `"a b;c=ü"`, "x=a%20b%3Bc%3D%C3%BC"},
		{Param{In: InCookie, Style: CookieStyle}, `"a b"`, "! a cookie cannot contain spaces"},
		{Param{In: InCookie, Name: "a b"}, `1`, "a%20b=1"},
		{Param{In: InCookie, Name: "a;b", Style: CookieStyle}, `1`, "! a cookie cannot have the name \"a;b\""},
		{Param{In: InQuery, Media: "application/json"}, `{"b":[1.0,null],"a":"ü&"}`,
			"x=%7B%22a%22%3A%22%C3%BC%26%22%2C%22b%22%3A%5B1.0%2Cnull%5D%7D"},
		{Param{In: InQuery, Media: "application/json"}, `null`, "x=null"},
		{Param{In: InHeader, Media: "application/problem+json"}, `{"a":"ü😀"}`, `{"a":"\u00fc\ud83d\ude00"}`},
		{Param{In: InPath, Media: "text/plain"}, `"a/b"`, "a%2Fb"},
		{Param{In: InPath, Media: "text/plain"}, `{}`, "! an array, an object or null cannot be written as plain text"},
		{Param{In: InQuery, Media: "application/xml"}, `1`, "! hallmark does not support parameters of type application/xml"},
		{Param{In: InQuery, Style: DeepObject}, `{"a":{"b":1,"c":[1,2],"d":[{"e":1}],"f":null}}`,
			"x%5Ba%5D%5Bb%5D=1&x%5Ba%5D%5Bc%5D%5B%5D=1&x%5Ba%5D%5Bc%5D%5B%5D=2&x%5Ba%5D%5Bd%5D%5B0%5D%5Be%5D=1"},
	}
	for _, test := range tests {
		if test.p.Name == "" {
			test.p.Name = "x"
		}
		got, _, err := test.p.Serialize(value(t, test.value))
		if why, ok := strings.CutPrefix(test.want, "! "); ok {
			if err == nil || !strings.HasPrefix(err.Error(), why) {
				t.Errorf("%+v of %s: %q, %v, want the error %q", test.p, test.value, got, err, why)
			}
		} else if err != nil || got != test.want {
			t.Errorf("%+v of %s: %q, %v, want %q", test.p, test.value, got, err, test.want)
		}
	}
}

func TestParseReadsByTheHint(t *testing.T) {
	integer, text := &Hint{Types: []string{"integer"}}, &Hint{Types: []string{"string"}}
	either := &Hint{Types: []string{"integer", "string"}}
	integers := &Hint{Types: []string{"array"}, Items: integer}
	tests := []struct {
		p    Param
		text string
		hint *Hint
		want []any // nil where the parameter is absent
	}{
		{Param{In: InQuery}, "y=1&x=5", integer, []any{json.Number("5")}},
		{Param{In: InQuery}, "x=5", text, []any{"5"}},
		{Param{In: InQuery}, "x=5", either, []any{json.Number("5"), "5"}},
		{Param{In: InQuery}, "x=5", nil, []any{json.Number("5"), "5"}},
		{Param{In: InQuery}, "x=05", integer, []any{"05"}},
		{Param{In: InQuery}, "x=1.5", integer, []any{"1.5"}},
		{Param{In: InQuery}, "x=1.0", integer, []any{json.Number("1.0")}},
		{Param{In: InQuery}, "x=true", integer, []any{"true"}},
		{Param{In: InQuery}, "x=a+b%2B", text, []any{"a b+"}},
		{Param{In: InQuery}, "x", text, []any{""}},
		{Param{In: InQuery}, "y=1", text, nil},
		{Param{In: InQuery}, "", text, nil},
		{Param{In: InQuery, Explode: true}, "x=1&y=3&x=2", integers, []any{[]any{json.Number("1"), json.Number("2")}}},
		{Param{In: InQuery}, "x=1,2", integers, []any{[]any{json.Number("1"), json.Number("2")}}},
		{Param{In: InQuery}, "x=", integers, []any{[]any{""}, []any{}}},
		{Param{In: InQuery, Style: PipeDelimited}, "x=1|2", integers, []any{[]any{json.Number("1"), json.Number("2")}}},
		{Param{In: InQuery, Style: SpaceDelimited}, "x=1+2", integers, []any{[]any{json.Number("1"), json.Number("2")}}},
		{Param{In: InHeader}, "1, 2", integers, []any{[]any{json.Number("1"), json.Number("2")}}},
		{Param{In: InHeader}, " a ", text, []any{"a"}},
		{Param{In: InCookie}, `y=2; x="1"`, integer, []any{json.Number("1")}},
		{Param{In: InPath, Style: Label}, ".1.2", integers, []any{[]any{"1.2"}, []any{json.Number("1"), json.Number("2")}}},
		{Param{In: InQuery, Style: DeepObject}, "x[a]=1&x[b][]=2", &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"b": integers}},
			[]any{map[string]any{"a": json.Number("1"), "b": []any{json.Number("2")}}, map[string]any{"a": "1", "b": []any{json.Number("2")}}}},
	}
	for _, test := range tests {
		test.p.Name = "x"
		r, err := test.p.Parse(test.text, test.hint)
		if err != nil || r.Present != (test.want != nil) {
			t.Errorf("%+v of %q: present is %v, %v", test.p, test.text, r.Present, err)
		}
		if diff := cmp.Diff(test.want, r.Values); diff != "" {
			t.Errorf("%+v of %q: %s", test.p, test.text, diff)
		}
	}
}

func TestParseRefusesMalformedText(t *testing.T) {
	for _, test := range []struct {
		p          Param
		text, want string
	}{
		{Param{Name: "x", In: InQuery}, "x=%zz", "x, byte 0: a percent sign"},
		{Param{Name: "x", In: InQuery}, "x=1%4", "x, byte 1: a percent sign"},
		{Param{Name: "x", In: InPath, Style: Label}, "a", `the text does not begin with "."`},
		{Param{Name: "x", In: InPath, Style: Matrix}, "a", `the text does not begin with ";"`},
		{Param{Name: "x", In: InQuery, Media: "application/json"}, "x={", "the JSON is invalid: it ends too early"},
		{Param{Name: "x", In: InQuery}, strings.Repeat("x&", maxPairs), "there are more than 20000 values"},
	} {
		if _, err := test.p.Parse(test.text, nil); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v of %.20q: %v, want %q", test.p, test.text, err, test.want)
		}
	}
}

func TestSurvives(t *testing.T) {
	integer, text := &Hint{Types: []string{"integer"}}, &Hint{Types: []string{"string"}}
	boolean := &Hint{Types: []string{"boolean"}}
	texts := &Hint{Types: []string{"array"}, Items: text}
	query := Param{Name: "x", In: InQuery, Explode: true}
	csv := Param{Name: "x", In: InQuery}
	tests := []struct {
		p      Param
		value  string
		hint   *Hint
		want   Fate
		values string // JSON of what may be read
		absent bool
	}{
		{query, `5`, integer, Carried, `[5]`, false},
		{query, `5`, text, Changed, `["5"]`, false},
		{query, `true`, text, Changed, `["true"]`, false},
		{query, `null`, text, Vanishes, `null`, true},
		{query, `[]`, texts, Vanishes, `null`, true},
		{query, `"5"`, integer, Changed, `[5]`, false},
		{query, `"abc"`, integer, Carried, `["abc"]`, false},
		{query, `"007"`, integer, Ambiguous, `[7,"007"]`, false},
		{query, `"yes"`, boolean, Ambiguous, `[true,"yes"]`, false},
		{query, `""`, integer, Ambiguous, `[""]`, true},
		{query, `["a","b"]`, texts, Carried, `[["a","b"]]`, false},
		{query, `["a,b"]`, texts, Ambiguous, `[["a,b"],["a","b"]]`, false},
		{query, `["a"]`, text, Changed, `["a"]`, false},
		{query, `"a"`, texts, Changed, `[["a"]]`, false},
		{query, `{"y":1}`, texts, Vanishes, `null`, true},
		{query, `[[1]]`, texts, Lost, `null`, false},
		{csv, `["a,b","c"]`, texts, Ambiguous, `[["a,b","c"],["a","b","c"]]`, false},
		{Param{Name: "x", In: InQuery, Style: SpaceDelimited}, `["a b"]`, texts, Changed, `[["a","b"]]`, false},
		{Param{Name: "x", In: InHeader}, `["a,b"]`, texts, Changed, `[["a","b"]]`, false},
		{Param{Name: "x", In: InHeader}, `" a"`, text, Changed, `["a"]`, false},
		{Param{Name: "x", In: InHeader}, `"ü"`, text, Lost, `null`, false},
		{Param{Name: "x", In: InPath}, `".."`, text, Lost, `null`, false},
		{Param{Name: "x", In: InPath}, `""`, text, Lost, `null`, false},
		{Param{Name: "x", In: InPath}, `"a/b"`, text, Carried, `["a/b"]`, false},
		{Param{Name: "x", In: InCookie}, `"a b"`, text, Ambiguous, `["a b","a%20b"]`, false},
		{Param{Name: "x", In: InQuery, Media: "application/json"}, `[null,1,true,"1"]`, nil, Carried, `[[null,1,true,"1"]]`, false},
		{query, `"a"`, &Hint{Types: []string{"object"}, Additional: text}, Changed, `[{"x":"a"}]`, true},
		{query, `"a"`, &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"y": text}}, Ambiguous, `["a"]`, true},
		{query, `{"y":"a"}`, &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"y": text}}, Carried, `[{"y":"a"}]`, false},
		{Param{Name: "x", In: InQuery, Style: DeepObject}, `{"a":1}`, &Hint{Types: []string{"object"}, Additional: integer}, Carried, `[{"a":1}]`, false},
	}
	for _, test := range tests {
		s := test.p.Survives(value(t, test.value), test.hint)
		read, err := JSON(s.Values)
		if err != nil {
			t.Fatal(err)
		}
		if s.Values == nil {
			read = []byte("null")
		}
		if s.Fate != test.want || string(read) != test.values || s.Absent != test.absent {
			t.Errorf("%+v of %s: fate %d, values %s, absent %v (%v); want %d, %s, %v",
				test.p, test.value, s.Fate, read, s.Absent, s.Err, test.want, test.values, test.absent)
		}
	}
	if s := (Param{Name: "x", In: InPath}).Survives("a/b", text); s.Fragile == "" {
		t.Error("an encoded slash in a path is not called fragile")
	}
	if s := (Param{Name: "x", In: InQuery, AllowEmpty: true}).Survives("", integer); s.Open == "" {
		t.Error("an empty value under allowEmptyValue is not called open")
	}
	if s := (Param{Name: "x", In: InQuery, Style: DeepObject}).Survives(value(t, `{"a":[1]}`), nil); s.Open == "" {
		t.Error("an array in a deepObject is not called open")
	}
}

// TestRFC6570 compares the styles with the examples of RFC 6570, sections 3.2.2, 3.2.5, 3.2.7 and 3.2.8. Members
// are ordered by name here.
func TestRFC6570(t *testing.T) {
	const hello, list, keys = `"Hello World!"`, `["red","green","blue"]`, `{"semi":";","dot":".","comma":","}`
	for _, test := range []struct {
		in, style string
		explode   bool
		value     string
		want      string
	}{
		{InPath, Simple, false, hello, "Hello%20World%21"},
		{InPath, Simple, false, `"50%"`, "50%25"},
		{InPath, Simple, false, list, "red,green,blue"},
		{InPath, Simple, false, keys, "comma,%2C,dot,.,semi,%3B"},
		{InPath, Simple, true, keys, "comma=%2C,dot=.,semi=%3B"},
		{InPath, Label, false, list, ".red,green,blue"},
		{InPath, Label, true, list, ".red.green.blue"},
		{InPath, Label, false, keys, ".comma,%2C,dot,.,semi,%3B"},
		{InPath, Label, true, keys, ".comma=%2C.dot=..semi=%3B"},
		{InPath, Matrix, false, hello, ";x=Hello%20World%21"},
		{InPath, Matrix, false, list, ";x=red,green,blue"},
		{InPath, Matrix, true, list, ";x=red;x=green;x=blue"},
		{InPath, Matrix, true, keys, ";comma=%2C;dot=.;semi=%3B"},
		{InQuery, Form, false, keys, "x=comma,%2C,dot,.,semi,%3B"},
		{InQuery, Form, true, keys, "comma=%2C&dot=.&semi=%3B"},
		{InQuery, Form, true, list, "x=red&x=green&x=blue"},
	} {
		got, _, err := Param{Name: "x", In: test.in, Style: test.style, Explode: test.explode}.Serialize(value(t, test.value))
		if err != nil || got != test.want {
			t.Errorf("%s of %s: %q, %v, want %q", test.style, test.value, got, err, test.want)
		}
	}
}

func TestCollectionFormat(t *testing.T) {
	for _, test := range []struct {
		in, format, want string
	}{
		{InQuery, "", "x=a,b"}, {InQuery, "csv", "x=a,b"}, {InQuery, "ssv", "x=a%20b"}, {InQuery, "tsv", "x=a%09b"},
		{InQuery, "pipes", "x=a%7Cb"}, {InQuery, "multi", "x=a&x=b"}, {InForm, "multi", "x=a&x=b"}, {InPath, "csv", "a,b"},
		{InPath, "pipes", "a%7Cb"}, {InHeader, "ssv", "a b"}, {InHeader, "multi", ""}, {InQuery, "other", ""},
	} {
		style, explode, ok := CollectionFormat(test.in, test.format)
		if ok != (test.want != "") {
			t.Errorf("%s in %s: known is %v", test.format, test.in, ok)
		}
		if !ok {
			continue
		}
		got, _, err := Param{Name: "x", In: test.in, Style: style, Explode: explode}.Serialize([]any{"a", "b"})
		if err != nil || got != test.want {
			t.Errorf("%s in %s: %q, %v, want %q", test.format, test.in, got, err, test.want)
		}
	}
}

func TestNewParamKnowsTheDefaults(t *testing.T) {
	no := false
	for _, test := range []struct {
		in, style string
		explode   *bool
		want      Param
	}{
		{InPath, "", nil, Param{Name: "x", In: InPath, Style: Simple}},
		{InHeader, "", nil, Param{Name: "x", In: InHeader, Style: Simple}},
		{InQuery, "", nil, Param{Name: "x", In: InQuery, Style: Form, Explode: true}},
		{InCookie, "", nil, Param{Name: "x", In: InCookie, Style: Form, Explode: true}},
		{InQuery, "", &no, Param{Name: "x", In: InQuery, Style: Form}},
		{InQuery, PipeDelimited, nil, Param{Name: "x", In: InQuery, Style: PipeDelimited}},
		{InCookie, CookieStyle, nil, Param{Name: "x", In: InCookie, Style: CookieStyle, Explode: true}},
	} {
		if got := NewParam("x", test.in, test.style, test.explode); got != test.want {
			t.Errorf("%s %s: %+v, want %+v", test.in, test.style, got, test.want)
		}
	}
}
