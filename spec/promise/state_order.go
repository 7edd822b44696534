package promise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Kinds about the order of lists.
const (
	// Sorted: a list is in the order that a parameter requests.
	Sorted Kind = "list.sorted"
	// Ordered: a list is in the order that the document names if no other one is requested.
	Ordered Kind = "list.order"
)

// Steps about orders.
const (
	Ascends  sentence.Sentence = "its items ascend by {name}"
	Descends sentence.Sentence = "its items descend by {name}"
	InOrder  sentence.Sentence = "its items are in the order of {name}"
	// SentToDiffer sends a request for a list, and where all items have one value, again with one more.
	SentToDiffer sentence.Sentence = "it is sent, and its items differ in {name}"
)

// sorting is a value of a parameter by which a list is sorted.
type sorting struct {
	parameter spec.Parameter
	value     any
	member    string
	// words is the step for the requested order.
	words sentence.Sentence
	// direction is the parameter for the direction, and way its value; nil if value gives it, or nothing does.
	direction *spec.Parameter
	way       any
}

var (
	sortNames      = regexp.MustCompile(`(?i)^(\$?(sort|order)([-_]?by)?|sorting|ordering|(sort|order)[-_]?(field|key|column|property))$`)
	directionNames = regexp.MustCompile(`(?i)^(direction|dir|order|ordering|(sort|order)([-_]?by)?[-_]?(order|dir|direction))$`)
	directed       = regexp.MustCompile(`(?i)^(.+?)[-_:., ]?(asc|desc|ascending|descending)$`)
)

// enumOf returns the enum of a parameter, and whether the parameter takes several values at once.
func enumOf(p spec.Parameter) (all []string, several bool) {
	s := p.Schema
	if s != nil && s.Type == "array" && s.Item() != nil {
		s, several = s.Item(), true
	}
	if s == nil {
		return nil, false
	}
	for _, text := range s.Enum {
		value, err := exactjson.Decode([]byte(text))
		if name, is := value.Tree.(string); err == nil && is {
			all = append(all, name)
		}
	}
	return all, several
}

// directionOf returns the parameter of a list for its sort direction, with its values, or nil.
func directionOf(op *spec.Operation) (p *spec.Parameter, up, down string) {
	for i := range op.Parameters {
		p, up, down = &op.Parameters[i], "", ""
		all, several := enumOf(*p)
		if p.In != wire.InQuery || several || !directionNames.MatchString(p.Name) || len(all) != 2 && len(all) != 4 {
			continue
		}
		for _, name := range all {
			switch strings.ToLower(name) {
			case "asc", "ascending":
				up = name
			case "desc", "descending":
				down = name
			}
		}
		if up != "" && down != "" {
			return p, up, down
		}
	}
	return nil, "", ""
}

// sortingsOf returns the orders that a list may be requested in: by values that name a member whose order is
// beyond doubt.
func sortingsOf(op *spec.Operation, l life) []sorting {
	direction, up, down := directionOf(op)
	var all []sorting
	for _, p := range op.Parameters {
		values, several := enumOf(p)
		if p.In != wire.InQuery || !sortNames.MatchString(p.Name) || direction != nil && direction.Name == p.Name {
			continue
		}
		for _, text := range values {
			name, words := text, InOrder
			switch rest, sign := strings.CutPrefix(text, "-"); {
			case sign:
				name, words = rest, Descends
			case strings.HasPrefix(text, "+"):
				name, words = text[1:], Ascends
			case slices.Contains(values, "-"+text):
				words = Ascends
			}
			if m := directed.FindStringSubmatch(name); m != nil && words == InOrder {
				if member, _ := l.MemberLike(name); member == "" {
					name, words = m[1], map[bool]sentence.Sentence{true: Ascends, false: Descends}[strings.HasPrefix(strings.ToLower(m[2]), "asc")]
				}
			}
			member, schema := l.MemberLike(name)
			if member == "" || !orderly(schema) {
				continue
			}
			one := sorting{parameter: p, value: text, member: member, words: words}
			if several {
				one.value = []any{text}
			}
			if direction == nil || words != InOrder {
				all = append(all, one)
				continue
			}
			for way, words := range map[string]sentence.Sentence{up: Ascends, down: Descends} {
				one.direction, one.way, one.words = direction, way, words
				all = append(all, one)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y sorting) int { return strings.Compare(x.member+string(x.words), y.member+string(y.words)) })
	return all
}

// orderly reports whether values of a member have an order: numbers, times, and texts without a special meaning.
func orderly(s *spec.Schema) bool {
	if s == nil || len(s.Enum) > 0 || s.Const != "" {
		return false
	}
	switch s.Type {
	case "integer", "number":
		return true
	case "string":
		return s.Pattern == "" && slices.Contains([]string{"", "date", "date-time"}, s.Format)
	}
	return false
}

// describeSorts adds that a list is sorted.
func describeSorts(d *describer, infer func(l life, k Kind, says, meaning string)) {
	l, ok := lister(d.listed, d.op.ID)
	if !ok {
		return
	}
	if all := sortingsOf(d.op, l); len(all) > 0 {
		infer(l, Sorted, d.op.ID+" returns items in the order that "+all[0].parameter.Name+" requests", "the values of the parameter name members")
	}
	if o, ok := orderOf(d.sayings, d.op, l); ok {
		infer(l, Ordered, d.op.ID+" returns items in "+o.name()+" order of "+o.member+" if no other order is requested", o.source)
	}
}

// order is the order of a list for which no other one is requested.
type order struct {
	member string
	words  sentence.Sentence
	// source says how the document names it.
	source string
}

func (o order) name() string {
	if o.words == Descends {
		return "descending"
	}
	return "ascending"
}

// orderOf returns the order of a list for which no other one is requested: as a sentence about the operation says, or the default of the
// parameter that sorts it. False if the document names none, or no member that surely has this order.
func orderOf(sayings *prose.Sayings, op *spec.Operation, l life) (order, bool) {
	if slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		return p.Required && (sortNames.MatchString(p.Name) || directionNames.MatchString(p.Name))
	}) {
		return order{}, false
	}
	if claim, ok := sayings.Order(op); ok {
		return claimedOrder(claim, l)
	}
	for _, one := range sortingsOf(op, l) {
		given := one.value == any(defaultOf(one.parameter)) && one.words != InOrder
		if one.direction != nil {
			given = given && one.way == any(defaultOf(*one.direction))
		}
		if given {
			return order{one.member, one.words, "it is the default of " + one.parameter.Name}, true
		}
	}
	return order{}, false
}

// OrderedBy returns the member by which the document says that an operation lists; false if it names no order.
func (p *Promises) OrderedBy(op *spec.Operation) (member string, ok bool) {
	l, ok := lister(p.options.listed(op), op.ID)
	if !ok {
		return "", false
	}
	o, ok := orderOf(p.options.sayings, op, l)
	return o.member, ok
}

// defaultOf returns the default of a parameter if that is a text, or "".
func defaultOf(p spec.Parameter) string {
	if p.Schema == nil || p.Schema.Default == "" {
		return ""
	}
	value, err := exactjson.Decode([]byte(p.Schema.Default))
	text, is := value.Tree.(string)
	if err != nil || !is {
		return ""
	}
	return text
}

// claimedOrder returns the order that a sentence names, by a member of the items.
func claimedOrder(claim prose.Claim, l life) (order, bool) {
	o := order{words: Ascends, source: "a sentence says so"}
	if !meansItems(claim.Noun, l) {
		return o, false
	}
	if claim.Descending {
		o.words = Descends
	}
	var schema *spec.Schema
	o.member, schema = l.MemberLike(claim.Value)
	if o.member == "" && (claim.Value == "" || claim.Created) {
		o.member, schema = l.CreatedAt(claim.Created)
	}
	return o, o.member != "" && orderly(schema) && (schema.Type != "string" || schema.Format != "" || alphabetic.MatchString(o.member))
}

// alphabetic matches names of texts that are in alphabetical order if they are in order: a severity or a size may be in one of its own.
var alphabetic = regexp.MustCompile(`(?i)(name|title|e?mail|code|login|slug|label|isbn|sku|city|country)$`)

// meansItems reports whether a noun means the items of a list, or anything.
func meansItems(noun string, l life) bool {
	words := strings.Fields(noun)
	if len(words) == 0 || slices.Contains([]string{"list", "lists", "result", "results", "item", "items", "entry", "entries", "object", "objects", "record", "records", "resource", "resources"}, noun) {
		return true
	}
	return resource.Means(l.Slot, noun) || resource.Means(l.Slot, words[len(words)-1])
}

// mostSorts bounds how many orders of a list are requested.
const mostSorts = 8

// deriveSorts adds scenarios about the order of a list.
func deriveSorts(d *deriver, lives []*life) {
	l, ok := lister(lives, d.op.ID)
	if !ok {
		return
	}
	deriveOrder(d, l)
	var cases []Case
	for _, one := range sortingsOf(d.op, l) {
		c := Case{
			Kind: Sorted, Aspect: Lives, Title: strings.TrimPrefix(one.words.Beginning(), "its ") + one.member, Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{Sent},
			Then: []string{one.words.Write(one.member)}, Phase: lastPhase, Contract: []string{one.parameter.Pointer}, Change: withParameter(one.parameter, one.value),
		}
		if one.direction != nil {
			c.First, c.Change, c.Asks = c.Change, withParameter(*one.direction, one.way), 1
		}
		if len(cases) < mostSorts {
			cases = append(cases, c)
		}
	}
	d.group(cases...)
}

// deriveOrder adds the scenario about the order of a list for which no other one is requested.
func deriveOrder(d *deriver, l life) {
	o, ok := orderOf(d.options.sayings, d.op, l)
	if !ok {
		return
	}
	c := Case{
		Kind: Ordered, Aspect: Lives, Title: "no order is requested", Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{SentToDiffer.Write(o.member)},
		Then: []string{o.words.Write(o.member)}, Phase: lastPhase, Contract: []string{d.op.Pointer}, Asks: 1, Makes: 1, Writes: true,
	}
	d.group(c)
}
