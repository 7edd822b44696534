package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is the OpenAPI document, loaded and compiled once. It never changes, so any number of goroutines may use it;
// what it hands out is shared and must not be changed either.
type Contract struct {
	digest     string
	doc        *document
	operations []Operation
	byID       map[string]*Operation
	// validators are the compiled schemas of responses, by the pointer of the schema.
	validators map[string]*jsonschema.Schema
}

// version31 is how a document of OpenAPI 3.1 says that it is one.
var version31 = regexp.MustCompile(`^3\.1\.\d+$`)

// LoadContract reads an OpenAPI 3.1 document, in YAML or JSON. What it cannot judge exactly it refuses, with the line:
// a contract that is half understood would accuse services, or pass them, wrongly.
func LoadContract(data []byte) (c *Contract, err error) {
	defer func() {
		if r := recover(); r != nil {
			c = nil
			var wrong *loadError
			if e, ok := r.(error); ok && errors.As(e, &wrong) {
				err = wrong
				return
			}
			// A panic of a library: the document is one it was not made for.
			err = &loadError{text: fmt.Sprintf("it cannot be read: %v", r)}
		}
	}()
	d := readDocument(data)
	version := d.text("", "openapi")
	switch {
	case version == "":
		fail(0, "it has no field openapi, so it is no OpenAPI document; hallmark reads OpenAPI 3.1")
	case !version31.MatchString(version):
		fail(d.line("/openapi"), "it is OpenAPI %s; hallmark reads 3.1", version)
	case d.text("/info", "version") == "":
		fail(d.line("/info"), "it does not say its version (info, version)")
	}
	sum := sha256.Sum256(data)
	c = &Contract{digest: "sha256:" + hex.EncodeToString(sum[:]), doc: d, operations: d.readOperations()}
	c.byID = make(map[string]*Operation, len(c.operations))
	for i := range c.operations {
		c.byID[c.operations[i].ID] = &c.operations[i]
	}
	c.validators, err = compileAnswers(data, c.operations)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Operations are the operations in the order of the document.
func (c *Contract) Operations() []Operation {
	return append([]Operation(nil), c.operations...)
}

// Operation finds an operation by its operationId.
func (c *Contract) Operation(id string) (*Operation, bool) {
	op, ok := c.byID[id]
	return op, ok
}

// Match finds the operation that a request is for. The path is relative to the base address ("/pets/41"), in its escaped
// form and without the query. Of two templates that fit, the one with plain text where the other has a parameter wins.
func (c *Contract) Match(method, path string) (*Operation, bool) {
	var best *Operation
	for i := range c.operations {
		op := &c.operations[i]
		if op.Method == method && matches(op.Path, path) && (best == nil || plainer(op.Path, best.Path)) {
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

// plainer reports whether the first template has plain text at the first place where only one of them has a parameter.
func plainer(a, b string) bool {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(as), len(bs)) {
		if pa, pb := isPlaceholder(as[i]), isPlaceholder(bs[i]); pa != pb {
			return pb
		}
	}
	return false
}

// Digest identifies the text of the contract ("sha256:…").
func (c *Contract) Digest() string { return c.digest }

// Title is the name of the interface.
func (c *Contract) Title() string { return c.doc.text("/info", "title") }

// Version is the version of the interface (info, version).
func (c *Contract) Version() string { return c.doc.text("/info", "version") }

// Line is the line of a pointer in the document, from 1; 0 when it leads nowhere.
func (c *Contract) Line(pointer string) int { return c.doc.line(pointer) }

// Exists reports whether a pointer leads somewhere in the document. References are not followed.
func (c *Contract) Exists(pointer string) bool {
	_, ok := c.doc.places[pointer]
	return ok
}
