package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
	"hallmark/tests/petstoretest"
)

func TestTheDefaultCatalogueIsSound(t *testing.T) {
	for _, err := range petstoretest.Catalogue(t).Check(petstoretest.Contract(t)) {
		t.Error(err)
	}
}

func TestLoadCatalogueRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing":         {"", "is empty"},
		"an empty list":   {"[]", "is empty"},
		"no YAML":         {"- id: [", "cannot be read"},
		"no list":         {"id: a.b", "cannot be read"},
		"a text":          {"hello", "cannot be read"},
		"a field unknown": {"- id: a.b\n  levle: must", "levle"},
		"a wrong type":    {"- id: a.b\n  contract: 3\n  always: maybe", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := spec.LoadCatalogue([]byte(test.text))
			if err == nil || c != nil {
				t.Fatal("it was loaded")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want %q in it, on one line", err, test.want)
			}
		})
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	const sound = "- {id: a.b, level: must, section: S, says: It is so."
	for name, test := range map[string]struct{ text, want string }{
		"twice":                {sound + "}\n" + sound + "}", "the rule id a.b is used more than once"},
		"bad id":               {"- {id: a, level: must, section: S, says: So.}", "the rule a needs an id of the form"},
		"no level":             {"- {id: a.b, section: S, says: So.}", `has the level ""`},
		"unknown level":        {"- {id: a.b, level: may, section: S, says: So.}", `has the level "may"`},
		"no section":           {"- {id: a.b, level: must, says: So.}", "names no section"},
		"says nothing":         {"- {id: a.b, level: must, section: S}", "has no sentence"},
		"open without asks":    {"- {id: a.b, level: open, section: S, says: So.}", "is open but has no question"},
		"must with asks":       {sound + ", asks: Is it?}", "asks a question but is not open"},
		"should, no source":    {"- {id: a.b, level: should, section: S, says: So.}", "is a should without a source"},
		"open and always":      {"- {id: a.b, level: open, section: S, says: So., asks: Is it?, always: true}", "is both open and always judged"},
		"untestable with case": {sound + ", untestable: Because., cases: [answer]}", "untestable but has cases"},
		"within nothing":       {sound + ", within: a.c}", "is within a.c, which is not a rule; did you mean a.b?"},
		"within itself":        {sound + ", within: a.b}", "the rule a.b is within itself"},
		"within in a circle":   {sound + ", within: a.c}\n- {id: a.c, level: must, section: S, says: So., within: a.b}", "the rule a.c is within itself"},
		"pointer to nowhere":   {sound + ", contract: [/components/schemas/Dog]}", "names /components/schemas/Dog, which is not in the contract"},
		"unknown operation":    {sound + ", operations: [dropPet]}", "names the operation dropPet"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := spec.LoadCatalogue([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			errs := c.Check(petstoretest.Contract(t))
			if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), test.want) }) {
				t.Errorf("no error holds %q", test.want)
			}
		})
	}
}

// A rule of one's own may lie in the area of any operation, as the derived rules do.
func TestAreasMayBeNamesOfOperations(t *testing.T) {
	for _, id := range []string{"a.b", "items-get-one.mine", "GetPet.read.twice", "get_pet-v2.mine"} {
		c, err := spec.LoadCatalogue([]byte("- {id: " + id + ", level: must, section: S, says: It is so.}"))
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range c.Check(petstoretest.Contract(t)) {
			if strings.Contains(err.Error(), "id of the form") {
				t.Error(err)
			}
		}
	}
}

// Every constraint must be named by a rule that is about it. Without the rules that name it Check must say so, and a rule
// that names everything must not hide that.
func TestCheckFindsEveryConstraintWithoutARule(t *testing.T) {
	contract, rules := petstoretest.Contract(t), petstoretest.Catalogue(t).Rules
	for _, k := range contract.Constraints() {
		var bare []spec.Rule
		for _, r := range rules {
			r.Contract = slices.DeleteFunc(slices.Clone(r.Contract), func(p string) bool {
				return jsonpointer.Within(k.Pointer, p) && jsonpointer.Within(p, k.Owner)
			})
			bare = append(bare, r)
		}
		for _, blanket := range []string{"/paths", "/components", "/components/schemas", "/components/responses", "/info"} {
			bare = append(bare, spec.Rule{
				ID: "blanket" + strings.ReplaceAll(blanket, "/", "."), Level: spec.Must, Section: "All", Says: "All.", Contract: []string{blanket},
			})
		}
		want := fmt.Sprintf("the constraint %s (line %d) belongs to no rule", k.Pointer, contract.Line(k.Pointer))
		if !slices.ContainsFunc(catalogueFrom(t, bare).Check(contract), func(err error) bool { return strings.Contains(err.Error(), want) }) {
			t.Errorf("nothing is said of %s", k.Pointer)
		}
	}
}

func TestForCase(t *testing.T) {
	contract, catalogue := petstoretest.Contract(t), petstoretest.Catalogue(t)
	create, _ := contract.Operation("createPet")
	list, _ := contract.Operation("listPets")
	body := create.Body.JSON()
	property := func(name string) []string { return body.Schema.Property(name).Chain(body.Chain()...) }
	with := func(chain []string, more ...string) []string { return append(slices.Clone(chain), more...) }
	filter := with([]string{list.Parameters[1].Pointer}, list.Parameters[1].Chain()...)
	tests := []struct {
		operation, kind string
		pointers        []string
		want            string
	}{
		{"createPet", "not-member", with(property("status"), "/components/schemas/PetStatus/enum"), "create.status.values"},
		{"listPets", "parameter-not-member", with(filter, "/components/schemas/PetStatus/enum"), "list.status.unknown"},
		{"createPet", "type", with(property("status"), "/components/schemas/PetStatus/type"), "create.status.type"},
		{"createPet", "null", property("status"), "create.status.type"},
		{"createPet", "type", with(body.Chain(), "/components/schemas/NewPet/type"), "create.body.object"},
		{"createPet", "type", property("name"), "create.name.type"},
		{"createPet", "null", property("name"), "create.name.required"},
		{"createPet", "left-out", with(body.Chain(), "/components/schemas/NewPet/required/0"), "create.name.required"},
		{"createPet", "left-out", with(body.Chain(), "/components/schemas/NewPet/required/1"), "create.categoryId.required"},
		{"createPet", "type", with(property("categoryId"), "/components/schemas/NewPet/properties/categoryId/type"), "create.categoryId.type"},
		{"createPet", "fraction", with(property("categoryId"), "/components/schemas/NewPet/properties/categoryId/type"), "create.categoryId.type"},
		{"createPet", "beyond-format", with(property("categoryId"), "/components/schemas/NewPet/properties/categoryId/format"), "create.categoryId.int64"},
		{"createPet", "body-missing", []string{"/paths/~1pets/post/requestBody", "/paths/~1pets/post/requestBody/required"}, "create.body.required"},
		{"createPet", "body-malformed", []string{"/paths/~1pets/post/requestBody/content/application~1json"}, "create.body.json"},
		{"createPet", "answer", []string{"/paths/~1pets/post/responses/201"}, "create.accepted"},
		{"createPet", "answer", []string{"/paths/~1pets/post/responses/400"}, "create.refused"},
		{"listPets", "answer", []string{"/paths/~1pets/get/responses/200"}, "list.accepted"},
		{"listPets", "parameter-outside", []string{"/paths/~1pets/get/parameters/0", "/paths/~1pets/get/parameters/0/schema", "/paths/~1pets/get/parameters/0/schema/maximum"}, "list.limit.outside"},
		{"listPets", "credential-missing", []string{"/security"}, "auth.missing"},
		{"getPet", "credential-scheme", []string{"/security", "/components/securitySchemes/apiKey"}, "auth.scheme"},
		// Neither another operation's rule, nor another kind, nor a longer name.
		{"listPets", "not-member", with(property("status"), "/components/schemas/PetStatus/enum"), ""},
		{"createPet", "echo-of-nothing", property("name"), ""},
		{"createPet", "type", []string{"/components/schemas/NewPets/type"}, ""},
		{"createPet", "type", nil, ""},
	}
	for _, test := range tests {
		got, ok := catalogue.ForCase(test.operation, test.kind, test.pointers...)
		if got.ID != test.want || ok != (test.want != "") {
			t.Errorf("%s of %s at %v belongs to %q, want %q", test.kind, test.operation, test.pointers, got.ID, test.want)
		}
	}
}

func TestForCasePrefersTheInnermost(t *testing.T) {
	c, err := spec.LoadCatalogue([]byte(`
- {id: a.wide, contract: [/a], cases: [k]}
- {id: a.all, contract: [/a/b], cases: [k]}
- {id: a.one, contract: [/a/b], cases: [k], operations: [op]}
- {id: a.other, contract: [/a/b], cases: [k], operations: [other]}
- {id: a.outer, contract: [/z/very/long/pointer], cases: [k]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		operation string
		pointers  []string
		want      string
	}{
		{"op", []string{"/a/b/c"}, "a.one"},
		{"third", []string{"/a/b/c"}, "a.all"},
		{"other", []string{"/z/very/long/pointer", "/a/b"}, "a.other"},
		{"op", []string{"/a/b", "/z/very/long/pointer/x"}, "a.outer"},
		{"op", []string{"/a/bc"}, "a.wide"},
		{"op", []string{"/a/b", "/nothing"}, "a.one"},
	} {
		if got, _ := c.ForCase(test.operation, "k", test.pointers...); got.ID != test.want {
			t.Errorf("%v for %s: %q, want %q", test.pointers, test.operation, got.ID, test.want)
		}
	}
}

func TestSimilar(t *testing.T) {
	c := petstoretest.Catalogue(t)
	for id, want := range map[string]string{
		"list.limit.honored": "list.limit.honoured",
		"PET.ID":             "pet.id",
		"pet.categoryID":     "pet.categoryId",
		"auth.mising":        "auth.missing",
		"list.honoured":      "list.limit.honoured",
		"":                   "",
		"zzzzzzzz":           "",
	} {
		if got := c.Similar(id); got != want {
			t.Errorf("most similar to %q is %q, want %q", id, got, want)
		}
	}
}

func TestRule(t *testing.T) {
	c := petstoretest.Catalogue(t)
	if r, ok := c.Rule("pet.id"); !ok || r.Level != spec.Must || !r.Always || r.Area() != "pet" {
		t.Errorf("%+v", r)
	}
	if _, ok := c.Rule("pet.tail"); ok {
		t.Error("there is a rule pet.tail")
	}
	if !strings.HasPrefix(c.Digest(), "sha256:") {
		t.Error(c.Digest())
	}
}
