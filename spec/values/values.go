package values

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Values are constants for requests. After Check they are immutable and safe for concurrent use. The zero value and nil are empty.
type Values struct {
	by    map[string]*entry
	order []*entry
	// repeated are the commands that run for each request.
	repeated []*part
}

// wholeBody follows the operation in the name of an entry for its whole body.
const wholeBody = "body"

// Given is the constant for a place.
type Given struct {
	Value any
	// Named reports whether the entry names the operation rather than applying to all operations with such a place.
	Named bool
	entry *entry
	err   error
}

// Parameter returns the value of a parameter, and false if none is given.
func (v *Values) Parameter(op *spec.Operation, p spec.Parameter) (Given, bool) {
	s := p.Schema
	if p.Content != nil {
		s = p.Content.Schema
	}
	return v.find(op, p.Name, s)
}

// Body returns the whole body of an operation, and false if none is given.
func (v *Values) Body(op *spec.Operation) (Given, bool) {
	if v == nil || op.Body == nil {
		return Given{}, false
	}
	e := v.by[op.ID+"."+wholeBody]
	if e == nil || slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool { return p.Name == wholeBody }) {
		return Given{}, false
	}
	return e.given(op.Body.Schema(), true), true
}

// Member is a place in a body and its value.
type Member struct {
	Pointer string
	Given
	Schema *spec.Schema
}

// Members returns the given members of an operation's body.
func (v *Values) Members(op *spec.Operation) []Member {
	if v == nil || op.Body == nil || op.Body.Schema() == nil {
		return nil
	}
	var all []Member
	for _, e := range v.order {
		pointer, named := strings.CutPrefix(e.key, op.ID+".")
		if !strings.HasPrefix(pointer, "/") {
			continue
		}
		if !named && v.by[op.ID+"."+pointer] != nil {
			continue // an entry for the operation takes precedence
		}
		if s := schemaAt(op.Body.Schema(), jsonpointer.Tokens(pointer), 0); s != nil {
			all = append(all, Member{pointer, e.given(s, named), s})
		}
	}
	return all
}

func (v *Values) find(op *spec.Operation, name string, s *spec.Schema) (Given, bool) {
	if v == nil {
		return Given{}, false
	}
	if e := v.by[op.ID+"."+name]; e != nil {
		return e.given(s, true), true
	}
	if e := v.by[name]; e != nil {
		return e.given(s, false), true
	}
	return Given{}, false
}

// given returns the value in the form that a schema requires: bytes become a file, a text or JSON.
func (e *entry) given(s *spec.Schema, named bool) Given {
	g := Given{Value: e.value, Named: named, entry: e}
	switch {
	case e.whole != nil:
		g.Value = e.whole.placeholder(s)
	case e.raw != nil:
		g.Value = asSchema(e.raw, s)
	case len(e.parts) > 0:
		g.Value, g.err = e.resolved(e.value, s, "")
	}
	return g
}

// resolved returns a constant with the files and commands in it replaced by what they hold or print. An object that a schema allows is meant as
// it is.
func (e *entry) resolved(value any, s *spec.Schema, at string) (any, error) {
	if p := e.parts[at]; p != nil {
		of := schemaAt(s, jsonpointer.Tokens(at), 0)
		if of == nil || slices.Contains(request.HintOf(of).Types, "object") || len(of.Properties) > 0 {
			return value, nil
		}
		data, err := p.read()
		if err != nil || !p.again {
			return asSchema(data, of), err
		}
		return p.placeholder(of), nil
	}
	var first error
	inner := func(one any, step string) any {
		made, err := e.resolved(one, s, jsonpointer.Join(at, step))
		if first == nil {
			first = err
		}
		return made
	}
	switch v := value.(type) {
	case map[string]any:
		made := make(map[string]any, len(v))
		for name, one := range v {
			made[name] = inner(one, name)
		}
		return made, first
	case []any:
		made := make([]any, len(v))
		for i, one := range v {
			made[i] = inner(one, strconv.Itoa(i))
		}
		return made, first
	}
	return value, nil
}

// asSchema returns bytes as a file, a text or JSON, as a schema requires.
func asSchema(data []byte, s *spec.Schema) any {
	hint := request.HintOf(s)
	switch {
	case s == nil || hint.Binary:
		return wire.File{Data: data}
	case len(hint.Types) > 0 && !slices.Contains(hint.Types, "string"):
		if d, err := exactjson.Decode(data); err == nil {
			return d.Tree
		}
	}
	return string(data)
}

// schemaAt returns the schema of a place in a body, or nil.
func schemaAt(s *spec.Schema, tokens []string, depth int) *spec.Schema {
	const deepest = 30
	if s == nil || depth > deepest {
		return nil
	}
	if len(tokens) == 0 {
		return s
	}
	if p := s.Property(tokens[0]); p != nil {
		if found := schemaAt(p.Schema, tokens[1:], depth+1); found != nil {
			return found
		}
	}
	if item := s.Item(); item != nil && strings.Trim(tokens[0], "0123456789") == "" {
		if found := schemaAt(item, tokens[1:], depth+1); found != nil {
			return found
		}
	}
	parts := slices.Concat(s.AllOf, s.OneOf, s.AnyOf)
	if s.Ref != nil {
		parts = append(parts, *s.Ref)
	}
	for _, e := range parts {
		if found := schemaAt(e.Schema, tokens, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// Check returns an error for the first entry that matches nothing in a contract, or whose value violates the schema of its place. nouns are the
// names of what operations of the contract create.
func (v *Values) Check(c *spec.Contract, nouns []string, valid func(*spec.Schema, any) bool) error {
	if v == nil {
		return nil
	}
	var first *Error
	note := func(e *Error) {
		if first == nil || e.Line < first.Line {
			first = e
		}
	}
	var known []string
	operations := c.Operations()
	for i := range operations {
		op := &operations[i]
		check := func(g Given, s *spec.Schema, what string) {
			g.entry.used = true
			if g.err != nil {
				note(&Error{g.entry.line, g.entry.key + ": " + g.err.Error()})
				return
			}
			if noun := v.unknownNoun(g.Value, nouns); noun != "" {
				note(&Error{g.entry.line, g.entry.key + ": no operation of the contract is known to create what {created " + noun + "} names" + nearest(noun, nouns)})
				return
			}
			if _, file := g.Value.(wire.File); s != nil && !file && !v.fits(g.Value, s, valid) {
				note(&Error{g.entry.line, "the schema of " + what + " of " + op.ID + " does not allow the value of " + g.entry.key + " (line " +
					text.Number(c.Line(s.Pointer)) + " of the contract)"})
			}
		}
		for _, p := range op.Parameters {
			known = append(known, p.Name, op.ID+"."+p.Name)
			if g, ok := v.Parameter(op, p); ok {
				s := p.Schema
				if p.Content != nil {
					s = p.Content.Schema
				}
				check(g, s, "the parameter "+p.Name)
			}
		}
		if g, ok := v.Body(op); ok {
			check(g, op.Body.Schema(), "the body")
		}
		for _, m := range v.Members(op) {
			check(m.Given, m.Schema, m.Pointer+" in the body")
		}
	}
	for _, e := range v.order {
		if e.used {
			continue
		}
		note(&Error{e.line, "the contract has no parameter and no place in a body called " + e.key + nearest(e.key, known)})
	}
	if first == nil {
		return nil
	}
	return first
}

// nearest suggests the known word that is most like another one.
func nearest(word string, known []string) string {
	if near := text.Similar(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
