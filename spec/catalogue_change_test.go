package spec_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

func TestChange(t *testing.T) {
	base, err := spec.NewCatalogue([]spec.Rule{
		{ID: "a.status", Level: spec.Must, Section: "GET /a", Says: "It is so.", Cases: []string{"x"}},
		{ID: "a.body", Level: spec.Must, Section: "GET /a", Says: "It is there.", Always: true},
		{ID: "a.free", Level: spec.Open, Section: "GET /a", Says: "It may be.", Asks: "What comes?"},
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := spec.ReadRules([]byte("- {id: a.status, level: should, says: Ours., source: page 4}\n- {id: a.body, off: It lies.}\n- {id: a.free, level: must}\n- {id: b.own, level: must, section: Ours, says: It is ours.}\n"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := base.Change(entries)
	if err != nil {
		t.Fatal(err)
	}
	if r, _ := changed.Rule("a.status"); r.Level != spec.Should || r.Says != "Ours." || r.Source != "page 4" || r.Section != "GET /a" || len(r.Cases) != 1 {
		t.Errorf("%+v", r)
	}
	if reason, off := changed.Off("a.body"); !off || reason != "It lies." {
		t.Error(reason)
	}
	if r, _ := changed.Rule("a.free"); r.Level != spec.Must || r.Asks != "" {
		t.Errorf("%+v", r)
	}
	if r, ok := changed.Rule("b.own"); !ok || r.Says != "It is ours." || len(changed.Rules) != 4 {
		t.Errorf("%+v", r)
	}
	if r, _ := base.Rule("a.status"); r.Level != spec.Must || base.Digest() == changed.Digest() {
		t.Error("the catalogue that was changed is another one")
	}
	for text, want := range map[string]string{
		"- {id: a.status}\n- {id: a.statsu, off: x}": "line 2: there is no rule a.statsu; did you mean a.status?",
		"- {id: a.status}\n- {id: a.status}":         "line 2: the rule a.status is already defined in line 1",
		"- {id: a.body, level: open}":                "line 1: the rule a.body is checked on every response",
		"- {id: a.body, level: perhaps}":             `line 1: the rule a.body has the level "perhaps"`,
		"- {id: a.body, off: ''}":                    "line 1: the rule a.body is switched off without a reason",
		"- {id: a.body, syas: x}":                    `line 1: there is no key "syas"; did you mean says?`,
		"- {id: a.body, id: x}":                      "line 1: ",
		"- {says: x}":                                "line 1: the rule has no id",
		"- a.body":                                   "line 1: a rule is expected",
		"- {id: [a]}":                                "line 1: the rule cannot be read",
		"- {id: z, level: must, says: x}":            "line 1: there is no rule z",
		"groups: []":                                 "line 1: it is an object; it must be a list of rules",
		"a: [":                                       "it is not YAML",
		"[]":                                         "it is empty",
		"- &a {id: *a}":                              "",
		"- &a [*a, *a]":                              "",
		"- {<<: 1}":                                  "line 1: ",
		"- {id: a.body, off: " + strings.Repeat("x", 5<<20) + "}": "it is larger than 4 MiB",
	} {
		entries, err := spec.ReadRules([]byte(text))
		if err == nil {
			_, err = base.Change(entries)
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

func TestRulesOfCommentsOnly(t *testing.T) {
	for _, text := range []string{"", "# - id: a.body\n", "# nothing\n\n"} {
		if entries, err := spec.ReadRules([]byte(text)); err != nil || len(entries) > 0 {
			t.Errorf("%q: %v, %v", text, entries, err)
		}
	}
}

func FuzzReadRules(f *testing.F) {
	for _, text := range []string{"- {id: a.b, level: must, says: x, section: y}", "- &a {id: *a}", "a: 1", "- - -"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := spec.ReadRules(data)
		if err != nil && len(entries) > 0 {
			t.Errorf("rules beside the error %v", err)
		}
		for _, e := range entries {
			if e.ID == "" {
				t.Errorf("a rule without an id: %+v", e)
			}
		}
	})
}
