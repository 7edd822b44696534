package promise_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// A rule that covers a part of what responses are judged by is not exercised by a response that shows nothing of that part.
func TestShows(t *testing.T) {
	p := promise.Of(petstoretest.Contract(t), 1, 0)
	id, pets := "/components/schemas/Pet/properties/id", "/components/schemas/Pets"
	item := map[string]any{"id": 1, "name": "Rex", "categoryId": 1}
	for _, c := range []struct {
		operation string
		status    int
		body      any
		place     string
		want      bool
	}{
		{"listPets", 200, []any{item}, id, true},
		{"listPets", 200, []any{item}, id + "/format", true},
		{"listPets", 200, []any{item}, "/components/schemas/Pet", true},
		{"listPets", 200, []any{item}, "/components/schemas/Pet/required/0", true},
		{"listPets", 200, []any{item}, "/components/schemas/Pet/properties/status", false},
		{"listPets", 200, []any{}, id, false},
		{"listPets", 200, []any{}, pets, true},
		{"listPets", 401, map[string]any{"code": "x"}, id, false},
		{"listPets", 401, map[string]any{"code": "x"}, "/components/schemas/Error/properties/code", true},
		{"listPets", 200, nil, "/paths/~1pets/get/responses/200/content", true},
		{"listPets", 200, nil, "/paths/~1pets/post/responses/201", false},
		{"listPets", 418, item, id, false},
		{"nonesuch", 200, item, id, false},
	} {
		ex := &spec.Exchange{Operation: c.operation, Response: &spec.Response{Status: c.status, Header: http.Header{}}}
		if got := p.Shows(ex, c.body)(c.place); got != c.want {
			t.Errorf("%s, %d, %v shows %s: %v", c.operation, c.status, c.body, c.place, got)
		}
	}
}

// A derived scenario is about the rule that covers its own, for the part that it tries, and names both.
func TestCoveredScenarios(t *testing.T) {
	p := promise.Of(petstoretest.Contract(t), 1, 0)
	derived, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := spec.ReadRules([]byte(`
- {id: auth.prefix, says: No part of the key., covers: ['*.credential.wrong credential-prefix']}
- {id: create.name.refused, says: No wrong name., covers: ['createPet.refused.property /components/schemas/NewPet/properties/name']}
- {id: create.maybe, level: open, says: Perhaps., covers: [createPet.refused.property-missing]}
`))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := derived.Change(entries)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]string{}
	p.Scenarios(catalogue, func(s promise.Scenario) { of[s.Rule] = append(of[s.Rule], s.Text) })
	for rule, words := range map[string]string{
		"auth.prefix": "half of the right key", "create.name.refused": "/name is", "create.maybe": "own choice",
	} {
		if len(of[rule]) == 0 || !strings.Contains(strings.Join(of[rule], "\n"), words) {
			t.Errorf("the scenarios of %s do not say %q: %s", rule, words, of[rule])
		}
		for _, text := range of[rule] {
			if !strings.Contains(text, "@covered:") {
				t.Errorf("%s: it does not name the derived rule: %s", rule, text)
			}
		}
	}
	if rest := strings.Join(of["createPet.refused.property"], "\n"); rest == "" || strings.Contains(rest, "/name is") || strings.Contains(rest, "@covered:") {
		t.Errorf("what is left of a rule: %s", rest)
	}
	if len(of["createPet.refused.property-missing"]) > 0 {
		t.Error("a rule that is covered has scenarios")
	}
}
