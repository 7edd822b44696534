package instance

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// point is a choice of branches.
type point struct {
	by       *part
	keyword  string
	branches []branch
	// picked is the index of the branch that the shape follows.
	picked int
}

// branch is one of the alternatives at a point.
type branch struct {
	edges []spec.Edge
	// at is its place, relative to the schema or as an absolute pointer.
	at string
	// name is its name in descriptions.
	name string
	// property and value are what a discriminator demands; property is empty for most.
	property, value string
	// null reports whether it allows null alone.
	null bool
}

// chooser returns the index of the branch to follow at a point.
type chooser func(p *point, nth int) int

// bound is one end of a range of numbers.
type bound struct {
	constraint
	value     *big.Rat
	text      string
	exclusive bool
}

// count is a bound of a length or of a number of items.
type count struct {
	constraint
	n int64
}

// choice is a value that an enum or a const allows.
type choice struct {
	constraint
	value any
}

// named is a name in a required list.
type named struct {
	constraint
	name string
}

// worded is a pattern or a format.
type worded struct {
	constraint
	text string
}

// shape combines the schemas that a value conforms to, for one choice of branches.
type shape struct {
	parts  parts
	points []point
	// forced holds the values that discriminators demand, by property name.
	forced map[string]choice

	// types holds the possible types apart from null, the preferred one first; typed is the constraint for them.
	types []string
	typed constraint
	// integral is the constraint that makes numbers integers.
	integral constraint
	nullable constraint

	// choices holds the values that all enums and consts allow; enumerated is the first such constraint.
	choices    []choice
	enumerated constraint

	low, high bound
	// formatLow and formatHigh are the bounds of int32 and int64.
	formatLow, formatHigh bound
	unit                  *big.Rat
	multiples             []worded

	minLength, maxLength, minItems, maxItems, minMembers, maxMembers count
	patterns, formats                                                []worded
	unique                                                           constraint
	required                                                         []named
	// requiring holds the names of required.
	requiring map[string]bool
	// opened reports whether closed parts allow what other parts describe, since to the letter no value would be
	// valid.
	opened bool
	// impossible is why no value has this shape, or empty.
	impossible string
}

// view is the shape that schemas have when branches are chosen.
func (g *builder) view(c parts, choose chooser) *shape {
	s := g.gathered(c, choose)
	s.merge()
	return s
}

// gathered returns a shape with only its parts and branches.
func (g *builder) gathered(c parts, choose chooser) *shape {
	s := &shape{forced: map[string]choice{}}
	for _, p := range c {
		s.follow(p, choose)
	}
	steps := len(s.parts)
	for i := range s.points {
		steps += len(s.points[i].branches)
	}
	for _, p := range s.parts {
		steps += (len(p.Properties) + len(p.Enum) + len(p.Required)) / membersPerStep
		if p.Discriminator != nil {
			steps += len(p.Discriminator.Mapping) / membersPerStep
		}
		if len(s.parts) >= maxParts || len(p.Properties) > maxNames || len(p.OneOf) > maxBranches || len(p.AnyOf) > maxBranches || len(p.Enum) > maxChoices {
			g.work.leaveOut()
		}
	}
	g.spend(steps)
	return s
}

const (
	// membersPerStep is how many members or values of a schema count as one step of work.
	membersPerStep = 50
	// maxNames bounds how many optional members are considered, maxBranches the branches of one keyword, maxChoices
	// the values of one enum.
	maxNames    = 1_000
	maxBranches = 500
	maxChoices  = 2_000
)

// firstBranch is the chooser of the first branch everywhere.
func firstBranch(*point, int) int { return 0 }

const maxParts = 200

// follow adds a schema and those that it is composed of.
func (s *shape) follow(p *part, choose chooser) {
	if p.Schema == nil || len(s.parts) >= maxParts || slices.ContainsFunc(s.parts, func(q *part) bool { return q.Schema == p.Schema }) {
		return
	}
	s.parts = append(s.parts, p)
	if p.Ref != nil {
		s.follow(p.to(*p.Ref), choose)
	}
	for _, e := range p.AllOf {
		s.follow(p.to(e), choose)
	}
	for _, at := range pointsOf(p) {
		if at.keyword == "discriminator" && s.heir(at) {
			continue
		}
		at.picked = min(max(choose(&at, len(s.points)), 0), len(at.branches)-1)
		b := at.branches[at.picked]
		if b.property != "" {
			s.forced[b.property] = choice{constraint{p, "discriminator"}, b.value}
		}
		s.points = append(s.points, at)
		for _, e := range b.edges {
			q := p.to(e)
			q.alternative = q.alternative || at.keyword != "if" && at.alternatives() > 1 && b.property == ""
			s.follow(q, choose)
		}
	}
}

// heir applies a discriminator whose schema is already among the parts; false if there is none.
func (s *shape) heir(at point) bool {
	for _, b := range at.branches {
		for _, p := range s.parts {
			if p.Schema == b.edges[0].Schema && p.Schema != at.by.Schema {
				s.forced[b.property] = choice{constraint{at.by, "discriminator"}, b.value}
				return true
			}
		}
	}
	return false
}

// merge combines the parts.
func (s *shape) merge() {
	s.types = []string{"string", "object", "array", "integer", "number", "boolean"}
	typed := false
	s.opened = s.contradicted()
	for _, p := range s.parts {
		if p.Forbidden {
			s.fail("no value is allowed here")
		}
		if len(p.Types) > 0 {
			s.restrict(p)
			typed = true
		}
		s.mergeNumbers(p)
		s.mergeCounts(p)
		s.mergeChoices(p)
		if p.Pattern != "" {
			s.patterns = append(s.patterns, worded{constraint{p, "pattern"}, p.Pattern})
		}
		if p.Format != "" {
			s.formats = append(s.formats, worded{constraint{p, "format"}, p.Format})
		}
		if p.UniqueItems && !s.unique.there() {
			s.unique = constraint{p, "uniqueItems"}
		}
		if p.Nullable && !s.nullable.there() {
			s.nullable = constraint{p, "nullable"}
			if slices.Contains(p.Types, "null") {
				s.nullable.keyword = "type"
			}
		}
		for i, name := range p.Required {
			if !s.requires(name) && !s.closes(p, name) {
				if s.requiring == nil {
					s.requiring = map[string]bool{}
				}
				s.requiring[name] = true
				s.required = append(s.required, named{entry(p, "required", i), name})
			}
		}
	}
	if len(s.types) == 0 {
		s.fail("the types that it must have exclude each other")
	}
	if !typed {
		s.guess()
	}
	s.narrow()
}

func (s *shape) fail(why string) {
	if s.impossible == "" {
		s.impossible = why
	}
}

// restrict keeps the types that a part allows, in its order.
func (s *shape) restrict(p *part) {
	allows := func(t string) bool {
		return slices.Contains(p.Types, t) || t == "integer" && slices.Contains(p.Types, "number")
	}
	if !s.typed.there() {
		s.typed = constraint{p, "type"}
		s.types = slices.Clone(p.Types)
		s.types = slices.DeleteFunc(s.types, func(t string) bool { return t == "null" })
		if len(s.types) == 0 && !slices.Contains(p.Types, "null") {
			s.types = nil
		}
		if slices.Equal(p.Types, []string{"null"}) {
			s.types = []string{"null"}
		}
	} else {
		var left []string
		for _, t := range s.types {
			switch {
			case allows(t):
				left = append(left, t)
			case t == "number" && slices.Contains(p.Types, "integer"):
				left = append(left, "integer")
			}
		}
		s.types = left
	}
	if slices.Contains(p.Types, "integer") && !slices.Contains(p.Types, "number") && !s.integral.there() {
		s.integral = constraint{p, "type"}
	}
}

// guess prefers the type that the keywords apply to, if no type is given.
func (s *shape) guess() {
	prefer := func(t string) {
		s.types = append([]string{t}, slices.DeleteFunc(s.types, func(o string) bool { return o == t })...)
	}
	if s.low.value != nil || s.high.value != nil || s.unit != nil || s.formatLow.value != nil {
		prefer("number")
	}
	if s.minItems.there() || s.maxItems.there() || s.unique.there() ||
		slices.ContainsFunc(s.parts, func(p *part) bool { return p.Items != nil || len(p.PrefixItems) > 0 || p.Contains != nil }) {
		prefer("array")
	}
	if s.minLength.there() || s.maxLength.there() || len(s.patterns) > 0 {
		prefer("string")
	}
	if len(s.required) > 0 || len(s.forced) > 0 || s.minMembers.there() || s.maxMembers.there() ||
		slices.ContainsFunc(s.parts, func(p *part) bool {
			return len(p.Properties) > 0 || p.AdditionalProperties != nil || p.PropertyNames != nil
		}) {
		prefer("object")
	}
}

// mergeChoices keeps the values that a part's enum and const allow.
func (s *shape) mergeChoices(p *part) {
	keep := func(all []choice) {
		if !s.enumerated.there() {
			s.choices, s.enumerated = all, all[0].constraint
			return
		}
		s.choices = slices.DeleteFunc(slices.Clone(s.choices), func(c choice) bool {
			return !slices.ContainsFunc(all, func(o choice) bool { return exactjson.Equal(o.value, c.value) })
		})
		if len(s.choices) == 0 {
			s.fail("the values that it must have exclude each other")
		}
	}
	if p.Const != "" {
		if v, ok := decode(p.Const); ok {
			keep([]choice{{constraint{p, "const"}, v}})
		}
	}
	var all []choice
	for i, text := range p.Enum[:min(len(p.Enum), maxChoices)] {
		if v, ok := decode(text); ok {
			all = append(all, choice{entry(p, "enum", i), v})
		}
	}
	if len(all) > 0 {
		keep(all)
	}
}

// decode reads a JSON text of the document.
func decode(text string) (any, bool) {
	d, err := exactjson.Decode([]byte(text))
	return d.Tree, err == nil
}

// textOf returns the JSON text of a value with sorted members.
func textOf(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// typeConstraint returns the constraint that a value of another type violates.
func (s *shape) typeConstraint() constraint {
	switch {
	case s.typed.there():
		return s.typed
	case s.enumerated.there():
		return constraint{s.enumerated.by, strings.SplitN(s.enumerated.keyword, "/", 2)[0]}
	case len(s.points) > 0:
		return constraint{s.points[0].by, s.points[0].keyword}
	}
	return constraint{s.parts[0], "type"}
}
