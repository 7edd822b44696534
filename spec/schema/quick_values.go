package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// fits returns whether a value is of the types and among the values of a schema.
func (q *quick) fits(v any) answer {
	var t typeSet
	switch v := v.(type) {
	case nil:
		t = nullType
	case bool:
		t = booleanType
	case json.Number:
		switch short := exactjson.IsShortInt(string(v)); {
		case short:
			t = numberType | integerType
		case exactjson.IsHuge(string(v)) || !exactjson.IsNumber(string(v)):
			return unknown
		default:
			t = numberType
			if _, whole := exactjson.CanonicalInt(v); whole {
				t |= integerType
			}
		}
	case string:
		t = stringType
	case []any:
		t = arrayType
	case map[string]any:
		t = objectType
	default:
		return unknown
	}
	if q.types != 0 && q.types&t == 0 {
		return no
	}
	if q.values == nil || slices.ContainsFunc(q.values, func(w any) bool { return sameScalar(v, w) }) {
		return yes
	}
	if t == arrayType || t == objectType {
		return unknown
	}
	return no
}

// sameScalar reports whether two values are equal, and neither an array nor an object.
func sameScalar(a, b any) bool {
	switch a := a.(type) {
	case []any, map[string]any:
		return false
	case string:
		b, is := b.(string)
		return is && a == b
	}
	return exactjson.Equal(a, b)
}

// ask decides whether a number satisfies the constraints.
func (q *quickNumber) ask(v json.Number) answer {
	switch {
	case q == nil:
		return yes
	case q.format != "" && !holds(q.format, v):
		return no
	case q.minimum == nil && q.maximum == nil && q.above == nil && q.below == nil && q.multipleOf == nil:
		return yes
	}
	x := boundOf(v)
	switch {
	case x == nil:
		return unknown
	case q.minimum != nil && x.compare(q.minimum) < 0, q.maximum != nil && x.compare(q.maximum) > 0,
		q.above != nil && x.compare(q.above) <= 0, q.below != nil && x.compare(q.below) >= 0:
		return no
	case q.multipleOf != nil && !new(big.Rat).Quo(x.rat(), q.multipleOf.rat()).IsInt():
		return no
	}
	return yes
}

// boundOf parses a number that is not huge; nil if it is not one.
func boundOf(v json.Number) *quickBound {
	if short, err := v.Int64(); err == nil {
		return &quickBound{short: short, isShort: true}
	}
	if exact, ok := new(big.Rat).SetString(string(v)); ok {
		return &quickBound{exact: exact}
	}
	return nil
}

func (b *quickBound) compare(c *quickBound) int {
	if !b.isShort || !c.isShort {
		return b.rat().Cmp(c.rat())
	}
	switch {
	case b.short < c.short:
		return -1
	case b.short > c.short:
		return 1
	}
	return 0
}

func (b *quickBound) rat() *big.Rat {
	if b.isShort {
		return new(big.Rat).SetInt64(b.short)
	}
	return b.exact
}

// ask decides whether a text satisfies the constraints.
func (q *quickText) ask(v string) answer {
	if q == nil {
		return yes
	}
	if q.length != (quickRange{}) && !q.length.has(utf8.RuneCountInString(v)) || q.format != "" && !holds(q.format, v) {
		return no
	}
	switch {
	case q.pattern == nil:
		return yes
	case q.pattern.linear == nil:
		return unknown // a match may time out, which is counted
	case !q.pattern.linear.MatchString(v):
		return no
	}
	return yes
}

// has reports whether there may be n.
func (q quickRange) has(n int) bool { return int64(n) >= q.least && (!q.bounded || int64(n) <= q.most) }

// object decides whether an object satisfies the constraints.
func (r *quickRun) object(q *quickObject, v map[string]any, depth int) answer {
	if q == nil {
		return yes
	}
	if r.direction == Response {
		for _, name := range q.writeOnly {
			if _, there := v[name]; there {
				return unknown // it causes an advice
			}
		}
	}
	if !q.size.has(len(v)) {
		return no
	}
	for _, name := range q.required {
		if _, there := v[name]; !there && !q.excused.excuses(name, r.direction) {
			return no
		}
	}
	r.level++
	defer func() { r.level-- }()
	if q.others != nil || len(v) < len(q.properties) {
		return r.members(q, v, depth)
	}
	whole := yes
	for i := range q.properties {
		p := &q.properties[i]
		member, there := v[p.name]
		if !there {
			continue
		}
		if whole = min(whole, r.ask(p.schema, member, depth+1)); whole == no {
			return no
		}
	}
	return whole
}

// members decides whether each member of an object conforms to its schema.
func (r *quickRun) members(q *quickObject, v map[string]any, depth int) answer {
	whole := yes
	for name, member := range v {
		described := q.others
		if i, there := slices.BinarySearchFunc(q.properties, name, func(p quickProperty, name string) int { return strings.Compare(p.name, name) }); there {
			described = q.properties[i].schema
		}
		if whole = min(whole, r.ask(described, member, depth+1)); whole == no {
			return no
		}
	}
	return whole
}

// array decides whether an array satisfies the constraints.
func (r *quickRun) array(q *quickArray, v []any, depth int) answer {
	switch {
	case q == nil:
		return yes
	case !q.size.has(len(v)):
		return no
	case q.unique && len(v) > 1:
		return unknown
	case q.items == nil:
		return yes
	}
	r.level++
	defer func() { r.level-- }()
	whole := yes
	for _, item := range v {
		if whole = min(whole, r.ask(q.items, item, depth+1)); whole == no {
			return no
		}
	}
	return whole
}
