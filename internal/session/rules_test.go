package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// A rule without a scenario must not count as judged because others are.
func TestWantedRulesOfOtherFeatures(t *testing.T) {
	catalogue := petstoretest.Catalogue(t)
	scenarios := map[string]int{"list.array": 1}
	if ids, note, err := session.SelectRules([]string{"list.empty"}, catalogue, scenarios); err != nil || note != "" || !slices.Equal(ids, []string{"list.empty"}) {
		t.Errorf("%v, %q, %v", ids, note, err)
	}
	if ids, note, err := session.SelectRules([]string{"answer.status"}, catalogue, scenarios); err != nil || note == "" || !slices.Contains(ids, "list.array") {
		t.Errorf("%v, %q, %v", ids, note, err)
	}
}

func TestWantedRules(t *testing.T) {
	catalogue := petstoretest.Catalogue(t)
	builtin, err := session.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	suite, err := builtin.Suite("")
	if err != nil {
		t.Fatal(err)
	}
	scenarios := suite.Rules()
	delete(scenarios, "create.value.refused") // an open rule that no scenario is about
	for _, c := range []struct {
		words    []string
		has, not string // ids that are selected, and that are not
		note     string
		err      string
	}{
		{nil, "", "pet.id", "", ""},
		{[]string{"get.found"}, "get.found", "get.created", "", ""},
		{[]string{"list.limit"}, "list.limit.default.same", "list.status.honoured", "", ""},
		{[]string{"list"}, "list.limit.honoured", "get.found", "", ""},
		{[]string{"list.*"}, "list.limit.honoured", "get.found", "", ""},
		{[]string{"address"}, "", "", "", "cannot be tested from outside"},
		{[]string{"auth.challenge"}, "get.found", "", "auth.challenge alone: it is judged on the responses of other scenarios, so those of createPet, getPet and listPets are run", ""},
		{[]string{"auth.challenge", "get.found"}, "get.found", "list.order", "", ""},
		{[]string{"create.value.refused", "get.found"}, "create.accepted", "list.order", "those of createPet are run", ""},
		{[]string{"lis"}, "", "", "", "did you mean list?"},
		{[]string{"list."}, "", "", "", `there is no rule and no group of rules "list."`},
		{[]string{"nonesuch"}, "", "", "", `"hallmark rules" lists them`},
		{[]string{"get.found", "list.limti"}, "", "", "", "did you mean list.limit?"},
	} {
		t.Run(strings.Join(c.words, " "), func(t *testing.T) {
			ids, note, err := session.SelectRules(c.words, catalogue, scenarios)
			switch {
			case c.err != "":
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("the error is %v, want %q", err, c.err)
				}
				return
			case err != nil:
				t.Fatal(err)
			}
			if c.has != "" && !slices.Contains(ids, c.has) || slices.Contains(ids, c.not) {
				t.Errorf("%v: want %s, and not %s", ids, c.has, c.not)
			}
			if note == "" && c.note != "" || !strings.Contains(note, c.note) || c.note == "" && note != "" {
				t.Errorf("the note is %q, want %q", note, c.note)
			}
		})
	}
}

// A rule that covers others is selected by their ids as well.
func TestWantedRulesThatAreCovered(t *testing.T) {
	catalogue, err := spec.NewCatalogue([]spec.Rule{
		{ID: "page.limit", Level: spec.Must, Covers: []string{"listPets.list.limit"}, Operations: []string{"listPets"}},
		{ID: "auth.prefix", Level: spec.Must, Covers: []string{"listPets.credential.wrong credential-prefix"}, Operations: []string{"listPets"}},
		{ID: "listPets.credential.wrong", Level: spec.Must, Operations: []string{"listPets"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	scenarios := map[string]int{"page.limit": 1, "auth.prefix": 1, "listPets.credential.wrong": 1}
	for word, want := range map[string][]string{
		"listPets.list.limit":       {"page.limit"},
		"page":                      {"page.limit"},
		"listPets.credential.wrong": {"auth.prefix", "listPets.credential.wrong"},
		"listPets":                  {"auth.prefix", "listPets.credential.wrong", "page.limit"},
	} {
		if ids, _, err := session.SelectRules([]string{word}, catalogue, scenarios); err != nil || !slices.Equal(ids, want) {
			t.Errorf("%s selects %q, want %q; %v", word, ids, want, err)
		}
	}
}
