package wire

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var textGen = rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c,;|=. %&+/\[\]"\\ü]{0,6}`), rapid.StringMatching(`[a-z]{1,5}`))

func numberGen(t *rapid.T) json.Number {
	return json.Number(rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number"))
}

// scalarGen draws a scalar and the type with which it is read.
func scalarGen(t *rapid.T) (any, *Hint) {
	types := []string{"string", "integer", "number", "boolean"}
	typ := rapid.SampledFrom(types).Draw(t, "type")
	// Sometimes the value has another type than the schema requires.
	kind := typ
	if rapid.IntRange(0, 5).Draw(t, "other") == 0 {
		kind = rapid.SampledFrom(append(types, "null")).Draw(t, "kind")
	}
	hint := &Hint{Types: []string{typ}}
	switch kind {
	case "string":
		return textGen.Draw(t, "text"), hint
	case "integer":
		return json.Number(rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})`).Draw(t, "integer")), hint
	case "number":
		return numberGen(t), hint
	case "boolean":
		return rapid.Bool().Draw(t, "boolean"), hint
	}
	return nil, hint
}

// valueGen draws a scalar, an array or an object of scalars.
func valueGen(t *rapid.T) (any, *Hint) {
	switch rapid.IntRange(0, 2).Draw(t, "shape") {
	case 0:
		return scalarGen(t)
	case 1:
		_, items := scalarGen(t)
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			item, _ := scalarGen(t)
			list = append(list, item)
		}
		return list, &Hint{Types: []string{"array"}, Items: items}
	}
	object, hint := map[string]any{}, &Hint{Types: []string{"object"}, Properties: map[string]*Hint{}}
	for range rapid.IntRange(0, 4).Draw(t, "size") {
		name := textGen.Draw(t, "name")
		object[name], hint.Properties[name] = scalarGen(t)
	}
	return object, hint
}

func paramGen(t *rapid.T) Param {
	in := rapid.SampledFrom(slices.Sorted(maps.Keys(stylesIn))).Draw(t, "in")
	p := Param{
		Name: rapid.StringMatching(`[a-z][a-z0-9_.-]{0,5}`).Draw(t, "parameter"), In: in,
		Style: rapid.SampledFrom(stylesIn[in]).Draw(t, "style"), Explode: rapid.Bool().Draw(t, "explode"),
		AllowReserved: rapid.Bool().Draw(t, "reserved"),
	}
	if rapid.IntRange(0, 6).Draw(t, "content") == 0 {
		p.Media = "application/json"
	}
	return p
}

// TestCarriedValuesComeBack tests the promise of Survives: a reader that uses the schema reads the value that was
// sent.
func TestCarriedValuesComeBack(t *testing.T) {
	counts := map[Fate]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := paramGen(t)
		v, hint := valueGen(t)
		s := p.Survives(v, hint)
		counts[s.Fate]++
		text, sent, err := p.Serialize(v)
		if sent && s.Fate != Lost && text != s.Text {
			t.Fatalf("Survives says that %q is sent, Serialize writes %q", s.Text, text)
		}
		if s.Fate == Lost || s.Fate == Vanishes {
			return
		}
		if err != nil || !sent {
			t.Fatalf("fate %d, but %v", s.Fate, err)
		}
		r, err := p.Parse(text, hint)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		same := len(r.Values) > 0 && !slices.ContainsFunc(r.Values, func(w any) bool { return !equal(v, w) })
		if s.Fate == Carried && !same {
			t.Fatalf("%q is carried, but read as %v", text, r.Values)
		}
		if s.Fate == Changed && slices.ContainsFunc(r.Values, func(w any) bool { return equal(v, w) }) {
			t.Fatalf("%q is changed, but read as it was", text)
		}
	})
	if counts[Carried] == 0 { // the others are too rare to be seen each time
		t.Errorf("no value was carried: %v", counts)
	}
}

// TestStandardLibraryReadsWhatIsWritten has net/url and net/http read single texts.
func TestStandardLibraryReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := textGen.Draw(t, "text")
		reserved := rapid.Bool().Draw(t, "reserved")
		for _, in := range []string{InQuery, InForm} {
			text, _, err := Param{Name: "a[b]+ü", In: in, AllowReserved: reserved}.Serialize(want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := url.ParseQuery(text)
			if err != nil || got.Get("a[b]+ü") != want || len(got) != 1 {
				t.Fatalf("%q is read as %v, %v", text, got, err)
			}
			if u, err := url.Parse("http://a/?" + text); err != nil || u.Fragment != "" || u.RawQuery != text {
				t.Fatalf("%q is no query: %v", text, err)
			}
		}
		text, _, err := Param{Name: "x", In: InPath, AllowReserved: reserved}.Serialize(want)
		if want == "" {
			if err == nil {
				t.Fatal("an empty value stands in a path")
			}
		} else if u, parseErr := url.Parse("http://a/b/" + text); err != nil || parseErr != nil || u.Path != "/b/"+want || strings.Count(u.EscapedPath(), "/") != 2 {
			t.Fatalf("%q is no segment: %v, %v", text, err, parseErr)
		}
		text, sent, err := Param{Name: "x", In: InCookie, Style: CookieStyle}.Serialize(want)
		if err == nil && sent {
			cookies, parseErr := http.ParseCookie(text)
			if parseErr != nil || len(cookies) != 1 || cookies[0].Value != want {
				t.Fatalf("%q is read as %v, %v", text, cookies, parseErr)
			}
		}
	})
}

// FuzzParse passes arbitrary texts to arbitrary parameters. What is read must be written and read back unchanged.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "x=1&x=2", "x[a][b]=1&x[a][]=2", ";x=1;x=2", ".a.b", "a,b", "x=%zz", "x={}", `x="a"; y=b`, "x[", "x[]]=&x[0]=1", "R=1&G=2"} {
		for i := range uint8(20) {
			f.Add(text, i, i)
		}
	}
	integer := &Hint{Types: []string{"integer", "null"}}
	tree := &Hint{Types: []string{"object", "array", "string"}, Properties: map[string]*Hint{"R": integer, "G": nil}}
	tree.Items, tree.Additional = tree, tree
	hints := []*Hint{nil, integer, {Types: []string{"array"}, Items: integer}, {Types: []string{"object"}, Additional: integer}, tree}
	ins := slices.Sorted(maps.Keys(stylesIn))
	f.Fuzz(func(t *testing.T, text string, which, how uint8) {
		in := ins[int(which)%len(ins)]
		styles := stylesIn[in]
		p := Param{Name: "x", In: in, Style: styles[int(which)/len(ins)%len(styles)], Explode: how&1 > 0}
		if how&6 == 6 {
			p.Media = "application/json"
		}
		hint := hints[int(how)/8%len(hints)]
		for _, m := range []manner{strict, lenient} {
			r, err := p.parse(text, hint, m)
			if err != nil {
				if _, ok := ReasonOf(err); !ok {
					t.Fatalf("an error of another kind: %v", err)
				}
				continue
			}
			if len(r.Values) > 2*maxReadings || r.Present && len(r.Values) == 0 {
				t.Fatalf("%d readings of %q", len(r.Values), text)
			}
			for _, v := range r.Values {
				_ = p.Survives(v, hint)
			}
		}
	})
}
