package schema

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/spec/source"
)

// Document gives access to the text that contains the schemas: nodes by JSON Pointer, with lines from 1 (0 if
// unknown), and the targets of references.
type Document interface {
	Node(pointer string) *source.Node
	Line(pointer string) int
	Target(at, ref string) (string, error)
}

// Dialect is the dialect that the schemas of a document are written in.
type Dialect int

// The dialects of OpenAPI's versions; 3.2 has that of 3.1, JSON Schema 2020-12.
const (
	Swagger2 Dialect = iota
	OpenAPI30
	OpenAPI31
)

// DialectOf returns the dialect of an OpenAPI version ("3.0.3"). Unknown versions are treated as the newest.
func DialectOf(version string) Dialect {
	switch {
	case strings.HasPrefix(version, "2."):
		return Swagger2
	case strings.HasPrefix(version, "3.0"):
		return OpenAPI30
	}
	return OpenAPI31
}

// Direction is the direction of a value. A required property that is readOnly is optional in requests, a writeOnly
// one in responses.
type Direction int

// The directions.
const (
	Request Direction = iota
	Response
)

// Set holds the schemas of one document. A schema is compiled once, when it is first needed. A Set is safe for
// concurrent use.
type Set struct {
	doc     Document
	dialect Dialect
	// formats reports whether all known formats bind values, and not only those that can be decided exactly.
	formats bool

	mu       sync.Mutex
	schemas  map[string]*Schema
	units    map[unitKey]*unit
	numbered []*unit
	holes    map[string]Hole
	patterns map[string]*pattern
	flags    map[string]flags

	naming sync.Once
	named  names

	entry    *jsonschema.Schema
	sessions sync.Map // string → *session
	last     atomic.Uint64
}

// New returns the schemas of a document.
func New(doc Document, dialect Dialect) *Set {
	s := &Set{
		doc: doc, dialect: dialect,
		schemas: map[string]*Schema{}, units: map[unitKey]*unit{}, holes: map[string]Hole{}, patterns: map[string]*pattern{}, flags: map[string]flags{},
	}
	s.entry = s.newEntry()
	return s
}

// NewWithFormats returns the schemas of a document in which all known formats bind values, see [Asserts].
func NewWithFormats(doc Document, dialect Dialect) *Set {
	s := New(doc, dialect)
	s.formats = true
	return s
}

// Schema is one schema of a set.
type Schema struct {
	set  *Set
	unit *unit
}

// At returns the schema at a pointer; false if there is nothing. It also returns a malformed schema, whose errors
// are holes, see Result.
func (s *Set) At(pointer string) (*Schema, bool) {
	s.mu.Lock()
	known := s.schemas[pointer]
	s.mu.Unlock()
	if known != nil {
		return known, true
	}
	if s.doc.Node(pointer) == nil {
		return nil, false
	}
	u := unitAt(s, unitKey{pointer: pointer})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.schemas[pointer] == nil {
		s.schemas[pointer] = &Schema{set: s, unit: u}
	}
	return s.schemas[pointer], true
}

// pointer returns the place of the schema in its document.
func (s *Schema) pointer() string { return s.unit.key.pointer }

// Prepare reads the schema now rather than with the first value.
func (s *Schema) Prepare() { s.unit.quickly(s.set) }
