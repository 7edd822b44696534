package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// maxViolations is how many violations a result holds at most.
const maxViolations = 10_000

// Violation is one place where a value violates one keyword of a schema.
type Violation struct {
	// Path leads to the place in the value, unescaped; it is empty for the value itself. A missing property is
	// reported at its object.
	Path []string
	// Schema is the pointer of the violated schema, Keyword the keyword in it and Constraint the pointer of the
	// keyword, or of an entry ("/components/schemas/Pet/required/2"). Keyword is empty if the schema is false.
	Schema, Keyword, Constraint string
	// Line is that of Constraint in the document; 0 when it is unknown.
	Line int
	// Name is the property concerned, if the keyword is about one: required, dependentRequired, additionalProperties,
	// propertyNames, discriminator, writeOnly.
	Name string
	// Expected is the keyword's value in the document: a string, a json.Number, a list, … Actual is the value found,
	// or the number of its characters, items or properties.
	Expected, Actual any
	// Advice reports whether only a should is violated: OpenAPI says that writeOnly properties should not be sent.
	Advice bool
	// closed reports whether it is of additionalProperties, read as unevaluatedProperties.
	closed bool
}

// Result is the result of a validation.
type Result struct {
	// Violations are in the order of the value.
	Violations []Violation
	// More reports whether there are more violations than were kept.
	More bool
	// Unjudged lists the holes because of which it is open what is wrong with the value.
	Unjudged []Hole
	// GaveUp reports whether nothing was found out, for the schemas have more branches than can be followed.
	GaveUp bool
	// Steps is about how many schemas were applied to some part of the value; 0 if the result was known at once.
	Steps int
}

// Validate validates a value, as decoded by exactjson, for a direction. It is safe for concurrent use.
func (s *Schema) Validate(value any, d Direction) Result {
	return s.ValidateWithin(value, d, unlimited)
}

// ValidateWithin is Validate with a bound on the steps: it gives up if more are needed.
func (s *Schema) ValidateWithin(value any, d Direction, most int) Result {
	a, asked := s.ask(value, d, min(most, quickEffort))
	if a == yes {
		return Result{Steps: asked}
	}
	r := s.whole(value, d, most-asked)
	r.Steps += asked
	return r
}

// unlimited means no bound on steps but the built-in one.
const unlimited = math.MaxInt

// whole validates a value with the validator, in a bounded number of steps.
func (s *Schema) whole(value any, d Direction, most int) (r Result) {
	size, huge := measure(value, 0)
	given := value
	if huge {
		value = exactjson.ClampNumbers(value)
	}
	x := &judgement{set: s.set, value: given}
	first, err := s.run(value, d, false, size, most)
	steps := first.spent
	defer func() { r.Steps = steps }()
	if err != nil {
		return s.gaveUp(err)
	}
	found := x.violations(first.tree, first.name)
	matters := false
	if len(first.holes) > 0 {
		// Holes were treated as satisfied, which causes violations if a not or a second branch of oneOf requires the
		// opposite. Only what is found in both interpretations is certain.
		second, err := s.run(value, d, true, size, most-steps)
		steps += second.spent
		if err != nil {
			return s.gaveUp(err)
		}
		again := map[string]bool{}
		for _, v := range x.violations(second.tree, second.name) {
			again[v.key()] = true
		}
		once := map[string]bool{}
		for _, v := range found {
			once[v.key()] = true
		}
		matters = !maps.Equal(once, again)
		// What a hole would have evaluated is unknown, too.
		found = slices.DeleteFunc(found, func(v Violation) bool { return !again[v.key()] || v.unevaluated() })
	}
	for _, a := range first.advice {
		found = append(found, x.advice(a))
	}
	r = Result{Violations: order(found)}
	if len(r.Violations) > maxViolations {
		r.Violations, r.More = r.Violations[:maxViolations], true
	}
	r.Violations = withoutConsequences(r.Violations)
	for _, p := range slices.Sorted(maps.Keys(first.remarks)) {
		r.Unjudged = append(r.Unjudged, first.remarks[p])
	}
	if !matters {
		return r // the result does not depend on the rest
	}
	for _, p := range slices.Sorted(maps.Keys(first.holes)) {
		r.Unjudged = append(r.Unjudged, first.holes[p])
	}
	return r
}

// outcome is the result of one run of the validator.
type outcome struct {
	*session
	tree *jsonschema.ValidationError
	// spent is the number of steps taken.
	spent int
}

// run validates a value once. It returns an error if that failed.
func (s *Schema) run(value any, d Direction, strict bool, size, most int) (o outcome, err error) {
	x := s.set.open(s.unit, d, strict, size)
	x.left = max(min(x.left, most), 0)
	effort := x.left
	defer x.close()
	defer func() { o.spent = effort - max(x.left, 0) }()
	defer func() {
		if r := recover(); r != nil {
			// A bug in the validator or in this package must never be reported as a mistake in the value.
			err = fmt.Errorf("validating against the schema failed because of a bug in hallmark; please report it: %v", r)
		}
	}()
	o.session = x
	failed := s.set.entry.Validate(map[string]any{x.name: value})
	if x.left < 0 {
		return o, errEffort
	}
	if failed != nil {
		if !errors.As(failed, &o.tree) {
			return o, failed
		}
	}
	return o, nil
}

// gaveUp returns the result of a validation that was given up.
func (s *Schema) gaveUp(err error) Result {
	at := s.pointer()
	return Result{Unjudged: []Hole{{Pointer: at, Line: s.set.line(at), Reason: err.Error()}}, GaveUp: true}
}

// measure returns the number of values in a value, and whether one is a number too large for the validator.
func measure(value any, depth int) (size int, huge bool) {
	size = 1
	switch v := value.(type) {
	case json.Number:
		return 1, exactjson.IsHuge(string(v))
	case []any:
		for _, item := range v {
			n, h := measure(item, depth+1)
			size, huge = size+n, huge || h
		}
	case map[string]any:
		for _, item := range v {
			n, h := measure(item, depth+1)
			size, huge = size+n, huge || h
		}
	}
	return size, huge
}

// withoutConsequences removes violations of unevaluated keywords that only occur because the schema that would
// have evaluated the place found another violation there or below.
func withoutConsequences(all []Violation) []Violation {
	if !slices.ContainsFunc(all, func(v Violation) bool { return v.unevaluated() }) {
		return all
	}
	// around holds the places with another violation at or below them, above those with an unevaluated one below
	// them.
	around, above := map[string]bool{}, map[string]bool{}
	for _, v := range all {
		for i := range v.Path {
			if v.unevaluated() {
				above[pathKey(v.Path[:i])] = true
			} else if !v.Advice {
				around[pathKey(v.Path[:i])] = true
			}
		}
		if !v.unevaluated() && !v.Advice {
			around[pathKey(v.Path)] = true
		}
	}
	return slices.DeleteFunc(all, func(v Violation) bool {
		return v.unevaluated() && len(v.Path) > 0 && (around[pathKey(v.Path[:len(v.Path)-1])] || above[pathKey(v.Path)])
	})
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

func (v *Violation) unevaluated() bool {
	return v.closed || strings.HasPrefix(v.Keyword, "unevaluated")
}

// key identifies a violation within one value.
func (v *Violation) key() string {
	return pathKey(v.Path) + "\x01" + v.Constraint + "\x01" + v.Name
}

// order sorts violations by their places in the value and removes duplicates.
func order(all []Violation) []Violation {
	slices.SortStableFunc(all, func(a, b Violation) int {
		if c := comparePaths(a.Path, b.Path); c != 0 {
			return c
		}
		if c := strings.Compare(a.Constraint, b.Constraint); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return slices.CompactFunc(all, func(a, b Violation) bool { return a.key() == b.key() })
}

// comparePaths orders places: array indexes as numbers.
func comparePaths(a, b []string) int {
	return slices.CompareFunc(a, b, func(s, t string) int {
		if len(s) != len(t) && isIndex(s) && isIndex(t) {
			return len(s) - len(t)
		}
		return strings.Compare(s, t)
	})
}

func isIndex(s string) bool { return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == "" }
