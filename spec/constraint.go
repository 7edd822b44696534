package spec

import (
	"strings"

	"hallmark/spec/jsonpointer"
)

// Constraint is one testable statement of the contract.
type Constraint struct {
	// Pointer is its place in the document.
	Pointer string
	// Owner is what it constrains: a schema, property, parameter, body or response. A rule covers the constraint only if it names a place
	// between the owner and the constraint; a rule that names everything above would cover constraints by accident.
	Owner string
}

// Constraints returns all testable statements of the document: types, formats, enums, bounds, defaults, each required
// entry, each documented response and its content type, required bodies, parameters, security, deprecation, servers and
// the version.
func (c *Contract) Constraints() []Constraint {
	k := collector{seen: map[string]bool{}, schemas: map[*Schema]bool{}}
	k.add("/info/version", "/info/version")
	for i := range c.doc.Size("/servers") {
		k.add(jsonpointer.Index("/servers", i), "/servers")
	}
	for _, op := range c.operations {
		k.security(op)
		if op.Deprecated {
			k.add(op.Pointer+"/deprecated", op.Pointer+"/deprecated")
		}
		if !op.Sunset.IsZero() {
			k.add(op.Pointer+"/x-sunset", op.Pointer+"/x-sunset")
		}
		for _, p := range op.Parameters {
			at := k.use(p.Pointer, p.Via)
			if p.Required {
				k.add(at+"/required", at)
			}
			k.schema(p.Schema, at)
		}
		if op.Body != nil {
			at := op.Body.definition()
			if op.Body.Required {
				k.add(at+"/required", at)
			}
			k.content(at, op.Body.Content)
		}
		for _, a := range op.Responses {
			at := k.use(a.Pointer, a.Via)
			k.content(at, a.Content)
		}
	}
	return k.all
}

// collector collects constraints without duplicates.
type collector struct {
	all  []Constraint
	seen map[string]bool
	// schemas are the schemas that were added; they may be recursive.
	schemas map[*Schema]bool
}

func (k *collector) add(pointer, owner string) {
	if !k.seen[pointer] {
		k.seen[pointer] = true
		k.all = append(k.all, Constraint{Pointer: pointer, Owner: owner})
	}
}

// use adds a reference, and returns the place that it refers to.
func (k *collector) use(pointer string, via []string) string {
	k.add(pointer, pointer)
	return definition(pointer, via)
}

// security adds the security requirements of an operation, unless it is public.
func (k *collector) security(op Operation) {
	if op.Anonymous() {
		return
	}
	for _, requirement := range op.Security {
		for _, s := range requirement {
			k.add(s.Pointer, s.Pointer)
			k.add(s.SchemePointer+"/type", s.SchemePointer)
			if s.Scheme != "" {
				k.add(s.SchemePointer+"/scheme", s.SchemePointer)
			}
		}
	}
}

func (k *collector) content(at string, content []Media) {
	for i := range content {
		k.add(jsonpointer.Join(at, "content", content[i].Type), at)
		k.schema(content[i].Schema, at)
	}
}

// schema adds the assertions of a schema. Their owner is the component or the property that contains them, otherwise whatever holds
// the schema.
func (k *collector) schema(s *Schema, owner string) {
	if s == nil || k.schemas[s] {
		return
	}
	k.schemas[s] = true
	if strings.HasPrefix(s.Pointer, "/components/schemas/") {
		owner = s.Pointer
	}
	for _, keyword := range s.Keywords() {
		pointer := s.Pointer + "/" + keyword
		if strings.HasPrefix(keyword, "required/") {
			k.add(pointer, pointer)
		} else {
			k.add(pointer, owner)
		}
	}
	if s.Default != "" {
		k.add(s.Pointer+"/default", s.Pointer+"/default")
	}
	for _, p := range s.Properties {
		property := jsonpointer.Join(s.Pointer, "properties", p.Name)
		k.add(property, property)
		k.schema(p.Schema, property)
	}
	if s.Items != nil {
		k.add(s.Pointer+"/items", owner)
		k.schema(s.Items.Schema, s.Pointer+"/items")
	}
}
