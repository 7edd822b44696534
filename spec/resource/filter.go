package resource

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Relation is how what a list shows relates to the value of a filter.
type Relation string

const (
	// Equal items have the value.
	Equal Relation = "equal"
	// OneOf items have one of several values.
	OneOf Relation = "one of"
	// AtLeast items have no lower value. Whether they may have the value itself depends on the service, here and for [AtMost].
	AtLeast Relation = "at least"
	// AtMost items have no greater value.
	AtMost Relation = "at most"
)

// Filter is a parameter of a list that chooses among the items by the value of a member.
type Filter struct {
	Parameter spec.Parameter
	// Key is the member of the parameter that holds the value, if that is an object; otherwise empty.
	Key string
	// Member is the member of the items.
	Member string
	// Schema is that of one value to ask for.
	Schema   *spec.Schema
	Relation Relation
}

// Name is what the filter is called: "stars", or "price[min]" for a member of a parameter.
func (f Filter) Name() string {
	if f.Key == "" {
		return f.Parameter.Name
	}
	return f.Parameter.Name + "[" + f.Key + "]"
}

// Value returns the parameter's value that asks for some values; only [OneOf] takes more than one.
func (f Filter) Value(values ...any) any {
	switch {
	case f.Key != "":
		return map[string]any{f.Key: values[0]}
	case f.Relation == OneOf:
		return slices.Clone(values)
	}
	return values[0]
}

// Filters returns the filters of the list of a life that its parameters' names and types show beyond those that equal a member: bounds,
// lists of values or identifiers, and members of objects.
func (l Life) Filters(op *spec.Operation) []Filter {
	var all []Filter
	for _, p := range op.Parameters {
		if p.In != wire.InQuery || p.Schema == nil || p.Deprecated || p.Content != nil || units.MatchString(p.Description+" "+p.Schema.Description) {
			continue
		}
		if p.Style == wire.DeepObject {
			for _, inner := range members(p.Schema) {
				if f, ok := l.filterBy(p.Name, inner.Name, inner.Schema); ok {
					f.Parameter, f.Key = p, inner.Name
					all = append(all, f)
				}
			}
			continue
		}
		if f, ok := l.filterOf(p.Name, p.Schema); ok {
			f.Parameter = p
			all = append(all, f)
		}
	}
	return all
}

// filterBy returns the filter that a member of a parameter is: price[min] is a bound of the price, filter[state] a state.
func (l Life) filterBy(parameter, key string, s *spec.Schema) (Filter, bool) {
	if relation, ok := bounds[plain(key)]; ok {
		return l.bound(parameter, relation, s)
	}
	name, member := l.MemberLike(key)
	// A free text may ask for what contains it.
	exact := member != nil && s != nil && (only(s) == "boolean" || len(s.Enum) > 1 && len(s.Enum) == len(member.Enum))
	if plain(parameter) != "filter" && plain(parameter) != "where" || !exact || !sameScalar(s, member) {
		return Filter{}, false
	}
	return Filter{Member: name, Schema: s, Relation: Equal}, true
}

// units matches descriptions of values in some unit: a bound may be given in another one than what it bounds.
var units = regexp.MustCompile(`(?i)\b(in (kilo|mega|giga|milli|centi|micro|nano)?(byte|meter|metre|gram|second|minute|hour|day|week|cent|pixel|mile|feet|inch)(e?s)?|in (kb|mb|gb|km|cm|mm|m|kg|g|ms|s|eur|usd|percent)|percent(age)?|cents)\b`)

// bounds are the words of names that ask for a lower or an upper bound.
var bounds = map[string]Relation{
	"min": AtLeast, "minimum": AtLeast, "gte": AtLeast, "gt": AtLeast, "ge": AtLeast, "from": AtLeast, "since": AtLeast, "after": AtLeast,
	"max": AtMost, "maximum": AtMost, "lte": AtMost, "lt": AtMost, "le": AtMost, "to": AtMost, "until": AtMost, "before": AtMost,
}

// filterOf returns the filter that a parameter is.
func (l Life) filterOf(name string, s *spec.Schema) (Filter, bool) {
	if item := items(s); item != nil {
		return l.several(name, item)
	}
	all := words(name)
	if _, member := l.MemberLike(name); len(all) < 2 || member != nil { // the name of a member asks for its value
		return Filter{}, false
	}
	if relation, ok := bounds[all[0]]; ok {
		return l.bound(strings.Join(all[1:], ""), relation, s)
	}
	if relation, ok := bounds[all[len(all)-1]]; ok {
		return l.bound(strings.Join(all[:len(all)-1], ""), relation, s)
	}
	return Filter{}, false
}

// bound returns the filter by a bound of a member with an order: of a number or a time.
func (l Life) bound(name string, relation Relation, s *spec.Schema) (Filter, bool) {
	for _, p := range members(l.Record) {
		if timeless(plain(p.Name)) != timeless(plain(name)) || timeless(plain(name)) == "" {
			continue
		}
		if l.Identifies(p.Name) || p.Schema == nil || units.MatchString(p.Schema.Description) {
			continue // a position in the list, or another measure
		}
		numbers := isNumber(p.Schema) && isNumber(s)
		times := isTime(p.Schema) && isTime(s)
		if numbers || times {
			return Filter{Member: p.Name, Schema: s, Relation: relation}, true
		}
	}
	return Filter{}, false
}

// timeless returns a name without the word that says that it is a time: created for createdAt.
func timeless(name string) string {
	for _, end := range []string{"datetime", "timestamp", "date", "time", "at", "on"} {
		if rest, ok := strings.CutSuffix(name, end); ok && len(rest) > 3 {
			return rest
		}
	}
	return name
}

func isNumber(s *spec.Schema) bool {
	return s != nil && len(s.Enum) == 0 && (only(s) == "integer" || only(s) == "number")
}

func isTime(s *spec.Schema) bool {
	return s != nil && only(s) == "string" && (s.Format == "date-time" || s.Format == "date")
}

// only returns the only type of a schema besides null, or "".
func only(s *spec.Schema) string {
	left := slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
	if len(left) != 1 {
		return ""
	}
	return left[0]
}

// sameScalar reports whether values of two schemas are texts, numbers or booleans of the same type.
func sameScalar(a, b *spec.Schema) bool {
	return a != nil && b != nil && only(a) != "" && only(a) == only(b) && slices.Contains([]string{"string", "integer", "number", "boolean"}, only(a)) && (a.Format == "" || a.Format == b.Format)
}

// several returns the filter by one of several values or identifiers.
func (l Life) several(name string, item *spec.Schema) (Filter, bool) {
	member, s := l.MemberLike(name)
	if s == nil {
		all := words(name)
		if len(all) == 0 {
			return Filter{}, false
		}
		all[len(all)-1] = singular(all[len(all)-1])
		member, s = l.MemberLike(strings.Join(all, ""))
		if id := l.Lister.Path[len(l.Lister.Path)-1].Name; s == nil && slices.Contains(identifying, all[len(all)-1]) && id != "" {
			if of := strings.Join(all[:len(all)-1], ""); of == "" || related(of, noun(segment(l.Slot.Collection))) {
				member, s = id, l.Member(id)
			}
		}
	}
	if !sameScalar(item, s) || only(item) == "boolean" {
		return Filter{}, false
	}
	return Filter{Member: member, Schema: item, Relation: OneOf}, true
}
