package spec

import (
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hallmark/spec/source"
)

// Contract is the OpenAPI document, loaded and compiled once. It never changes, so any number of goroutines may use it;
// what it hands out is shared and must not be changed either.
type Contract struct {
	doc        *source.Document
	reading    Reading
	operations []Operation
	byID       map[string]*Operation
}

// NewContract returns the contract that a document was read as.
func NewContract(doc *source.Document, reading Reading) *Contract {
	c := &Contract{doc: doc, reading: reading, operations: reading.Operations, byID: make(map[string]*Operation, len(reading.Operations))}
	for i := range c.operations {
		c.byID[c.operations[i].ID] = &c.operations[i]
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
	var best *Operation
	for i := range c.operations {
		op := &c.operations[i]
		if op.Method == method && matches(op.Path, path) && (best == nil || moreSpecific(op.Path, best.Path)) {
			best = op
		}
	}
	return best, best != nil
}

// matches reports whether a path fits a template. A parameter takes exactly one segment, which must not be empty.
func matches(template, path string) bool {
	for {
		var want, got string
		var more, left bool
		want, template, more = strings.Cut(template, "/")
		got, path, left = strings.Cut(path, "/")
		if isPlaceholder(want) {
			if got == "" {
				return false
			}
		} else if plain, err := url.PathUnescape(got); err != nil || plain != want {
			return false
		}
		if more != left {
			return false
		}
		if !more {
			return true
		}
	}
}

func isPlaceholder(segment string) bool {
	return strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}")
}

// moreSpecific reports whether the first template has plain text at the first place where only one of them has a parameter.
func moreSpecific(a, b string) bool {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(as), len(bs)) {
		if pa, pb := isPlaceholder(as[i]), isPlaceholder(bs[i]); pa != pb {
			return pb
		}
	}
	return false
}

// Validator returns the compiled form of the schema of a documented response; nil for any other schema.
func (c *Contract) Validator(s *Schema) *jsonschema.Schema { return c.reading.Validators[s.Pointer] }

// Digest returns what identifies the text of the contract ("sha256:…").
func (c *Contract) Digest() string { return c.doc.Digest() }

// Title returns the name of the interface.
func (c *Contract) Title() string { return c.doc.Text("/info/title") }

// Version returns the version of the interface (info, version).
func (c *Contract) Version() string { return c.doc.Text("/info/version") }

// Line returns the line of a pointer in the document, from 1; 0 when it leads nowhere.
func (c *Contract) Line(pointer string) int { return c.doc.Line(pointer) }

// Exists reports whether a pointer leads somewhere in the document. References are not followed.
func (c *Contract) Exists(pointer string) bool { return c.doc.Exists(pointer) }

// Excerpt shows what stands at a pointer, see source.Document.
func (c *Contract) Excerpt(pointer string) (source.Excerpt, bool) { return c.doc.Excerpt(pointer) }
