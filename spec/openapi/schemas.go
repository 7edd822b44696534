package openapi

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// compile compiles the schemas of the document and reports the keywords that cannot be used.
func compile(r *reader) *schema.Set {
	set := schema.New(r.doc, r.dialect())
	way := wayBack{users: map[*spec.Schema]map[string]bool{}}
	for i := range r.operations {
		way.uses(&r.operations[i])
	}
	var roots []string
	for s := range way.users {
		// The form of Swagger 2.0 is made of parameters, so its schema is not in the document.
		if n := r.doc.Node(s.Pointer); n != nil && n.Kind == source.MappingNode {
			roots = append(roots, s.Pointer)
		}
	}
	slices.Sort(roots)
	listed := map[string]bool{}
	for _, o := range r.omissions {
		listed[o.Pointer] = true
	}
	for _, h := range set.Survey(roots).Holes {
		if !listed[h.Pointer] {
			r.schema = around(r, h.Pointer)
			r.omit(r.placeAt(h.Pointer), "%s; it is ignored", h.Reason)
		}
	}
	r.schema = nil
	return set
}

// dialect returns that of the schemas.
func (r *reader) dialect() schema.Dialect {
	switch r.version {
	case 20:
		return schema.Swagger2
	case 30:
		return schema.OpenAPI30
	}
	return schema.OpenAPI31
}

// around returns the innermost schema that contains a pointer, or nil.
func around(r *reader, pointer string) *spec.Schema {
	for i := len(pointer); i > 0; i = strings.LastIndexByte(pointer[:i], '/') {
		if s := r.schemas[pointer[:i]]; s != nil {
			return s
		}
	}
	return nil
}

// mostGivenUp is how many examples are tried with schemas that have too many branches to follow.
const mostGivenUp = 5

// checkExamples reports examples of requests and responses that violate their schemas.
func checkExamples(r *reader, set *schema.Set) {
	left := mostGivenUp
	for i := range r.operations {
		op := &r.operations[i]
		if op.Body != nil {
			checkMedia(r, set, op.Body.Content, schema.Request, &left)
		}
		for _, a := range op.Responses {
			checkMedia(r, set, a.Content, schema.Response, &left)
		}
	}
}

func checkMedia(r *reader, set *schema.Set, content []spec.Media, d schema.Direction, left *int) {
	for _, m := range content {
		if m.Schema == nil || !m.IsJSON() || len(m.Examples) == 0 {
			continue
		}
		s, ok := set.At(m.Schema.Pointer)
		if !ok {
			continue
		}
		for _, e := range m.Examples {
			tree, err := exactjson.Decode([]byte(e.JSON))
			if err != nil || *left == 0 {
				continue
			}
			result := s.Validate(tree.Tree, d)
			if result.GaveUp {
				*left--
			}
			for _, v := range result.Violations {
				if !v.Advice {
					r.defect(r.placeAt(e.Pointer), "the example violates its schema in line %d", r.doc.Line(m.Schema.Pointer))
					break
				}
			}
		}
	}
}
