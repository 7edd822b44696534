package fault_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

func seededFaults(t *testing.T) []fault.Seeded {
	t.Helper()
	_, catalogue, err := bundled.Petstore().Derived()
	if err != nil {
		t.Fatal(err)
	}
	faults, err := fault.SeededOf(petstoretest.Contract(t), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

// TestSeededFaults expects the faults of each kind, each with its rule.
func TestSeededFaults(t *testing.T) {
	rules := map[string]string{}
	for _, f := range seededFaults(t) {
		if f.Rule == "" || f.Says == "" || f.Mutation.Do == "" || f.Mutation.Method == "" || rules[f.Name] != "" {
			t.Errorf("%+v is incomplete, or there twice", f)
		}
		rules[f.Name] = f.Rule
	}
	for name, rule := range map[string]string{
		"listPets-200-name-dropped":              "pet.name",
		"listPets-200-id-too-great":              "pet.id",
		"createPet-201-status-no-member":         "pet.status",
		"getPet-200-categoryId-wrong-type":       "pet.categoryId",
		"getPet-404-as-410":                      "get.unknown",
		"createPet-400-as-422":                   "create.refused",
		"listPets-401-as-403":                    "auth.required",
		"createPet-401-code-null":                "error.code",
		"listPets-200-null":                      "list.array",
		"getPet-200-array":                       "pet.object",
		"getPet-404-no-body":                     "error.body",
		"getPet-200-cut":                         "answer.json",
		"createPet-201-no-media-type":            "answer.media-type",
		"createPet-name-not-required":            "create.name.required",
		"createPet-categoryId-of-any-size":       "create.categoryId.int64",
		"createPet-status-not-enumerated":        "create.status.values",
		"createPet-status-sold-refused":          "create.status.accepted",
		"createPet-body-not-parsed":              "create.body.json",
		"listPets-limit-100-refused":             "list.limit.accepted",
		"getPet-open-to-all":                     "auth.required",
		"getPet-credential-prefix-let-in":        "auth.prefix",
		"listPets-credential-right-refused":      "auth.accepted",
		"listPets-status-required":               "list.status.optional",
		"createPet-categoryId-may-be-a-fraction": "create.categoryId.type",
		"createPet-401-status-fraction":          "error.status",
		"createPet-status-may-be-null":           "create.status.type",
		"createPet-credential-appended-let-in":   "auth.appended",
		"listPets-200-first-item":                "list.array",
		"createPet-body-of-any-type":             "create.body.object",
		"createPet-body-not-required":            "create.body.required",
	} {
		if rules[name] != rule {
			t.Errorf("%s is put to %q, not to %s", name, rules[name], rule)
		}
	}
}

// TestSeededFaultsAreStable expects the same faults in the same order every time.
func TestSeededFaultsAreStable(t *testing.T) {
	names := func() []string {
		var all []string
		for _, f := range seededFaults(t) {
			all = append(all, f.Name)
		}
		return all
	}
	if first := names(); !slices.Equal(first, names()) {
		t.Error("the faults differ from one time to the next")
	}
}

// TestSeededFaultsWithoutARule expects an error that names what no rule covers.
func TestSeededFaultsWithoutARule(t *testing.T) {
	contract := petstoretest.Contract(t)
	poor, err := spec.NewCatalogue([]spec.Rule{{ID: "a.b", Level: spec.Must, Section: "S", Says: "Something holds."}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fault.SeededOf(contract, poor); err == nil || !strings.Contains(err.Error(), "getPet-404-as-410") {
		t.Errorf("faults without a rule: %v", err)
	}
}
