package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

// derivedRules are rules as they follow from a contract with two operations.
func derivedRules(t *testing.T) *spec.Catalogue {
	t.Helper()
	var rules []spec.Rule
	for _, op := range []string{"list", "make"} {
		rules = append(rules,
			spec.Rule{ID: op + ".success", Level: spec.Must, Section: op, Says: "It succeeds.", Always: true, Contract: []string{"/" + op}, Cases: []string{"success"}, Operations: []string{op}},
			spec.Rule{ID: op + ".body", Level: spec.Must, Section: op, Says: "It fits.", Always: true, Contract: []string{"/" + op + "/body"}, Cases: []string{"body"}, Operations: []string{op}},
			spec.Rule{ID: op + ".limit", Level: spec.Inferred, Section: op, Says: "It is short.", Source: "inferred", Contract: []string{"/" + op}, Cases: []string{"limit"}, Operations: []string{op}},
		)
	}
	c, err := spec.NewCatalogue(rules)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func covered(t *testing.T, text string) (*spec.Catalogue, error) {
	t.Helper()
	entries, err := spec.ReadRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return derivedRules(t).Change(entries)
}

// Rules that name sections stay together in the order of the file, at the first rule that one of them covers.
func TestOrderOfTheFile(t *testing.T) {
	for text, want := range map[string][]string{
		`
- {id: shop.closed, section: Shop, level: must, says: It is closed.}
- {id: shop.second, section: Shop, says: It is short., covers: [make.limit]}
- {id: page.limit, covers: [list.limit]}
- {id: shop.first, section: Shop, says: It fits., covers: [list.body]}
`: {"list.success", "shop.closed", "shop.second", "shop.first", "page.limit", "make.success", "make.body"},
		`
- {id: shop.closed, section: Shop, level: must, says: It is closed.}
- {id: page.limit, covers: [list.limit]}
`: {"list.success", "list.body", "page.limit", "make.success", "make.body", "make.limit", "shop.closed"},
	} {
		c, err := covered(t, text)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range c.Rules {
			ids = append(ids, r.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("the rules are %q, want %q", ids, want)
		}
	}
}

func TestCovers(t *testing.T) {
	c, err := covered(t, `
- {id: page.limit, covers: [list.limit]}
- {id: all.success, section: All, says: Everything succeeds., covers: ['*.success']}
- {id: pet.name, says: A pet has a name., covers: ['*.body /pet/name'], level: should, source: page 4}
`)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range c.Rules {
		ids = append(ids, r.ID)
	}
	if want := []string{"all.success", "pet.name", "list.body", "page.limit", "make.body", "make.limit"}; !slices.Equal(ids, want) {
		t.Errorf("the rules are %q, want %q", ids, want)
	}
	if r, _ := c.Rule("page.limit"); r.Level != spec.Inferred || r.Says != "It is short." || r.Section != "list" || r.Source != "inferred" || !slices.Equal(r.Cases, []string{"limit"}) || !slices.Equal(r.Operations, []string{"list"}) {
		t.Errorf("what the entry does not say is that of the derived rule: %+v", r)
	}
	if r, _ := c.Rule("all.success"); !r.Always || !slices.Equal(r.Operations, []string{"list", "make"}) || !slices.Equal(r.Covers, []string{"list.success", "make.success"}) {
		t.Errorf("%+v", r)
	}
	if r, ok := c.Rule("list.limit"); !ok || r.ID != "page.limit" {
		t.Errorf("a derived id stands for %+v", r)
	}
	if was, ok := c.Covered("list.limit"); !ok || was.ID != "list.limit" || was.Cases[0] != "limit" {
		t.Errorf("%+v", was)
	}
	for _, catalogue := range []*spec.Catalogue{c, spec.RestoreCatalogue(c.Rules, "")} { // records hold the rules alone
		for _, one := range []struct {
			id    string
			parts []string
			want  string
		}{
			{"list.limit", nil, "page.limit"}, {"make.limit", nil, "make.limit"}, {"page.limit", nil, "page.limit"}, {"make.success", []string{"/make"}, "all.success"},
			{"list.body", nil, "list.body"}, {"list.body", []string{"/list", "/pet/name/type"}, "pet.name"}, {"list.body", []string{"/pet/names"}, "list.body"},
			{"list.body", []string{"/pet/name", "/pet/id"}, "pet.name"},
		} {
			if got := catalogue.Resolve(one.id, one.parts...); got != one.want {
				t.Errorf("%s at %q is told by %s, want %s", one.id, one.parts, got, one.want)
			}
		}
		if got := catalogue.ResolveWithin("list.body", func(part string) bool { return part == "/pet/name" }); !slices.Equal(got, []string{"list.body", "pet.name"}) {
			t.Errorf("%q", got)
		}
		if got := catalogue.ResolveWithin("list.body", func(string) bool { return false }); !slices.Equal(got, []string{"list.body"}) {
			t.Errorf("%q", got)
		}
	}
}

func TestCoversWrongly(t *testing.T) {
	for text, want := range map[string]string{
		"- {id: page.limit, says: x, covers: [list.limti]}":                                                      "line 1: the rule page.limit covers list.limti, which is not a rule; did you mean list.limit?",
		"- {id: page.limit, says: x, covers: ['*.links']}":                                                       "line 1: the rule page.limit covers *.links, which matches no rule; did you mean *.limit?",
		"- {id: page.limit, says: x, covers: ['*.else.where']}":                                                  `line 1: the rule page.limit covers *.else.where, which matches no rule; "hallmark rules" lists the rules`,
		"- {id: page.limit, says: x, covers: ['[']}":                                                             "which is not a valid pattern",
		"- {id: page.limit, says: x, covers: []}":                                                                "line 1: the rule page.limit covers nothing",
		"- {id: make.limit, says: x, covers: [list.limit]}":                                                      "line 1: the rule make.limit is derived; a rule that covers others needs a new id",
		"- {id: page.limit, covers: ['*.limit']}":                                                                "line 1: the rule page.limit covers several rules and has no sentence",
		"- {id: page.all, says: x, covers: ['list.*']}":                                                          "line 1: the rule page.all covers list.success, which is must, and list.limit, which is inferred; add its level",
		"- {id: a.limit, covers: [list.limit]}\n- {id: b.limit, covers: [list.limit]}":                           "line 2: the rule b.limit covers list.limit, which a.limit already covers (line 1)",
		"- {id: a.limit, covers: [list.limit]}\n- {id: list.limit, level: should}":                               "line 2: the rule list.limit is covered by a.limit (line 1); change it there",
		"- {id: list.limit, level: should}\n- {id: a.limit, covers: [list.limit]}":                               "line 1: the rule list.limit is covered by a.limit (line 2); change it there",
		"- {id: a.success, level: open, covers: [list.success]}":                                                 "line 1: the rule a.success covers rules that are checked on every response, so it cannot be open",
		"- {id: a.name, covers: ['list.body /pet/name']}\n- {id: b.name, says: x, covers: ['*.body /pet/name']}": "line 2: the rule b.name covers list.body /pet/name, which a.name already covers (line 1)",
	} {
		if _, err := covered(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{ // parts and the rest; open where nothing but scenarios tries it
		"- {id: a.name, covers: ['list.body /pet/name']}\n- {id: a.rest, covers: [list.body]}",
		"- {id: a.name, covers: ['list.body /pet/name']}\n- {id: list.body, level: should}",
		"- {id: a.limit, level: open, covers: [list.limit]}",
		"- {id: a.limit, level: must, covers: [list.limit]}",
	} {
		if _, err := covered(t, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A part is a place, a word, or a word with a place; what is further in decides.
func TestPartsOf(t *testing.T) {
	if got, want := spec.PartsOf("plain", "/a", "", "/a/b", "missing"), []string{"/a", "/a/b", "plain", "missing", "plain /a", "plain /a/b", "missing /a", "missing /a/b"}; !slices.Equal(got, want) {
		t.Errorf("the parts are %q, want %q", got, want)
	}
	for part, want := range map[string]string{"/a/b": "/a/b", "missing /a": "/a", "missing": "", "": ""} {
		if got := spec.PlaceOf(part); got != want {
			t.Errorf("the place of %q is %q, want %q", part, got, want)
		}
	}
	c, err := covered(t, `
- {id: answer.body, says: There is a body., covers: ['*.body missing']}
- {id: error.body, says: An error has a body., covers: ['*.body missing /errors']}
- {id: pet.name, says: A pet has a name., covers: ['*.body /pet/name']}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		contract string
		parts    []string
		want     string
	}{
		{"/pet", []string{"missing"}, "answer.body"}, {"/errors/content", []string{"missing"}, "error.body"}, {"/errors/content", nil, "list.body"}, {"/pet/name", nil, "pet.name"},
		{"/pet/name/type", []string{"unreadable"}, "pet.name"}, {"", []string{"/errors", "missing"}, "error.body"},
	} {
		if got := c.ResolveFinding(spec.Finding{Rule: "list.body", Contract: one.contract, Parts: one.parts}); got != one.want {
			t.Errorf("%s, %q is told by %s, want %s", one.contract, one.parts, got, one.want)
		}
	}
	if r, _ := c.Rule("error.body"); !slices.Equal(r.Contract, []string{"/errors"}) {
		t.Errorf("a word with a place is about %q", r.Contract)
	}
}
