package openapi

import (
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi/census"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Load reads an OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0 document in YAML or JSON. References to other files cannot be followed. Parts
// that are not understood are listed in [spec.Contract.Omissions]. If nothing can be judged, Load returns a *source.Error.
func Load(data []byte) (*spec.Contract, error) {
	doc, err := source.Parse(data)
	if err != nil {
		return nil, err
	}
	return read(doc)
}

// LoadFile reads the document in a file and the files that it refers to. The error is a *source.Error unless the file
// cannot be read.
func LoadFile(name string, options source.Options) (*spec.Contract, error) {
	doc, err := source.Open(name, options)
	if err != nil {
		return nil, err
	}
	return read(doc)
}

// Reload returns the contract of texts that [spec.Contract.Texts] returned. It reads no file. The error is a *source.Error.
func Reload(own string, texts map[string]string) (*spec.Contract, error) {
	doc, err := source.Reopen(own, texts)
	if err != nil {
		return nil, err
	}
	return read(doc)
}

// read makes a contract of a document.
func read(doc *source.Document) (c *spec.Contract, err error) {
	defer func() {
		if r := recover(); r != nil { // a bug in hallmark: no document may crash it
			c, err = nil, source.Errorf(0, "it cannot be read because of a bug in hallmark; please report it: %v", r)
		}
	}()
	version, number, err := versionOf(doc)
	if err != nil {
		return nil, err
	}
	if err := limits(doc); err != nil {
		return nil, err
	}
	r := newReader(doc, version)
	for _, remark := range doc.Remarks() {
		r.defect(place{nil, remark.Pointer, remark.Line}, "%s", remark.Text)
	}
	reading, err := r.document()
	if err != nil {
		return nil, err
	}
	reading.OpenAPI = number
	return spec.NewContract(doc, reading), nil
}

// versionOf returns the OpenAPI version of a document.
func versionOf(doc *source.Document) (version int, number string, err error) {
	for _, key := range []string{"openapi", "swagger"} {
		n := doc.Node("/" + key)
		if n == nil || n.Kind != source.ScalarNode {
			continue
		}
		for prefix, v := range map[string]int{"2.0": 20, "3.0": 30, "3.1": 31, "3.2": 32} {
			if n.Value == prefix || strings.HasPrefix(n.Value, prefix+".") || key == "swagger" && n.Value == "2" && v == 20 {
				return v, n.Value, nil
			}
		}
		return 0, "", source.Errorf(doc.Line("/"+key), "it uses OpenAPI %s; hallmark reads 3.0, 3.1, 3.2 and Swagger 2.0", n.Value)
	}
	return 0, "", source.Errorf(doc.Line(""), "it has no openapi field, so it is not an OpenAPI document; hallmark reads OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0")
}

// document reads the whole document.
func (r *reader) document() (spec.Reading, error) {
	root := r.placeAt("")
	if info, ok := r.child(root, "info"); !ok || r.text(info, "version") == "" {
		r.defect(root, "its version is missing (info.version)")
	}
	for _, later := range []string{"webhooks", "x-webhooks"} {
		if at, ok := r.child(root, later); ok {
			r.omit(at, "%s are requests sent by the service; hallmark judges only its responses", later)
		}
	}
	if dialect, ok := r.child(root, "jsonSchemaDialect"); ok && !knownDialect(dialect.node.Value) {
		r.omit(dialect, "the schemas are read as JSON Schema 2020-12, not as %s", dialect.node.Value)
	}
	r.nulls(root, "security", "servers", "consumes", "produces")
	found := findOperations(r)
	if len(found) == 0 {
		return spec.Reading{}, r.noOperations()
	}
	if len(found) > mostOperations {
		return spec.Reading{}, source.Errorf(found[mostOperations].operation.line, "it defines %d operations; hallmark reads at most %d; split the document", len(found), mostOperations)
	}
	for _, f := range found {
		r.operation = f.id
		r.origins = map[*yaml.Node]origin{}
		if op, err := (&outline{reader: r}).operation(f); err == nil {
			r.operations = append(r.operations, readOperation(r, f, op))
		} else {
			r.omit(f.operation, "libopenapi does not read all of %s %s; it is left out", f.method, f.path)
		}
	}
	r.operation = ""
	r.readSchemas()
	reading := spec.Reading{Operations: r.operations, Servers: readServers(r, root)}
	if r.version == 20 {
		reading.Servers = swaggerServers(r, root)
	}
	checkPaths(r, found)
	reading.Schemas = compile(r)
	checkExamples(r, reading.Schemas)
	r.omitUnread(reading.Operations)
	r.takeCensus(reading.Operations)
	reading.Omissions, reading.Defects = r.listed()
	return reading, nil
}

// omitUnread reports the bodies of responses that no run judges by their schema, since it does not read their media type: each type once,
// at its first place.
func (r *reader) omitUnread(operations []spec.Operation) {
	first := map[string]place{}
	at := func(key, pointer string) place {
		if _, known := first[key]; !known {
			first[key] = r.placeAt(pointer)
		}
		return first[key]
	}
	for i := range operations {
		r.operation = operations[i].ID
		for _, a := range operations[i].Responses {
			for k := range a.Content {
				m := &a.Content[k]
				switch media, err := wire.ParseMedia(m.Type); {
				case err != nil || media.IsRange():
				case !m.Schema.OnlyBytes() && !wire.Reads(media, m.Schema.Types):
					r.omit(at(m.Type, m.Pointer), "bodies of the type %s are not read, so responses are not judged by their schema", m.Type)
				case slices.Contains([]wire.MediaKind{wire.KindLines, wire.KindSequence, wire.KindEvents}, wire.KindOf(m.Type)) && m.Item.Schema == nil && !m.Schema.OnlyBytes() && m.Schema.Item() == nil:
					r.omit(at("stream", m.Pointer), "the schema does not say what the items of a stream are (itemSchema, or an array), so they are not judged")
				}
			}
		}
	}
	r.operation = ""
}

// takeCensus reports what the document describes and the reader has neither used nor reported: nothing is skipped silently.
func (r *reader) takeCensus(operations []spec.Operation) {
	var remarks []string
	for _, o := range r.omissions {
		remarks = append(remarks, o.Pointer)
	}
	for _, d := range r.defects {
		remarks = append(remarks, d.Pointer)
	}
	for _, item := range census.Missing(r.doc, r.version, operations, remarks) {
		r.omit(r.placeAt(item.Places[0]), "%s is not supported and is ignored", item.Words())
	}
}

// noOperations explains why there is nothing to judge.
func (r *reader) noOperations() error {
	_, defects := r.listed()
	if i := slices.IndexFunc(defects, func(d spec.Defect) bool { return strings.HasPrefix(d.Pointer, "/paths") }); i >= 0 {
		return source.Errorf(defects[i].Line, "it defines no operations that can be read: %s", defects[i].Text)
	}
	if line := r.doc.Line("/paths"); line > 0 {
		return source.Errorf(line, "it defines no operations (paths), so there is nothing to test")
	}
	if line := r.doc.Line("/webhooks"); line > 0 {
		return source.Errorf(line, "it has webhooks but no paths; hallmark tests the requests that a service accepts, not those that it sends")
	}
	return source.Errorf(r.doc.Line(""), "it has no paths, so there are no operations to test")
}

func knownDialect(uri string) bool {
	return strings.Contains(uri, "spec.openapis.org/oas/") || strings.Contains(uri, "json-schema.org/draft/2020-12/")
}
