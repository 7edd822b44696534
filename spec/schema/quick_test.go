package schema

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"hallmark/spec/exactjson"
)

// agree holds what is known at once of a value against what the validator says, in both directions, and returns how often something is known.
func agree(t testing.TB, s *Schema, value any) (known int) {
	t.Helper()
	for _, d := range []Direction{Request, Response} {
		r := s.whole(value, d)
		a := s.ask(value, d)
		broken := slices.ContainsFunc(r.Violations, func(v Violation) bool { return !v.Advice })
		if !broken && len(r.Unjudged) > 0 && !r.GaveUp {
			broken = a == no && refused(t, s, value, d)
		}
		switch {
		case a == yes && (len(r.Violations) > 0 || len(r.Unjudged) > 0):
			t.Errorf("%v is taken for kept at once, and the validator finds %v, and doubts %v", value, r.Violations, r.Unjudged)
		case a == no && !broken && !r.GaveUp:
			t.Errorf("%v is taken for broken at once, and the validator finds %v, and doubts %v", value, r.Violations, r.Unjudged)
		case a != unknown:
			known++
		}
		if s.Keeps(value, d) == broken && !r.GaveUp {
			t.Errorf("%v: kept %v, and the validator finds %v", value, !broken, r.Violations)
		}
	}
	return known
}

// refused reports whether the validator refuses a value however what cannot be judged by is read, though for reasons that differ: Validate
// accuses only of what both readings find.
func refused(t testing.TB, s *Schema, value any, d Direction) bool {
	t.Helper()
	for _, strict := range []bool{false, true} {
		if o, err := s.run(exactjson.ClampNumbers(value), d, strict, 100); err != nil || o.tree == nil {
			return false
		}
	}
	return true
}

// What is known at once is what the validator says, by schemas and for values of all kinds.
func TestQuickAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	asked, known := 0, 0
	for range 1000 {
		m := &maker{bytes: make([]byte, 150)}
		for i := range m.bytes {
			m.bytes[i] = byte(random.Uint32())
		}
		old, now := m.schema()
		for d, schema := range map[Dialect]any{OpenAPI30: old, OpenAPI31: now} {
			text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{"X": schema}}})
			if err != nil {
				t.Fatal(err)
			}
			s := schemaOf(t, d, string(text))
			for range 4 {
				known += agree(t, s, m.value())
				asked += 2
			}
		}
	}
	if known*3 < asked*2 {
		t.Errorf("of %d answers only %d are known at once", asked, known)
	}
}
