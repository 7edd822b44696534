package explain_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/explain"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const document = `openapi: 3.1.0
info: {title: Things, version: "1"}
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
      responses:
        '200': {description: Things}
`

func page(t *testing.T, r explain.Rule, width int) string {
	t.Helper()
	contract, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	r.Contract, r.File = contract, "api.yaml"
	var b strings.Builder
	if err := explain.Write(&b, r, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	rule := spec.Rule{
		ID: "listThings.list.limit", Level: spec.Inferred, Says: "listThings returns no more items than limit requests.", Source: "inferred: the parameter has the name of a limit",
		Contract: []string{"/paths/~1things/get/parameters/0"}, Operations: []string{"listThings"},
	}
	text := page(t, explain.Rule{
		Rule: rule, Scenarios: 3, Again: " --contract api.yaml", Faults: []string{"One more is listed.", "It ignores limit.", "A third.", "A fourth."},
		Derived: "  @rule:listThings.list.limit\n  Rule: R\n\n    Scenario: limit is 1\n      Given a plain request\n      When it is sent\n\n    Scenario: another\n      Given nothing\n",
	}, 80)
	for _, want := range []string{
		"listThings.list.limit · inferred · GET /things\n", "WHY       It follows from the shape", "name of a limit.\n",
		"CONTRACT  api.yaml:8\n             8  - {name: limit", "3 scenarios, such as \"limit is 1\"\n", "          hallmark derive --contract api.yaml --rule listThings.list.limit  #", "            Given a plain request\n            When it is sent\n",
		"BROKEN    One more is listed.\n          It ignores limit.\n          A third.\n", "- {id: listThings.list.limit, level: should}\n", "- {id: listThings.list.limit, off: the reason}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"A fourth", "inferred: the", "Given nothing"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is in\n%s", unwanted, text)
		}
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 && !strings.Contains(line, "- {name") && !strings.Contains(line, "hallmark derive") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// What cannot be tried, or costs nothing, has no line to lower it.
func TestWriteWithoutScenarios(t *testing.T) {
	for want, r := range map[string]spec.Rule{
		"Not from outside: no response shows it": {ID: "a.b", Level: spec.Must, Says: "S.", Untestable: "no response shows it"},
		"It is switched off: it is rewritten":    {ID: "a.b", Level: spec.Must, Says: "S.", Off: "it is rewritten"},
		"Of every response":                      {ID: "a.b", Level: spec.Should, Says: "S.", Always: true},
		"By no scenario.":                        {ID: "a.b", Level: spec.Must, Says: "S."},
		"a.b · open\n  What comes first?":        {ID: "a.b", Level: spec.Open, Asks: "What comes first?"},
	} {
		text := page(t, explain.Rule{Rule: r}, 0)
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
		if lowers := strings.Contains(text, "level: should"); lowers != (r.Level == spec.Must && r.Untestable == "") {
			t.Errorf("a line to lower it: %t\n%s", lowers, text)
		}
	}
}
