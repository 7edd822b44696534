package schema

import (
	"encoding/json"
	"math/big"
	"slices"
)

// quick is a schema in a form that answers at once whether a value keeps it, of the keywords that most schemas are made of. It says
// nothing of what is wrong and where, and of some schemas and values it knows no answer: those are left to the validator, see unit.compiled.
// So a schema that all values keep, as they should, is never compiled for it.
type quick struct {
	// never reports whether no value keeps the schema (false), and open whether it says more than is known here.
	never, open bool
	types       typeSet
	// values are those of enum; nil for none.
	values []any
	number *quickNumber
	text   *quickText
	object *quickObject
	array  *quickArray
	// refs are the schemas that the value has to keep as well, and nonNull one that it has to keep if it is not null.
	refs    []*edge
	nonNull *edge
	parts   *quickParts
}

// typeSet is a set of the types of JSON Schema; none stands for all of them.
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

// quickNumber is what a schema says of numbers.
type quickNumber struct {
	minimum, maximum, above, below, multipleOf *quickBound
	format                                     string
}

// quickBound is a number of a schema.
type quickBound struct {
	exact *big.Rat
	// short is the number where it is a whole one that an int64 holds, as isShort says.
	short   int64
	isShort bool
}

// quickText is what a schema says of strings; lengths are in characters.
type quickText struct {
	length  quickRange
	pattern *pattern
	format  string
}

// quickRange is how many there may be of something: at least so many, and where it is bounded at most so many.
type quickRange struct {
	least, most int64
	bounded     bool
}

// quickObject is what a schema says of objects.
type quickObject struct {
	size      quickRange
	required  []string
	excused   exemptions
	writeOnly []string
	// properties are in the order of their names.
	properties []quickProperty
	// others is the schema of members without one of their own; nil where they may be anything.
	others *quick
}

// quickProperty is the schema of a member; nil where it may be anything.
type quickProperty struct {
	name   string
	schema *quick
}

// quickArray is what a schema says of arrays.
type quickArray struct {
	size   quickRange
	unique bool
	// items is the schema of all items; nil where they may be anything.
	items *quick
}

// quickParts are schemas that a schema is made of for the same value.
type quickParts struct {
	all, any, one []*quick
	not           *quick
	choice        *choice
}

// answer is what is known at once of a value and a schema. That of what is made of several is the least of theirs.
type answer uint8

const (
	// no says that the value breaks the schema, beyond doubt.
	no answer = iota
	// unknown says that only the validator knows.
	unknown
	// yes says that it keeps the schema, beyond doubt and without advice.
	yes
)

const (
	// quickEffort bounds how many schemas are asked about one value and what it holds.
	quickEffort = 20_000
	// quickDepth bounds how many of them are asked on the way to one. What leads back to itself never ends.
	quickDepth = 100
)

// Keeps reports whether a value keeps the schema: whether Validate finds no violation but advice. It may be called by any number of
// goroutines.
func (s *Schema) Keeps(value any, d Direction) bool {
	if a := s.ask(value, d); a != unknown {
		return a == yes
	}
	return !slices.ContainsFunc(s.whole(value, d).Violations, func(v Violation) bool { return !v.Advice })
}

// Settles reports whether a value keeps the schema, and whether that is known at once and beyond doubt. Where it is not, Validate has to say.
func (s *Schema) Settles(value any, d Direction) (keeps, known bool) {
	a := s.ask(value, d)
	return a == yes, a != unknown
}

func (s *Schema) ask(value any, d Direction) answer {
	r := quickRun{set: s.set, direction: d, left: quickEffort}
	return r.ask(s.unit.quickly(s.set), value, 0)
}

// quickRun is one question.
type quickRun struct {
	set       *Set
	direction Direction
	left      int
}

// ask returns whether a value keeps a schema; a nil one is kept by all.
func (r *quickRun) ask(q *quick, v any, depth int) answer {
	if q == nil {
		return yes
	}
	r.left--
	switch {
	case q.never:
		return no
	case q.open || r.left < 0 || depth > quickDepth:
		return unknown
	case q.nonNull != nil:
		if v == nil {
			return yes
		}
		return r.ask(follow(r.set, q.nonNull).quickly(r.set), v, depth+1)
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
		a = r.ask(follow(r.set, q.refs[i]).quickly(r.set), v, depth+1)
	}
	if a != yes || q.parts == nil {
		return a
	}
	return r.parts(q.parts, v, depth)
}

// parts returns whether a value keeps what a schema is made of.
func (r *quickRun) parts(q *quickParts, v any, depth int) answer {
	for _, part := range q.all {
		if a := r.ask(part, v, depth+1); a != yes {
			return a
		}
	}
	if len(q.any) > 0 {
		if a := r.anyOf(q.any, v, depth); a != yes {
			return a
		}
	}
	if len(q.one) > 0 {
		if a := r.oneOf(q.one, v, depth); a != yes {
			return a
		}
	}
	if q.not != nil {
		switch r.ask(q.not, v, depth+1) {
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
		return r.ask(follow(r.set, e).quickly(r.set), v, depth+1)
	}
	return yes
}

func (r *quickRun) anyOf(branches []*quick, v any, depth int) answer {
	for _, b := range branches {
		if a := r.ask(b, v, depth+1); a != no {
			return a
		}
	}
	return no
}

// oneOf leaves open what keeps several alternatives: documents write it for alternatives that overlap.
func (r *quickRun) oneOf(branches []*quick, v any, depth int) answer {
	whole := no
	for _, b := range branches {
		switch a := r.ask(b, v, depth+1); {
		case a == unknown, a == yes && whole == yes:
			return unknown
		case a == yes:
			whole = yes
		}
	}
	return whole
}
