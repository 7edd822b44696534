package compare_test

import (
	"testing"

	"hallmark/reports/compare"
	"hallmark/spec"
)

// The same defect shows with other values, in other operations and places; another one shows in another way.
func TestAnotherWay(t *testing.T) {
	const rule = "pet.name"
	before := spec.Key{Rule: rule, Operation: "listPets", Kind: spec.KindType, Place: "/*/name", Detail: "null"}
	for name, c := range map[string]struct {
		message string
		change  func(k *spec.Key)
		other   bool
	}{
		"the same":             {`expected a string, actual "a"`, func(*spec.Key) {}, false},
		"in another text":      {`expected a string, actual "b"`, func(*spec.Key) {}, false},
		"in another operation": {`expected a string, actual "b"`, func(k *spec.Key) { k.Operation, k.Place = "getPet", "/name" }, false},
		"another kind":         {`expected a string, actual "b"`, func(k *spec.Key) { k.Kind = spec.KindFormat }, true},
		"another type":         {`expected a string, actual "b"`, func(k *spec.Key) { k.Detail = "number" }, true},
		"another field":        {`expected a string, actual "b"`, func(k *spec.Key) { k.Place = "/*/categoryId" }, true},
		"of an earlier version, in the same words":  {`expected a string, actual "a"`, func(k *spec.Key) { *k = spec.Key{Rule: rule} }, false},
		"of an earlier version, in different words": {`expected a string, actual "b"`, func(k *spec.Key) { *k = spec.Key{Rule: rule} }, true},
	} {
		after := before
		c.change(&after)
		one, two := run(rule, spec.Must, "violated"), run(rule, spec.Must, "violated")
		one.Causes = []compare.Cause{{Rule: rule, Message: `expected a string, actual "a"`, Key: before}}
		two.Causes = []compare.Cause{{Rule: rule, Message: c.message, Key: after}}
		still := compared(t, compare.Runs, one, two).Change.Still
		if len(still) != 1 || (still[0].Note != "") != c.other {
			t.Errorf("%s: %+v, told as another way: want %v", name, still, c.other)
		}
	}
}
