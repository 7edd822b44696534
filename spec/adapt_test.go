package spec_test

import (
	"slices"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/spec/petstore/petstoretest"
)

// otherContract is the built-in contract with some of its text replaced.
func otherContract(t *testing.T, pairs ...string) *spec.Contract {
	t.Helper()
	text := petText(t)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the contract does not hold %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return contractFrom(t, text)
}

const limitParameter = `        - name: limit
          in: query
          required: false
          description: The most animals that the page may hold.
          example: 3
          schema:
            type: integer
            minimum: 1
            maximum: 100
            default: 20
`

func adapt(t *testing.T, c *spec.Contract) (*spec.Catalogue, map[string]string) {
	t.Helper()
	adapted, err := petstoretest.Catalogue(t).Adapt(petstoretest.Contract(t), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range adapted.Check(c) {
		t.Error(wrong)
	}
	return adapted, adapted.Silent()
}

func wantSays(t *testing.T, c *spec.Catalogue, rules map[string]string) {
	t.Helper()
	for id, want := range rules {
		if r, _ := c.Rule(id); r.Says != want {
			t.Errorf("%s says %q, want %q", id, r.Says, want)
		}
	}
}

func TestTheBuiltInContractNeedsNoAdapting(t *testing.T) {
	c := otherContract(t)
	was := petstoretest.Catalogue(t)
	if adapted, silent := adapt(t, c); len(silent) > 0 || !slices.EqualFunc(adapted.Rules, was.Rules, func(x, y spec.Rule) bool {
		return x.Says == y.Says && slices.Equal(x.Contract, y.Contract)
	}) {
		t.Errorf("silent: %v", silent)
	}
}

func TestAdaptFindsWhatWasMoved(t *testing.T) {
	const status = `        - name: status
          in: query
          required: false
          description: Narrows the page to animals that carry this status.
          example: pending
          schema:
            $ref: '#/components/schemas/PetStatus'
`
	for name, test := range map[string]struct {
		pairs []string
		rules map[string]string // rule → a pointer of it
	}{
		"parameters in another order": {
			[]string{limitParameter + status, status + limitParameter},
			map[string]string{
				"list.limit.default":   "/paths/~1pets/get/parameters/1/schema/default",
				"list.status.accepted": "/paths/~1pets/get/parameters/0",
				"get.id":               "/paths/~1pets~1{petId}/get/parameters/0",
			},
		},
		"a parameter among the components": {
			[]string{limitParameter, "        - $ref: '#/components/parameters/limit'\n", "components:\n", "components:\n  parameters:\n    limit:\n" +
				strings.NewReplacer("        - name", "      name", "          ", "      ", "            ", "        ").Replace(limitParameter)},
			map[string]string{
				"list.limit.default":  "/components/parameters/limit/schema/default",
				"list.limit.accepted": "/paths/~1pets/get/parameters/0",
				"list.limit.honoured": "/components/parameters/limit",
			},
		},
		"required properties in another order": {
			[]string{"[id, name, categoryId]", "[categoryId, id, name]"},
			map[string]string{"pet.id": "/components/schemas/Pet/required/1", "pet.categoryId": "/components/schemas/Pet/required/0"},
		},
		"another status of success": {
			[]string{"        '201':\n", "        '200':\n"},
			map[string]string{"create.accepted": "/paths/~1pets/post/responses/200", "answer.media-type": "/paths/~1pets/post/responses/200/content"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			adapted, silent := adapt(t, otherContract(t, test.pairs...))
			if len(silent) > 0 {
				t.Errorf("silent: %v", silent)
			}
			for id, pointer := range test.rules {
				if r, _ := adapted.Rule(id); !slices.Contains(r.Contract, pointer) {
					t.Errorf("%s stands at %q, want %s", id, r.Contract, pointer)
				}
			}
		})
	}
}

func TestAdaptPutsNumbersIntoSentences(t *testing.T) {
	c := otherContract(t, "maximum: 100", "maximum: 50", "minimum: 1", "minimum: 5", "default: 20", "default: 10", "maxItems: 100", "maxItems: 60",
		"enum: [available, pending, sold]", "enum: [available, lent, pending, sold]", "'2030-12-05'", "'2031-01-31'")
	adapted, silent := adapt(t, c)
	if len(silent) > 0 {
		t.Errorf("silent: %v", silent)
	}
	wantSays(t, adapted, map[string]string{
		"list.limit.accepted":     "Every limit from 5 to 50 is accepted.",
		"list.limit.default":      "A list that was asked for without a limit holds at most 10 animals.",
		"list.limit.default.same": "Leaving the limit out gives as many animals as a limit of 10 does.",
		"list.limit.outside":      "What a limit below 5 or above 50 gives is not said.",
		"list.maximum":            "No list ever holds more than 60 animals.",
		"pet.status":              "An animal's status is absent or one of available, lent, pending and sold.",
		"list.status.accepted":    "Each of the 4 statuses is accepted as a filter.",
		"get.removed":             "From 31 January 2031 on the operation may be gone.",
		"create.accepted":         "A plain animal is accepted and answered 201.",
	})
}

func TestAdaptNamesRulesThatTheContractIsSilentOf(t *testing.T) {
	_, silent := adapt(t, otherContract(t, "            default: 20\n", "", "      maxItems: 100\n", ""))
	for _, id := range []string{"list.limit.default", "list.limit.default.same", "list.maximum"} {
		if silent[id] == "" {
			t.Errorf("%s applies, though the contract does not say it", id)
		}
	}
	if len(silent) != 3 {
		t.Errorf("silent: %v", silent)
	}
}
