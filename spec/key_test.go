package spec_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

func TestKey(t *testing.T) {
	for name, c := range map[string]struct {
		f             spec.Finding
		place, detail string
	}{
		"a status":       {spec.Finding{Kind: spec.KindStatus, Status: 404}, "status", "404"},
		"a header":       {spec.Finding{Kind: spec.KindMediaType, Header: "Content-Type", Detail: "text/html"}, "header Content-Type", "text/html"},
		"a field":        {spec.Finding{Kind: spec.KindType, Pointer: "/name", Detail: "null"}, "/name", "null"},
		"one of a list":  {spec.Finding{Kind: spec.KindType, Pointer: "/17/id", Detail: "null"}, "/*/id", "null"},
		"a named digit":  {spec.Finding{Kind: spec.KindType, Pointer: "/v2/id"}, "/v2/id", ""},
		"the whole body": {spec.Finding{Kind: spec.KindMissing}, "body", ""},
	} {
		c.f.Rule, c.f.Operation = "pet.id", "listPets"
		if got, want := c.f.Key(), (spec.Key{Rule: "pet.id", Operation: "listPets", Kind: c.f.Kind, Place: c.place, Detail: c.detail}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// A resource that is where it must not be may be met anywhere.
func TestKeyOfResource(t *testing.T) {
	one := spec.Finding{Rule: "create.no-trace", Operation: "listPets", Kind: spec.KindUnexpected, Pointer: "/17"}
	other := spec.Finding{Rule: "create.no-trace", Operation: "getPet", Kind: spec.KindUnexpected}
	if want := (spec.Key{Rule: "create.no-trace", Kind: spec.KindUnexpected, Place: "body"}); one.Key() != want || other.Key() != want {
		t.Errorf("%+v and %+v, want %+v", one.Key(), other.Key(), want)
	}
}

// What a run cannot know beforehand (values, seeds, the order of a list) is not in a key.
func TestKeyIsOfTheDefect(t *testing.T) {
	one := spec.Finding{
		Rule: "pet.id", Operation: "listPets", Kind: spec.KindType, Detail: "string", Expected: phrase.Of("an int64"), Actual: phrase.Of("the string {} (7 of 100 items)", phrase.JSON(`"41"`)),
		Where: phrase.Place{Path: "/pets?limit=3", Pointer: "/3/id"}, Pointer: "/3/id", Exchanges: []int{7}, Cause: "a",
	}
	other := one
	other.Expected, other.Actual, other.Where = phrase.Of("a number"), phrase.Of("the string {}", phrase.JSON(`"x"`)), phrase.Place{Path: "/pets", Pointer: "/50/id"}
	other.Pointer = "/50/id"
	other.Exchanges, other.Cause = []int{8, 9}, "b"
	if one.Key() != other.Key() {
		t.Errorf("%+v and %+v", one.Key(), other.Key())
	}
	for name, change := range map[string]func(f *spec.Finding){
		"rule":      func(f *spec.Finding) { f.Rule = "pet.name" },
		"operation": func(f *spec.Finding) { f.Operation = "getPet" },
		"kind":      func(f *spec.Finding) { f.Kind = spec.KindFormat },
		"detail":    func(f *spec.Finding) { f.Detail = "null" },
		"field":     func(f *spec.Finding) { f.Pointer = "/3/categoryId" },
		"header":    func(f *spec.Finding) { f.Header = "Location" },
		"status":    func(f *spec.Finding) { f.Status = 500 },
	} {
		changed := one
		if change(&changed); changed.Key() == one.Key() {
			t.Errorf("another %s has the same key", name)
		}
	}
}

// The id names a defect: values, statuses and places in lists differ from run to run.
func TestID(t *testing.T) {
	one := spec.Finding{
		Rule: "pet.id", Operation: "listPets", Kind: spec.KindType, Detail: "string", Actual: phrase.Of("a string"), Pointer: "/3/id",
		Contract: "/components/schemas/Pet/properties/id/type", Exchanges: []int{7}, Cause: "a",
	}
	if id := one.ID(); len(id) != 10 || id[0] != 'f' {
		t.Errorf("%q", id)
	}
	for name, change := range map[string]func(f *spec.Finding){
		"value":    func(f *spec.Finding) { f.Actual, f.Cause = phrase.Of("another string"), "b" },
		"type":     func(f *spec.Finding) { f.Detail = "null" },
		"item":     func(f *spec.Finding) { f.Pointer = "/50/id" },
		"exchange": func(f *spec.Finding) { f.Exchanges = []int{8, 9} },
	} {
		changed := one
		if change(&changed); changed.ID() != one.ID() {
			t.Errorf("another %s has another id", name)
		}
	}
	for name, change := range map[string]func(f *spec.Finding){
		"rule":       func(f *spec.Finding) { f.Rule = "pet.name" },
		"operation":  func(f *spec.Finding) { f.Operation = "getPet" },
		"constraint": func(f *spec.Finding) { f.Contract = "/components/schemas/Pet/properties/id/minimum" },
		"field":      func(f *spec.Finding) { f.Pointer = "/3/categoryId" },
		"header":     func(f *spec.Finding) { f.Header = "Location" },
	} {
		changed := one
		if change(&changed); changed.ID() == one.ID() {
			t.Errorf("another %s has the same id", name)
		}
	}
	status, other := spec.Finding{Rule: "pet.found", Kind: spec.KindStatus, Status: 500}, spec.Finding{Rule: "pet.found", Kind: spec.KindStatus, Status: 503}
	if status.ID() != other.ID() {
		t.Error("another status has another id")
	}
	missing, another := spec.Finding{Rule: "pet.body", Kind: spec.KindMissing, Detail: "id"}, spec.Finding{Rule: "pet.body", Kind: spec.KindMissing, Detail: "name"}
	if missing.ID() == another.ID() {
		t.Error("two missing fields have the same id")
	}
}
