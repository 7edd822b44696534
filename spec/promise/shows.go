package promise

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Shows returns a function that reports whether a response whose body has a value shows what a place of the contract is about: the place is
// one of the documented response, or of a schema of which the body holds a value.
func (p *Promises) Shows(ex *spec.Exchange, body any) func(place string) bool {
	var answer *spec.DocumentedResponse
	if op, ok := p.contract.Operation(ex.Operation); ok && ex.Response != nil {
		answer = op.ResponseFor(ex.Response.Status)
	}
	if answer == nil {
		return func(string) bool { return false }
	}
	type part struct {
		pointer string
		shown   bool
	}
	var parts []part
	for _, m := range answer.Content {
		reached := map[site]bool{}
		reach(m.Schema, body, reached, 0)
		m.Schema.Walk(func(s *spec.Schema) {
			parts = append(parts, part{s.Pointer, reached[site{s.Pointer, ""}]})
			for _, bound := range []string{"maxItems", "uniqueItems"} {
				parts = append(parts, part{jsonpointer.Join(s.Pointer, bound), reached[site{s.Pointer, anItem}]})
			}
			for _, property := range s.Properties {
				parts = append(parts, part{propertyPlace(s, property.Name), reached[site{s.Pointer, property.Name}]})
			}
		})
	}
	return func(place string) bool {
		deepest, shown := "", false
		if beneath(place, answer.Pointer) || beneath(place, answer.Definition()) {
			deepest, shown = answer.Pointer, true
		}
		for _, p := range parts {
			if beneath(place, p.pointer) && len(p.pointer) >= len(deepest) {
				deepest, shown = p.pointer, p.shown
			}
		}
		return shown
	}
}

// anItem is the property of a [site] that says that a list holds an item: an empty list shows nothing of how many it may hold.
const anItem = "\x00item"

// site is a schema, by its pointer, or one of its properties.
type site struct{ schema, property string }

// beneath reports whether a place is another one, or lies in it.
func beneath(place, of string) bool {
	rest, ok := strings.CutPrefix(place, of)
	return ok && (rest == "" || rest[0] == '/')
}

// propertyPlace returns where a schema says of what kind a property is, perhaps by a reference.
func propertyPlace(s *spec.Schema, name string) string {
	return jsonpointer.Join(s.Pointer, "properties", name)
}

// reach notes the places of the schemas that a value of a schema, and the values in it, are of.
func reach(s *spec.Schema, value any, reached map[site]bool, depth int) {
	const deepest = 64
	if s == nil || depth > deepest {
		return
	}
	reached[site{s.Pointer, ""}] = true
	if s.Ref != nil {
		reach(s.Ref.Schema, value, reached, depth+1)
	}
	for _, list := range [][]spec.Edge{s.AllOf, s.OneOf, s.AnyOf} {
		for _, e := range list {
			reach(e.Schema, value, reached, depth+1)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, property := range s.Properties {
			if member, there := v[property.Name]; there {
				reached[site{s.Pointer, property.Name}] = true
				reach(property.Schema, member, reached, depth+1)
			}
		}
	case []any:
		reached[site{s.Pointer, anItem}] = reached[site{s.Pointer, anItem}] || len(v) > 0
		for _, item := range v {
			reach(s.Item(), item, reached, depth+1)
		}
	}
}
