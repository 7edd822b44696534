package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"sync/atomic"
)

// quick is a schema in a form that quickly decides whether a value conforms. It supports the keywords that most
// schemas consist of, and does not say what is wrong and where. If it cannot decide, the validator is asked, see
// unit.compiled. A schema whose values all conform, as they should, is never compiled for the validator.
// Without it, reading a document of 1,200 operations takes 1.33 times as much processor time (4.56 s for 3.43 s), and a
// run by a contract of 50 operations 1.28 times as much (1.86 s for 1.46 s).
type quick struct {
	// never reports whether no value conforms (false), and open whether the schema says more than is supported.
	never, open bool
	types       typeSet
	// values are those of enum or const, or nil.
	values []any
	number *quickNumber
	text   *quickText
	object *quickObject
	array  *quickArray
	// refs holds the schemas that the value must conform to as well, and nonNull one that applies if it is not null.
	refs    []*edge
	nonNull *edge
	parts   *quickParts
	// telling caches tells: 0 for unknown, 1 for no and 2 for yes.
	telling atomic.Uint32
}

// typeSet is a set of types in the order of types; empty means all of them.
type typeSet uint8

const (
	nullType typeSet = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType
)

// quickNumber holds the constraints on numbers.
type quickNumber struct {
	minimum, maximum, above, below, multipleOf *quickBound
	format                                     string
}

// quickBound is a number of a schema.
type quickBound struct {
	exact *big.Rat
	// short is the number if it is written as an int64, as isShort says; exact is nil then.
	short   int64
	isShort bool
}

// quickText holds the constraints on strings; lengths are in characters.
type quickText struct {
	length  quickRange
	pattern *pattern
	format  string
}

// quickRange bounds a count; there is a maximum if bounded is set.
type quickRange struct {
	least, most int64
	bounded     bool
}

// quickObject holds the constraints on objects.
type quickObject struct {
	size      quickRange
	required  []string
	excused   exemptions
	writeOnly []string
	// properties are in the order of their names.
	properties []quickProperty
	// others is the schema of members without one of their own; nil allows anything.
	others *quick
}

// quickProperty is the schema of a member; nil allows anything.
type quickProperty struct {
	name   string
	schema *quick
}

// quickArray holds the constraints on arrays.
type quickArray struct {
	size   quickRange
	unique bool
	// items is the schema of all items; nil allows anything.
	items *quick
}

// quickParts are the schemas that a schema is composed of.
type quickParts struct {
	allOf, anyOf, oneOf []*quick
	not                 *quick
	choice              *choice
}

// answer is what can be decided quickly about a value and a schema.
type answer int8

const (
	// no means that the value certainly violates the schema.
	no answer = iota - 1
	// unknown means that the validator must decide.
	unknown
	// yes means that the value certainly conforms, and without advice.
	yes
)

const (
	// quickEffort bounds how many schemas are applied to one value and its parts.
	quickEffort = 20_000
	// quickDepth bounds how deeply they are nested.
	quickDepth = 100
)

// Keeps reports whether a value conforms to the schema, as far as that can be decided. It does not if Validate
// finds a violation that is more than advice, or if it violates the schema however its holes are understood. It is
// safe for concurrent use.
func (s *Schema) Keeps(value any, d Direction) bool {
	if a, _ := s.ask(value, d, quickEffort); a != unknown {
		return a == yes
	}
	return keeps(s.whole(value, d, unlimited))
}

// KeepsWithin is Keeps with a bound on the steps, about one for each schema that is applied to a part of the
// value. It also returns how many steps it took. A value that is not decided within the bound does not conform.
func (s *Schema) KeepsWithin(value any, d Direction, most int) (kept bool, steps int) {
	a, asked := s.ask(value, d, min(most, quickEffort))
	if a != unknown {
		return a == yes, asked
	}
	r := s.whole(value, d, most-asked)
	return keeps(r) && !r.GaveUp, asked + r.Steps
}

func keeps(r Result) bool {
	return !slices.ContainsFunc(r.Violations, func(v Violation) bool { return !v.Advice })
}

// Settles reports whether a value conforms to the schema, and whether that could be decided quickly. If not, use
// Validate.
func (s *Schema) Settles(value any, d Direction) (keeps, known bool) {
	keeps, known, _ = s.SettlesWithin(value, d, quickEffort)
	return keeps, known
}

// SettlesWithin is Settles with a bound on the steps. It also returns how many it took.
func (s *Schema) SettlesWithin(value any, d Direction, most int) (keeps, known bool, steps int) {
	a, steps := s.ask(value, d, min(most, quickEffort))
	return a == yes, a != unknown, steps
}

// ask returns what can be decided within a number of steps, and how many it took.
func (s *Schema) ask(value any, d Direction, most int) (a answer, steps int) {
	r := quickRun{set: s.set, direction: d, left: most, frames: []frame{{unit: s.unit}}}
	a = r.ask(s.unit.quickly(s.set), value, 0)
	return a, min(most-r.left, most)
}

// quickRun is one quick decision.
type quickRun struct {
	set       *Set
	direction Direction
	left      int
	// level is the depth of the current value, and frames are the units on the path to the current schema.
	level  int
	frames []frame
}

// ask decides whether a value conforms to a schema; nil allows anything.
func (r *quickRun) ask(q *quick, v any, depth int) answer {
	if q == nil {
		return yes
	}
	r.left -= 1 + len(q.values)/nodesPerStep
	switch {
	case q.never:
		return no
	case q.open || r.left < 0 || depth > quickDepth:
		return unknown
	case q.nonNull != nil:
		if v == nil {
			return yes
		}
		return r.visit(q.nonNull, v, depth)
	}
	a := q.fits(v)
	if a != yes {
		return a
	}
	switch v := v.(type) {
	case json.Number:
		a = q.number.ask(v)
	case string:
		a = q.text.ask(v)
	case []any:
		a = r.array(q.array, v, depth)
	case map[string]any:
		a = r.object(q.object, v, depth)
	}
	for i := 0; i < len(q.refs) && a == yes; i++ {
		a = r.visit(q.refs[i], v, depth)
	}
	if a != yes || q.parts == nil {
		return a
	}
	return r.parts(q.parts, v, depth)
}

// visit decides whether a value conforms to the schema that an edge leads to. A cycle back to a schema that is
// being applied to the same value conforms, as in rule.visit.
func (r *quickRun) visit(e *edge, v any, depth int) answer {
	u := follow(r.set, e)
	for i := len(r.frames) - 1; i >= 0 && r.frames[i].depth == r.level; i-- {
		if r.frames[i].unit == u {
			return yes
		}
	}
	r.frames = append(r.frames, frame{u, r.level})
	a := r.ask(u.quickly(r.set), v, depth+1)
	r.frames = r.frames[:len(r.frames)-1]
	return a
}

// parts decides whether a value conforms to the schemas that a schema is composed of.
func (r *quickRun) parts(q *quickParts, v any, depth int) answer {
	for _, part := range q.allOf {
		if a := r.ask(part, v, depth+1); a != yes {
			return a
		}
	}
	if len(q.anyOf) > 0 {
		if a := r.anyOf(q.anyOf, v, depth); a != yes {
			return a
		}
	}
	if len(q.oneOf) > 0 {
		if a := r.oneOf(q.oneOf, v, depth); a != yes {
			return a
		}
	}
	if q.not != nil {
		switch a := r.branch(q.not, v, depth); a {
		case yes:
			return no
		case unknown:
			return unknown
		case no:
		}
	}
	if q.choice != nil {
		object, _ := v.(map[string]any)
		name, isText := object[q.choice.property].(string)
		e := q.choice.byName[name]
		if e == nil || !isText {
			return unknown
		}
		return r.visit(e, v, depth)
	}
	return yes
}

func (r *quickRun) anyOf(branches []*quick, v any, depth int) answer {
	for _, b := range branches {
		if a := r.branch(b, v, depth); a != no {
			return a
		}
	}
	return no
}

// oneOf returns unknown if several alternatives match: documents use it for overlapping alternatives.
func (r *quickRun) oneOf(branches []*quick, v any, depth int) answer {
	whole := no
	for _, b := range branches {
		switch a := r.branch(b, v, depth); {
		case a == unknown, a == yes && whole == yes:
			return unknown
		case a == yes:
			whole = yes
		}
	}
	return whole
}

// branch decides whether a value conforms to an optional schema. The validator applies all of a branch and records
// remarks, while a quick decision ends at the first violation: so the remarks of a violated branch are unknown.
func (r *quickRun) branch(q *quick, v any, depth int) answer {
	a := r.ask(q, v, depth+1)
	if a == no && r.tells(q) {
		return unknown
	}
	return a
}

// tells reports whether conforming values may cause remarks: by a discriminator, a writeOnly property, or an
// unsupported keyword.
func (r *quickRun) tells(q *quick) bool {
	if q.telling.Load() == 0 {
		found := uint32(1)
		if r.finds(q, map[*quick]bool{}) {
			found = 2
		}
		q.telling.Store(found)
	}
	return q.telling.Load() == 2
}

// finds searches a schema and all that it leads to for what causes remarks.
func (r *quickRun) finds(q *quick, seen map[*quick]bool) bool {
	if q == nil || seen[q] {
		return false
	}
	seen[q] = true
	if q.open || len(seen) > quickEffort || q.object != nil && q.object.writeOnly != nil || q.parts != nil && q.parts.choice != nil {
		return true
	}
	var within []*quick
	if q.object != nil {
		within = append(within, q.object.others)
		for i := range q.object.properties {
			within = append(within, q.object.properties[i].schema)
		}
	}
	if q.array != nil {
		within = append(within, q.array.items)
	}
	if q.parts != nil {
		within = slices.Concat(within, q.parts.allOf, q.parts.anyOf, q.parts.oneOf, []*quick{q.parts.not})
	}
	for _, e := range q.refs {
		within = append(within, follow(r.set, e).quickly(r.set))
	}
	if q.nonNull != nil {
		within = append(within, follow(r.set, q.nonNull).quickly(r.set))
	}
	return slices.ContainsFunc(within, func(w *quick) bool { return r.finds(w, seen) })
}
