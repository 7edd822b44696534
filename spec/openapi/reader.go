package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pb33f/go-yaml"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	"hallmark/spec"
	"hallmark/spec/source"
)

// reader reads a document. What it does not understand it leaves out and lists: a document that is wrong in one place is
// good enough for the others.
type reader struct {
	doc *source.Document
	// version is that of OpenAPI: 20 for Swagger 2.0, 30, 31 or 32.
	version int
	// origins are what the nodes of the outlines that are being read stand for.
	origins map[*yaml.Node]origin
	// schemes are the security schemes by their pointers: many operations ask for the same.
	schemes map[string]*lowv3.SecurityScheme
	// operations are those read so far.
	operations []spec.Operation
	// operation is the id of the operation that is being read; empty for none.
	operation string
	// schema is the schema that is being read, which any number of operations may share; nil for none.
	schema *spec.Schema
	// schemas are those found so far, by their pointers; unread are those that are still to be read.
	schemas map[string]*spec.Schema
	unread  []unreadSchema
	// inherited reports whether some discriminator tells heirs apart: schemas that hold its own by allOf.
	inherited bool
	// examples are the JSON texts of examples by their pointers: components share them.
	examples map[string]string
	// ids leads from pointers of operations to their ids; known are all ids.
	ids   map[string]string
	known map[string]bool
	// mapped are the schemas and the values that a discriminator has.
	mapped map[*spec.Discriminator]map[any]bool

	omissions map[string]*omission
	defects   map[string]spec.Defect
}

func newReader(doc *source.Document, version int) *reader {
	return &reader{
		doc: doc, version: version, schemas: map[string]*spec.Schema{}, ids: map[string]string{}, examples: map[string]string{}, known: map[string]bool{},
		mapped: map[*spec.Discriminator]map[any]bool{}, origins: map[*yaml.Node]origin{}, schemes: map[string]*lowv3.SecurityScheme{},
		omissions: map[string]*omission{}, defects: map[string]spec.Defect{},
	}
}

// omission is an omission whose scope is still growing.
type omission struct {
	spec.Omission
	// operations are the ids of its scope, schemas those that it stands in.
	operations map[string]bool
	schemas    []*spec.Schema
}

// mostRemarks bounds omissions and defects, of each kind: a document that is nothing but wrong needs no more.
const mostRemarks = 5000

// omit lists something as left out.
func (r *reader) omit(p place, format string, args ...any) {
	what := source.OneLine(fmt.Sprintf(format, args...))
	key := p.pointer + "\x00" + what
	o := r.omissions[key]
	if o == nil {
		if len(r.omissions) >= mostRemarks {
			return
		}
		o = &omission{Omission: spec.Omission{Pointer: p.pointer, Line: p.line, What: what}, operations: map[string]bool{}}
		r.omissions[key] = o
	}
	switch {
	case r.schema != nil:
		if !slices.Contains(o.schemas, r.schema) {
			o.schemas = append(o.schemas, r.schema)
		}
	case r.operation != "":
		o.operations[r.operation] = true
	}
}

// defect lists something as wrong with the document.
func (r *reader) defect(p place, format string, args ...any) {
	text := source.OneLine(fmt.Sprintf(format, args...))
	if len(r.defects) < mostRemarks {
		r.defects[p.pointer+"\x00"+text] = spec.Defect{Pointer: p.pointer, Line: p.line, Text: text}
	}
}

// dangling lists a reference that cannot be followed: the document is wrong, and what it stands for is left out.
func (r *reader) dangling(p place, text string) {
	r.defect(p, "%s", text)
	r.omit(p, "%s", text)
}

// listed returns omissions and defects in the order of the document.
func (r *reader) listed() (omissions []spec.Omission, defects []spec.Defect) {
	spread(r)
	for _, o := range r.omissions {
		o.Scope = slices.Sorted(maps.Keys(o.operations))
		o.File, _ = source.FileOf(o.Pointer)
		omissions = append(omissions, o.Omission)
	}
	for _, d := range r.defects {
		d.File, _ = source.FileOf(d.Pointer)
		defects = append(defects, d)
	}
	slices.SortFunc(omissions, func(a, b spec.Omission) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.What, b.What))
	})
	slices.SortFunc(defects, func(a, b spec.Defect) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Text, b.Text))
	})
	return omissions, defects
}
