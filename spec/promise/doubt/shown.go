package doubt

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// Document is what [Uncontradicted] reads of a contract.
type Document struct {
	// Validator returns what judges values by a schema; nil for none.
	Validator func(*spec.Schema) *schema.Schema
	// Direction is that of the value that was judged.
	Direction schema.Direction
	// Texts reports whether the value was read from a text, such as a header: there the example "12" is an integer.
	Texts bool
}

// Uncontradicted divides violations of a value of a schema: those that are sure, and as holes those that an example or a default of the document
// has itself, at the same place and in the same way. A document that contradicts itself accuses nobody. beside are the examples beside the
// schema: of the media type or of the header.
func (d Document) Uncontradicted(s *spec.Schema, beside []spec.Example, all []schema.Violation) (sure []schema.Violation, open []schema.Hole) {
	known := map[*spec.Schema][]schema.Violation{}
	if len(all) > 0 {
		known[s] = d.own(s, texts(s, beside))
	}
	for _, v := range all {
		if !d.shows(s, v, known) {
			sure = append(sure, v)
			continue
		}
		open = append(open, schema.Hole{
			Pointer: v.Constraint, Line: v.Line, Reason: "an example or a default of the document breaks the schema in the same way",
		})
	}
	return sure, open
}

// mostSchemas is how many schemas are looked at for one violation.
const mostSchemas = 500

// mostSteps is how many schemas are asked about one example.
const mostSteps = 20_000

// shows reports whether a value that the document gives for the place of a violation, or for a place around it, has the same violation. known
// holds the violations of the values of the schemas that were looked at.
func (d Document) shows(s *spec.Schema, v schema.Violation, known map[*spec.Schema][]schema.Violation) bool {
	left := mostSchemas
	at := []*spec.Schema{s}
	for depth := 0; len(at) > 0; depth++ {
		at = alternatives(at, &left)
		for _, one := range at {
			found, looked := known[one]
			if !looked {
				found = d.own(one, texts(one, nil))
				known[one] = found
			}
			if slices.ContainsFunc(found, func(w schema.Violation) bool { return samePath(v.Path[depth:], w.Path) && sameWay(v, w) }) {
				return true
			}
		}
		if depth == len(v.Path) {
			break
		}
		at = below(at, v.Path[depth])
	}
	return false
}

// own returns the violations of values that the document gives of a schema.
func (d Document) own(s *spec.Schema, texts []string) []schema.Violation {
	var all []schema.Violation
	if len(texts) == 0 {
		return nil
	}
	v := d.Validator(s)
	if v == nil {
		return nil
	}
	for _, text := range texts {
		decoded, err := exactjson.Decode([]byte(text))
		if err != nil || d.readsWell(v, decoded.Tree) {
			continue
		}
		all = append(all, v.ValidateWithin(decoded.Tree, d.Direction, mostSteps).Violations...)
	}
	return all
}

// readsWell reports whether an example is a text that holds a value of the schema, where values are read from texts.
func (d Document) readsWell(v *schema.Schema, value any) bool {
	text, is := value.(string)
	if !d.Texts || !is {
		return false
	}
	inner, err := exactjson.Decode([]byte(text))
	if err != nil {
		return false
	}
	keeps, _ := v.KeepsWithin(inner.Tree, d.Direction, mostSteps)
	return keeps
}

// Contradicts reports whether an example or a default that the document gives for a place in a value, or for a place around it, breaks its
// schema.
func (d Document) Contradicts(s *spec.Schema, beside []spec.Example, path []string) bool {
	left := mostSchemas
	at := []*spec.Schema{s}
	for depth := 0; len(at) > 0; depth++ {
		at = alternatives(at, &left)
		for _, one := range at {
			if d.breaks(one, texts(one, beside)) {
				return true
			}
		}
		if depth == len(path) {
			break
		}
		at, beside = below(at, path[depth]), nil
	}
	return false
}

// breaks reports whether one of the values breaks a schema.
func (d Document) breaks(s *spec.Schema, texts []string) bool {
	if len(texts) == 0 {
		return false
	}
	v := d.Validator(s)
	return v != nil && slices.ContainsFunc(texts, func(text string) bool {
		decoded, err := exactjson.Decode([]byte(text))
		if err != nil {
			return false
		}
		if keeps, known, _ := v.SettlesWithin(decoded.Tree, d.Direction, mostSteps); known {
			return !keeps
		}
		return len(v.ValidateWithin(decoded.Tree, d.Direction, mostSteps).Violations) > 0
	})
}

// texts returns the values that the document gives of a schema, and beside it, as JSON texts.
func texts(s *spec.Schema, beside []spec.Example) []string {
	var all []string
	for _, e := range slices.Concat(beside, s.Examples) {
		all = append(all, e.JSON)
	}
	if s.Default != "" {
		all = append(all, s.Default)
	}
	return all
}

// alternatives returns schemas and those that speak of the same place, each once, until none are left to be looked at.
func alternatives(all []*spec.Schema, left *int) []*spec.Schema {
	var found []*spec.Schema
	seen := map[*spec.Schema]bool{}
	for stack := slices.Clone(all); len(stack) > 0 && *left > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		*left--
		found = append(found, s)
		for _, e := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
			stack = append(stack, e.Schema)
		}
		for _, e := range []*spec.Edge{s.Ref, s.Then, s.Else} {
			if e != nil {
				stack = append(stack, e.Schema)
			}
		}
		if s.Discriminator != nil {
			for _, m := range s.Discriminator.Mapping {
				stack = append(stack, m.Schema)
			}
		}
	}
	return found
}

// below returns the schemas that speak of a member or an item of values of schemas.
func below(all []*spec.Schema, token string) []*spec.Schema {
	var found []*spec.Schema
	for _, s := range all {
		if p := s.Property(token); p != nil {
			found = append(found, p.Schema)
		}
		for _, p := range s.PatternProperties {
			found = append(found, p.Schema)
		}
		for _, e := range []*spec.Edge{s.Items, s.AdditionalProperties} {
			if e != nil {
				found = append(found, e.Schema)
			}
		}
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(s.PrefixItems) {
			found = append(found, s.PrefixItems[i].Schema)
		}
	}
	return found
}

// samePath reports whether two paths lead to the same place, of lists whichever item.
func samePath(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool {
		_, errX := strconv.Atoi(x)
		_, errY := strconv.Atoi(y)
		return x == y || errX == nil && errY == nil
	})
}

// sameWay reports whether a value breaks a constraint in the way in which a value of the document breaks it.
func sameWay(v, shown schema.Violation) bool {
	if v.Constraint != shown.Constraint || v.Keyword != shown.Keyword || v.Name != shown.Name {
		return false
	}
	switch v.Keyword {
	case "enum", "const", "discriminator":
		return exactjson.Equal(v.Actual, shown.Actual)
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return compare(v.Actual, shown.Actual) >= 0
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return compare(v.Actual, shown.Actual) <= 0
	case "pattern", "format":
		text, is := v.Actual.(string)
		other, also := shown.Actual.(string)
		if is && also {
			return shape(text) == shape(other)
		}
	}
	return exactjson.TypeName(v.Actual) == exactjson.TypeName(shown.Actual)
}

// compare compares two numbers of a document or counts, exactly; numbers too large for that are the same if they read the same.
func compare(a, b any) int {
	x, okX := rational(a)
	y, okY := rational(b)
	if !okX || !okY {
		return strings.Compare(literal(a), literal(b))
	}
	return x.Cmp(y)
}

func rational(value any) (*big.Rat, bool) {
	text := literal(value)
	if exactjson.IsHuge(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func literal(value any) string {
	switch n := value.(type) {
	case json.Number:
		return n.String()
	case int:
		return strconv.Itoa(n)
	}
	return ""
}

// shape returns a text with a 0 for each run of digits and an a for each run of letters: what dates of one form have in common.
func shape(text string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if r != last || r != '0' && r != 'a' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
