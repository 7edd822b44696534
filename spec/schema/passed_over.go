package schema

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec/source"
)

// Documents use keywords that their dialect ignores, together with others that make sense only in combination:
// patternProperties and additionalProperties: false, prefixItems and items: false. If one of them is ignored, a
// service that does what was meant violates the other, so that is ignored, too.

// passedOver are the keywords that judge values in JSON Schema 2020-12, and not in OpenAPI before 3.1.
var passedOver = []string{
	"const", "prefixItems", "contains", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "if", "then", "else",
	"unevaluatedProperties", "unevaluatedItems", "$dynamicRef",
}

// passesOver reports whether a dialect passes over a keyword that judges values.
func (d Dialect) passesOver(keyword string) bool {
	switch {
	case d == OpenAPI31:
		return false
	case d == Swagger2 && slices.Contains([]string{"oneOf", "anyOf", "not"}, keyword):
		return true
	}
	return slices.Contains(passedOver, keyword)
}

// partners maps keywords to those that they depend on: they are ignored if one of these is present and ignored.
var partners = map[string][]string{
	"additionalProperties": {"patternProperties", "if", "then", "else", "dependentSchemas", "oneOf", "anyOf"},
	"items":                {"prefixItems"},
}

// Partner returns the ignored keyword because of which another one is ignored, or "". has reports whether the
// schema has a keyword.
func (d Dialect) Partner(keyword string, has func(keyword string) bool) string {
	for _, other := range partners[keyword] {
		if d.passesOver(other) && has(other) {
			return other
		}
	}
	return ""
}

// mostLooked bounds how many schemas are searched for an ignored keyword.
const mostLooked = 1_000

// isHalf reports whether the dialect ignores a keyword of a schema or of one that it leads to: then the schema
// says less than was meant, and conforming to it proves nothing. An ignored const is judged separately, see
// earlyConstant.
func (s *Set) isHalf(n *source.Node, pointer string) bool {
	if s.dialect == OpenAPI31 {
		return false
	}
	l := look{set: s, left: mostLooked, seen: map[*source.Node]bool{}}
	return l.half(n, pointer)
}

type look struct {
	set  *Set
	left int
	seen map[*source.Node]bool
}

func (l *look) half(n *source.Node, pointer string) bool {
	if n == nil || n.Kind != source.MappingNode || l.seen[n] {
		return false
	}
	l.seen[n] = true
	if l.left--; l.left < 0 {
		return false
	}
	if ref := lookup(n, "$ref"); ref != nil && ref.Kind == source.ScalarNode {
		target, err := l.set.target(pointer, ref.Value)
		return err == nil && l.half(l.set.doc.Node(target), target)
	}
	for _, m := range members(n) {
		if m.name != "const" && l.set.dialect.passesOver(m.name) {
			return true
		}
		switch value := m.value; m.name {
		case "properties":
			for _, p := range members(value) {
				if l.half(p.value, pointer) {
					return true
				}
			}
		case "allOf", "anyOf", "oneOf":
			for _, item := range value.Content {
				if l.half(item, pointer) {
					return true
				}
			}
		case "not", "items", "additionalProperties":
			if l.half(value, pointer) {
				return true
			}
		}
	}
	return false
}
