package spec

import (
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Contract is a loaded and compiled OpenAPI document. It is immutable and safe for concurrent use; values that it returns are shared
// and must not be modified.
type Contract struct {
	doc        *source.Document
	reading    Reading
	operations []Operation
	byID       map[string]*Operation
	// templates are the path templates of the operations.
	templates []template
	schemas   *schema.Set
	// formats reports whether all known formats are asserted.
	formats bool
}

// NewContract returns the contract for a document and its reading.
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

// AssertingFormats returns the contract with all known formats asserted (uri, email, hostname and others), in requests and responses.
func (c *Contract) AssertingFormats() *Contract {
	with := *c
	with.schemas, with.formats = schema.NewWithFormats(c.doc, schema.DialectOf(c.reading.OpenAPI)), true
	return &with
}

// AssertsFormats reports whether all known formats are asserted.
func (c *Contract) AssertsFormats() bool { return c.formats }

// Operations returns the operations in document order.
func (c *Contract) Operations() []Operation {
	return append([]Operation(nil), c.operations...)
}

// Operation returns the operation with an operationId.
func (c *Contract) Operation(id string) (*Operation, bool) {
	op, ok := c.byID[id]
	return op, ok
}

// Match returns the operation for a request. The path is relative to the base URL ("/pets/41"), escaped and without the query. If two
// templates match, the one with plain text where the other has a parameter wins.
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

// Validator returns the compiled form of a schema of the contract, or nil for a schema of another contract.
func (c *Contract) Validator(s *Schema) *schema.Schema {
	v, ok := c.schemas.At(s.Pointer)
	if !ok {
		return nil
	}
	return v
}

// Digest returns the digest of the contract's text ("sha256:…").
func (c *Contract) Digest() string { return c.doc.Digest() }

// Document returns the document that the contract was read from.
func (c *Contract) Document() *source.Document { return c.doc }

// Texts returns the texts of the contract's files and the name by which they refer to the document itself, see source.Document.
func (c *Contract) Texts() (own string, texts map[string]string) { return c.doc.Own(), c.doc.Texts() }

// Title returns the name of the interface.
func (c *Contract) Title() string { return c.doc.Text("/info/title") }

// Version returns the version of the interface (info.version).
func (c *Contract) Version() string { return c.doc.Text("/info/version") }

// Server returns the address of the first server of the document, or the base path of a Swagger 2.0 document. It may be relative or
// contain variables.
func (c *Contract) Server() string {
	if url := c.doc.Text("/servers/0/url"); url != "" {
		return url
	}
	return c.doc.Text("/basePath")
}

// Text returns the text at a pointer in the document, or "".
func (c *Contract) Text(pointer string) string { return c.doc.Text(pointer) }

// TextLine returns the line of an offset of the text at a pointer, see source.Document.
func (c *Contract) TextLine(pointer string, offset int) int { return c.doc.TextLine(pointer, offset) }

// Keys returns the names of the members of the object at a pointer, in document order.
func (c *Contract) Keys(pointer string) []string { return c.doc.Keys(pointer) }

// Size returns the number of items of the list at a pointer.
func (c *Contract) Size(pointer string) int { return c.doc.Size(pointer) }

// Line returns the line of a pointer in the document, starting at 1, or 0 if there is nothing.
func (c *Contract) Line(pointer string) int { return c.doc.Line(pointer) }

// Exists reports whether there is something at a pointer in the document. References are not followed.
func (c *Contract) Exists(pointer string) bool { return c.doc.Exists(pointer) }

// Excerpt returns the text at a pointer, see source.Document.
func (c *Contract) Excerpt(pointer string) (source.Excerpt, bool) { return c.doc.Excerpt(pointer) }
