package spec

import (
	"hallmark/spec/schema"
	"hallmark/spec/source"
)

// Contract is the OpenAPI document, loaded and compiled once. It never changes, so any number of goroutines may use it;
// what it hands out is shared and must not be changed either.
type Contract struct {
	doc        *source.Document
	reading    Reading
	operations []Operation
	byID       map[string]*Operation
	// templates are the paths of the operations.
	templates []template
	schemas   *schema.Set
}

// NewContract returns the contract that a document was read as.
func NewContract(doc *source.Document, reading Reading) *Contract {
	c := &Contract{doc: doc, reading: reading, operations: reading.Operations, byID: make(map[string]*Operation, len(reading.Operations))}
	if c.schemas = reading.Schemas; c.schemas == nil {
		c.schemas = schema.New(doc, schema.DialectOf(reading.OpenAPI))
	}
	for i := range c.operations {
		c.byID[c.operations[i].ID] = &c.operations[i]
		c.templates = append(c.templates, newTemplate(c.operations[i].Path))
	}
	return c
}

// Operations returns the operations in the order of the document.
func (c *Contract) Operations() []Operation {
	return append([]Operation(nil), c.operations...)
}

// Operation returns an operation by its operationId.
func (c *Contract) Operation(id string) (*Operation, bool) {
	op, ok := c.byID[id]
	return op, ok
}

// Match returns the operation that a request is for. The path is relative to the base address ("/pets/41"), in its escaped
// form and without the query. Of two templates that fit, the one with plain text where the other has a parameter wins.
func (c *Contract) Match(method, path string) (*Operation, bool) {
	segments, ok := unescaped(path)
	if !ok {
		return nil, false
	}
	var best *Operation
	var template template
	for i := range c.operations {
		op := &c.operations[i]
		if t := c.templates[i]; op.Method == method && t.matches(segments) && (best == nil || t.moreSpecific(template)) {
			best, template = op, t
		}
	}
	return best, best != nil
}

// Validator returns what judges values by a schema of the contract; nil for a schema of another one.
func (c *Contract) Validator(s *Schema) *schema.Schema {
	v, ok := c.schemas.At(s.Pointer)
	if !ok {
		return nil
	}
	return v
}

// Digest returns what identifies the text of the contract ("sha256:…").
func (c *Contract) Digest() string { return c.doc.Digest() }

// Texts returns the texts of the files that the contract was read from, and the name by which they call the document itself, see
// source.Document.
func (c *Contract) Texts() (own string, texts map[string]string) { return c.doc.Own(), c.doc.Texts() }

// Title returns the name of the interface.
func (c *Contract) Title() string { return c.doc.Text("/info/title") }

// Version returns the version of the interface (info, version).
func (c *Contract) Version() string { return c.doc.Text("/info/version") }

// Server returns the address of the first server that the document names; of a Swagger 2.0 document its base path. It may be relative, or
// hold variables.
func (c *Contract) Server() string {
	if url := c.doc.Text("/servers/0/url"); url != "" {
		return url
	}
	return c.doc.Text("/basePath")
}

// Line returns the line of a pointer in the document, from 1; 0 when it leads nowhere.
func (c *Contract) Line(pointer string) int { return c.doc.Line(pointer) }

// Exists reports whether a pointer leads somewhere in the document. References are not followed.
func (c *Contract) Exists(pointer string) bool { return c.doc.Exists(pointer) }

// Excerpt shows what stands at a pointer, see source.Document.
func (c *Contract) Excerpt(pointer string) (source.Excerpt, bool) { return c.doc.Excerpt(pointer) }
