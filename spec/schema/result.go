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

	"hallmark/spec/exactjson"
)

// MaxViolations is how many violations a result holds at most.
const MaxViolations = 10_000

// Violation is one place where a value breaks one keyword of a schema.
type Violation struct {
	// Path leads to the place in the value, unescaped; it is empty for the value itself. What lacks a property is the
	// object.
	Path []string
	// Schema is the pointer of the schema that says so, Keyword the keyword in it and Constraint the pointer of the
	// keyword, or of the name in it ("/components/schemas/Pet/required/2"). Keyword is empty where the schema is false.
	Schema, Keyword, Constraint string
	// Line is that of Constraint in the document; 0 when it is unknown.
	Line int
	// Name is the property concerned, where the keyword is about one: required, dependentRequired, additionalProperties,
	// propertyNames, discriminator, writeOnly.
	Name string
	// Expected is the keyword's value as it stands in the document: a string, a json.Number, a list, … Actual is what is
	// there instead: the value, or the number of its characters, items or properties.
	Expected, Actual any
	// Advice reports whether no more than a should is broken: OpenAPI says that writeOnly properties should not be sent.
	Advice bool
	// closed reports whether it is of additionalProperties, read as unevaluatedProperties.
	closed bool
}

// Result is what a validation finds.
type Result struct {
	// Violations are in the order of the value.
	Violations []Violation
	// More reports whether there are more of them than were kept.
	More bool
	// Unjudged is what the value could not be judged by, where that leaves open what is wrong with it.
	Unjudged []Hole
	// GaveUp reports whether nothing was found out, for the schemas have more branches than can be followed.
	GaveUp bool
	// Steps is how many schemas were asked about some part of the value, about; 0 where the answer was known at once.
	Steps int
}

// Validate judges a value, as exactjson decodes it, on its way in a direction. It may be called by any number of goroutines.
func (s *Schema) Validate(value any, d Direction) Result {
	return s.ValidateWithin(value, d, unlimited)
}

// ValidateWithin is Validate with a bound on the steps: it gives up where more are needed.
func (s *Schema) ValidateWithin(value any, d Direction, most int) Result {
	a, asked := s.ask(value, d, min(most, quickEffort))
	if a == yes {
		return Result{Steps: asked}
	}
	r := s.whole(value, d, most-asked)
	r.Steps += asked
	return r
}

// unlimited is no bound on steps but the one that each validation has.
const unlimited = math.MaxInt

// whole judges a value by the validator, in so many steps at most.
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
		// What cannot be judged was taken for kept, which accuses where a not or a second branch of oneOf asks for the
		// opposite. Only what is found in both readings is beyond doubt.
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
		// What would have been evaluated by what cannot be judged by is not known either.
		found = slices.DeleteFunc(found, func(v Violation) bool { return !again[v.key()] || v.unevaluated() })
	}
	for _, a := range first.advice {
		found = append(found, x.advice(a))
	}
	r = Result{Violations: order(found)}
	if len(r.Violations) > MaxViolations {
		r.Violations, r.More = r.Violations[:MaxViolations], true
	}
	r.Violations = withoutConsequences(r.Violations)
	for _, p := range slices.Sorted(maps.Keys(first.remarks)) {
		r.Unjudged = append(r.Unjudged, first.remarks[p])
	}
	if !matters {
		return r // it is the same however the rest is read
	}
	for _, p := range slices.Sorted(maps.Keys(first.holes)) {
		r.Unjudged = append(r.Unjudged, first.holes[p])
	}
	return r
}

// outcome is what one run of the validator gives.
type outcome struct {
	*session
	tree *jsonschema.ValidationError
	// spent is how many steps were taken.
	spent int
}

// run lets the validator judge a value once. Its error says why it could not.
func (s *Schema) run(value any, d Direction, strict bool, size, most int) (o outcome, err error) {
	x := s.set.open(s.unit, d, strict, size)
	x.left = max(min(x.left, most), 0)
	effort := x.left
	defer x.close()
	defer func() { o.spent = effort - max(x.left, 0) }()
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok && errors.Is(e, errEffort) {
				err = errEffort
				return
			}
			// A defect of the validator or of this package must never read as one of the value.
			err = fmt.Errorf("judging by the schema failed, which is a defect of hallmark: %v", r)
		}
	}()
	o.session = x
	if failed := s.set.entry.Validate(map[string]any{x.name: value}); failed != nil {
		if !errors.As(failed, &o.tree) {
			return o, failed
		}
	}
	return o, nil
}

// gaveUp is the result of a validation that came to no end.
func (s *Schema) gaveUp(err error) Result {
	at := s.Pointer()
	return Result{Unjudged: []Hole{{Pointer: at, Line: s.set.line(at), Reason: err.Error()}}, GaveUp: true}
}

// measure returns how many values there are in a value, and whether one is a number too large for the validator.
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

// withoutConsequences leaves out what is said to be unevaluated only because the schema that would have evaluated it found
// something wrong: there, or deeper.
func withoutConsequences(all []Violation) []Violation {
	if !slices.ContainsFunc(all, func(v Violation) bool { return v.unevaluated() }) {
		return all
	}
	// around are the places with something else wrong at or below them, above those with something unevaluated below them.
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

// order sorts violations by their places in the value and leaves out what is there twice.
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
