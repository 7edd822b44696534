package promise

import (
	"strings"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// Shows reports whether a response whose body has a value shows what a place of the contract is about: the place is one of the documented
// response, or of a schema of which the body holds a value.
func (p *Promises) Shows(ex *spec.Exchange, body any, place string) bool {
	op, ok := p.contract.Operation(ex.Operation)
	if !ok || ex.Response == nil {
		return false
	}
	a := op.ResponseFor(ex.Response.Status)
	if a == nil {
		return false
	}
	deepest, shown := "", false
	if beneath(place, a.Pointer) || beneath(place, a.Definition()) {
		deepest, shown = a.Pointer, true
	}
	for _, m := range a.Content {
		reached := map[string]bool{}
		reach(m.Schema, body, reached, 0)
		around := func(pointer string) {
			if beneath(place, pointer) && len(pointer) >= len(deepest) {
				deepest, shown = pointer, reached[pointer]
			}
		}
		m.Schema.Walk(func(s *spec.Schema) {
			around(s.Pointer)
			for _, property := range s.Properties {
				around(propertyPlace(s, property.Name))
			}
		})
	}
	return shown
}

// beneath reports whether a place is another one, or lies in it.
func beneath(place, of string) bool {
	return place == of || strings.HasPrefix(place, of+"/")
}

// propertyPlace returns where a schema says of what kind a property is, perhaps by a reference.
func propertyPlace(s *spec.Schema, name string) string {
	return jsonpointer.Join(s.Pointer, "properties", name)
}

// reach notes the places of the schemas that a value of a schema, and the values in it, are of.
func reach(s *spec.Schema, value any, reached map[string]bool, depth int) {
	const deepest = 64
	if s == nil || depth > deepest {
		return
	}
	reached[s.Pointer] = true
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
				reached[propertyPlace(s, property.Name)] = true
				reach(property.Schema, member, reached, depth+1)
			}
		}
	case []any:
		for _, item := range v {
			reach(s.Item(), item, reached, depth+1)
		}
	}
}
