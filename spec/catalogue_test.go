package spec_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

func TestCheckChanged(t *testing.T) {
	const sound = "- {id: a.b, level: must, section: S, says: It is so."
	for name, test := range map[string]struct{ text, want string }{
		"sound":                {sound + ", within: a.c, operations: [getPet], contract: [/components/schemas/Pet]}\n- {id: a.c, level: must, section: S, says: So.}", ""},
		"bad id":               {"- {id: a, level: must, section: S, says: So.}", "the rule a needs an id of the form"},
		"should, no source":    {"- {id: a.b, level: should, section: S, says: So.}", "is a should without a source"},
		"inferred, no source":  {"- {id: a.b, level: inferred, section: S, says: So.}", "is inferred without a source"},
		"open without asks":    {"- {id: a.b, level: open, section: S, says: So.}", "is open but has no question"},
		"must with asks":       {sound + ", asks: Is it?}", "asks a question but is not open"},
		"open and always":      {"- {id: a.b, level: open, section: S, says: So., asks: Is it?, always: true}", "is both open and always judged"},
		"untestable with case": {sound + ", untestable: Because., cases: [answer]}", "untestable but has cases"},
		"within nothing":       {sound + ", within: a.c}", "is within a.c, which is not a rule"},
		"within itself":        {sound + ", within: a.b}", "the rule a.b is within itself"},
		"within in a circle":   {sound + ", within: a.c}\n- {id: a.c, level: must, section: S, says: So., within: a.b}", "is within itself"},
		"pointer to nowhere":   {sound + ", contract: [/components/schemas/Dog]}", "names /components/schemas/Dog, which is not in the contract"},
		"unknown operation":    {sound + ", operations: [dropPet]}", "names the operation dropPet"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkChanged(t, test.text); test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// A rule of one's own may lie in the area of any operation, as the derived rules do.
func TestAreasMayBeNamesOfOperations(t *testing.T) {
	for _, id := range []string{"a.b", "items-get-one.mine", "GetPet.read.twice", "get_pet-v2.mine"} {
		if err := checkChanged(t, "- {id: "+id+", level: must, section: S, says: It is so.}"); err != nil {
			t.Error(err)
		}
	}
}

// checkChanged checks a file of rules that changes an empty catalogue.
func checkChanged(t *testing.T, text string) error {
	t.Helper()
	none, err := spec.NewCatalogue(nil)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := spec.ReadRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := none.Change(entries)
	if err != nil {
		t.Fatal(err)
	}
	return changed.CheckChanged(petstoretest.Contract(t), entries)
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
