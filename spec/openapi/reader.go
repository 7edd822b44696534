package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pb33f/go-yaml"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// reader reads a document. It leaves out and reports what it does not understand, so that one mistake does not make the rest
// unusable.
type reader struct {
	doc *source.Document
	// version is the OpenAPI version: 20 for Swagger 2.0, 30, 31 or 32.
	version int
	// origins are the origins of the nodes of the current outlines.
	origins map[*yaml.Node]origin
	// schemes are the security schemes by pointer; many operations share them.
	schemes map[string]*lowv3.SecurityScheme
	// operations are the operations read so far.
	operations []spec.Operation
	// operation is the id of the operation being read, or "".
	operation string
	// schema is the schema being read, or nil. Any number of operations may share it.
	schema *spec.Schema
	// schemas are the schemas found so far, by pointer; unread are those still to be read.
	schemas map[string]*spec.Schema
	unread  []unreadSchema
	// inherited reports whether a discriminator has variants that include its own schema by allOf.
	inherited bool
	// examples are the JSON texts of examples by pointer; components share them.
	examples map[string]string
	// ids maps pointers of operations to their ids; known are all ids.
	ids   map[string]string
	known map[string]bool
	// mapped are the schemas and values that each discriminator maps already.
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
	// operations are the ids of its scope, schemas the schemas that contain it.
	operations map[string]bool
	schemas    []*spec.Schema
}

// mostRemarks limits the number of omissions, and of defects.
const mostRemarks = 5000

// omit reports that part of the document is ignored.
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

// defect reports a mistake in the document.
func (r *reader) defect(p place, format string, args ...any) {
	text := source.OneLine(fmt.Sprintf(format, args...))
	if len(r.defects) < mostRemarks {
		r.defects[p.pointer+"\x00"+text] = spec.Defect{Pointer: p.pointer, Line: p.line, Text: text}
	}
}

// dangling reports a reference that cannot be followed, as a defect and as an omission.
func (r *reader) dangling(p place, text string) {
	r.defect(p, "%s", text)
	r.omit(p, "%s", text)
}

// listed returns omissions and defects in document order.
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
