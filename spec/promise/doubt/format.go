package doubt

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// mostDoubts is how many pairs of a schema and a value are looked at for a doubt.
const mostDoubts = 10_000

// Doubtful reports whether a service that holds texts to their formats may refuse a value that matches its schema: documents give "30s" as
// an example of format duration, and standards want "PT30S".
func Doubtful(s *spec.Schema, value any) bool {
	d := doubt{left: mostDoubts, on: map[*spec.Schema]bool{}}
	return d.aboutValue(s, value)
}

type doubt struct {
	left int
	// on are the schemas by which the value at hand is being looked at.
	on map[*spec.Schema]bool
}

func (d *doubt) aboutValue(s *spec.Schema, value any) bool {
	if s == nil || d.on[s] {
		return false
	}
	if d.left--; d.left < 0 {
		return true
	}
	if contested(s, value) {
		return true
	}
	if fits, known := schema.Fits(s.Format, value); known && !fits {
		return true
	}
	d.on[s] = true
	for _, parts := range [][]spec.Edge{s.AllOf, s.OneOf, s.AnyOf} {
		for _, e := range parts {
			if d.aboutValue(e.Schema, value) {
				return true
			}
		}
	}
	if s.Ref != nil && d.aboutValue(s.Ref.Schema, value) {
		return true
	}
	delete(d.on, s)
	return d.inside(s, value)
}

// contested reports whether a value is one that the type of a schema rules out: where it keeps the schema all the same, its enum holds it.
func contested(s *spec.Schema, value any) bool {
	if len(s.Enum) == 0 || len(s.Types) == 0 {
		return false
	}
	name := exactjson.TypeName(value)
	isNumber := name == "number" && slices.Contains(s.Types, "integer")
	return !slices.Contains(s.Types, name) && !isNumber && (value != nil || !s.Nullable)
}

// inside looks at the members or items of a value.
func (d *doubt) inside(s *spec.Schema, value any) bool {
	below := &doubt{left: d.left, on: map[*spec.Schema]bool{}}
	defer func() { d.left = below.left }()
	switch v := value.(type) {
	case map[string]any:
		for i := range s.Properties {
			p := &s.Properties[i]
			if member, there := v[p.Name]; there && below.aboutValue(p.Schema, member) {
				return true
			}
		}
	case []any:
		if s.Items == nil {
			return false
		}
		for _, item := range v {
			if below.aboutValue(s.Items.Schema, item) {
				return true
			}
		}
	}
	return false
}
