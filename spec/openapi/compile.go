package openapi

import (
	"encoding/json"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/source"
)

// mostCompiled bounds the schemas that the library compiles: its time grows with the square of how deep they lead into each
// other, by some ten seconds for so many.
const mostCompiled = 5000

// compileAnswers compiles the schema of every documented JSON response, each once, however many responses share it. A schema
// that cannot be compiled is listed as left out.
func (r *reader) compileAnswers() map[string]*jsonschema.Schema {
	validators := map[string]*jsonschema.Schema{}
	if r.version < 31 || len(r.doc.Files()) > 0 {
		return validators
	}
	if len(r.schemas) > mostCompiled {
		r.omit(r.at(""), "the document holds more than %d schemas; no body is judged by them", mostCompiled)
		return validators
	}
	const url = "contract:document"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	// Only formats that can be decided are asserted. Left to itself the library takes numbers through float64: 2^63 would be
	// an int64. The formats of ours read the digits.
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "int32", Validate: intFormat(32)})
	c.RegisterFormat(&jsonschema.Format{Name: "int64", Validate: intFormat(64)})
	for _, undecided := range []string{
		"duration", "email", "hostname", "idn-email", "idn-hostname", "iri", "iri-reference", "json-pointer", "period", "regex",
		"relative-json-pointer", "semver", "time", "uri", "uri-reference", "uri-template",
	} {
		c.RegisterFormat(&jsonschema.Format{Name: undecided, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource(url, tree(r.doc.Node(""))); err != nil {
		r.omit(r.at(""), "no schema can be compiled: %v", err)
		return validators
	}
	for i := range r.operations {
		for k := range r.operations[i].Answers {
			s := r.operations[i].Answers[k].Schema()
			if s == nil || validators[s.Pointer] != nil || !r.doc.Exists(s.Pointer) {
				continue
			}
			compiled, err := compile(c, url+"#"+s.Pointer)
			if err != nil {
				r.operation = r.operations[i].ID
				r.omit(r.at(s.Pointer), "the schema cannot be compiled, so no body is judged by it: %v", err)
				continue
			}
			validators[s.Pointer] = compiled
		}
	}
	r.operation = ""
	return validators
}

func compile(c *jsonschema.Compiler, url string) (s *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, errors.New("the library fails on it")
		}
	}()
	return c.Compile(url)
}

// nothing loads nothing: what a document needs is in it.
type nothing struct{}

func (nothing) Load(string) (any, error) { return nil, errors.New("it is in another document") }

// tree returns a node as the library takes it: objects as maps, numbers as text.
func tree(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		members := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			members[n.Content[i].Value] = tree(n.Content[i+1])
		}
		return members
	case yaml.SequenceNode:
		items := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			items = append(items, tree(item))
		}
		return items
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		value, _ := boolOf(n)
		return value
	case "!!int", "!!float":
		if text, ok := source.Number(n); ok {
			return json.Number(text)
		}
	}
	return n.Value
}

// errOutside is what the integer formats return; the text of findings is made elsewhere.
var errOutside = errors.New("out of range")

// intFormat asserts a format of integers. A value of another type is none of a format's business.
func intFormat(bits int) func(any) error {
	return func(v any) error {
		if n, ok := v.(json.Number); ok && !exactjson.FitsInt(n, bits) {
			return errOutside
		}
		return nil
	}
}

// checkExamples lists the examples of responses that violate their schema.
func (r *reader) checkExamples(validators map[string]*jsonschema.Schema) {
	for i := range r.operations {
		for _, a := range r.operations[i].Answers {
			for _, m := range a.Content {
				if m.Schema != nil && m.IsJSON() {
					r.checkExample(m.Examples, m.Schema.Pointer, validators[m.Schema.Pointer])
				}
			}
		}
	}
}

func (r *reader) checkExample(examples []spec.Example, pointer string, s *jsonschema.Schema) {
	if s == nil {
		return
	}
	for _, e := range examples {
		d, err := exactjson.Decode([]byte(e.JSON))
		if err != nil || s.Validate(d.Tree) == nil {
			continue
		}
		r.defect(r.at(e.Pointer), "the example violates its schema, which is in line %d", r.doc.Line(pointer))
	}
}
