package phrase_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec/phrase"
)

func TestString(t *testing.T) {
	for want, p := range map[string]phrase.Phrase{
		"":                                 {},
		"no body":                          phrase.Of("no body"),
		"status 200 or 201":                phrase.Of("status {}", phrase.Status(200, 201)),
		"at most 3 animals":                phrase.Of("at most {}", phrase.Count(3, "animal")),
		"at most 1 animal":                 phrase.Of("at most {}", phrase.Count(1, "animal")),
		"the field id, an int64":           phrase.Of("the field {}, {}", phrase.Field("id"), phrase.Value{Schema: &phrase.Schema{Type: "integer", Format: "int64"}}),
		"one of a and 2":                   phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{Enum: []string{`"a"`, "2"}}}),
		"a string":                         phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{Type: "string", Format: "date"}}),
		"any value":                        phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{}}),
		"a/b or c/d":                       phrase.Of("{}", phrase.AnyOf([]string{"a/b", "c/d"})),
		"a/b and c/d":                      phrase.Of("{}", phrase.Value{MediaTypes: []string{"a/b", "c/d"}}),
		"a X header":                       phrase.Of("a {} header", phrase.Header("X")),
		`name "{}", as before`:             phrase.Of("name {}", phrase.JSON(`"{}"`)).With(", as before"),
		`"a … b" (12 characters)!`:         phrase.Of("{}!", phrase.Value{JSON: `"a … b"`, Length: 12}),
		"null (2 of 9 items; first at /1)": phrase.Of("{}", phrase.JSON("null")).With(" (").Then(phrase.Of("{} of {}", phrase.Number(2), phrase.Count(9, "item"))).With("; first at {})", phrase.Pointer("/1")),
		"{} as it was":                     phrase.Verbatim("{} as it was"),
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	list := phrase.Place{Method: "GET", Path: "/pets?limit=3", Status: 200}
	for want, p := range map[string]phrase.Place{
		"":                               {},
		"GET /pets?limit=3 → 200":        list,
		"GET /pets?limit=3 → 200, /3/id": list.At("/3/id"),
		"GET /pets?limit=3 → 200, header Content-Type": list.OfHeader("Content-Type"),
		"GET /pets?limit=3 → 200, the array's length":  list.In("the array's length"),
		"GET /pets → no response":                      {Method: "GET", Path: "/pets"},
		"somewhere":                                    {Text: "somewhere"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, p := range []phrase.Phrase{
		{}, phrase.Of("no body"), phrase.Verbatim("a\nb"),
		phrase.Of("{} {} {} {}", phrase.Status(404), phrase.Number(0), phrase.Count(3, "item"), phrase.AnyOf([]string{"a/b"})),
		phrase.Of("{} {} {} {} {}", phrase.ID("7"), phrase.Field("id"), phrase.Header("X"), phrase.Pointer("/0"), phrase.Value{JSON: `"x"`, Length: 90}),
		phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{Type: "string", Enum: []string{`"a"`}}}),
	} {
		text, err := json.Marshal(p)
		var got phrase.Phrase
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if diff := cmp.Diff(p, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// Records of version 1 hold prose.
func TestJSONOfEarlierVersions(t *testing.T) {
	var p phrase.Phrase
	if err := json.Unmarshal([]byte(`"at most {} \"animals\""`), &p); err != nil || p.String() != `at most {} "animals"` {
		t.Errorf("%q, %v", p, err)
	}
	if err := json.Unmarshal([]byte(`""`), &p); err != nil || !p.IsZero() {
		t.Errorf("%q, %v", p, err)
	}
	where := phrase.Place{Path: "/old"}
	if err := json.Unmarshal([]byte(`"GET /pets → 200, /3"`), &where); err != nil || where.String() != "GET /pets → 200, /3" {
		t.Errorf("%q, %v", where, err)
	}
}

func TestAround(t *testing.T) {
	for want, p := range map[string]phrase.Phrase{
		`name |"a"|, as sent`:    phrase.Of("name {}, as sent", phrase.JSON(`"a"`)),
		`with |"a" and "b"| (3)`: phrase.Of("with {} and {} ({})", phrase.JSON(`"a"`), phrase.JSON(`"b"`), phrase.Number(3)),
		`|"a"| (90 characters)`:  phrase.Of("{}", phrase.Value{JSON: `"a"`, Length: 90}),
		`the number 7||`:         phrase.Of("the number {}", phrase.JSON("7")),
		`status 200||`:           phrase.Of("status {}", phrase.Status(200)),
	} {
		before, values, after := p.Around()
		if got := before + "|" + values + "|" + after; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is changed in one copy stays in the other.
func TestMap(t *testing.T) {
	one := phrase.Of("{} {} at {}", phrase.JSON(`"key"`), phrase.Value{MediaTypes: []string{"key/x"}}, phrase.Status(200))
	other := one.Map(func(s string) string { return strings.ReplaceAll(s, "key", "***") })
	if one.String() != `"key" key/x at 200` || other.String() != `"***" ***/x at 200` {
		t.Errorf("%s, %s", one, other)
	}
	place := phrase.Place{Method: "GET", Path: "/key", Status: 200}.In("key").Map(strings.ToUpper)
	if place.String() != "GET /KEY → 200, KEY" {
		t.Error(place)
	}
}
