package openapi

import (
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel/low"
	"github.com/pb33f/libopenapi/datamodel/low/base"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"
	"github.com/pb33f/libopenapi/orderedmap"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// objects maps names to objects, in the order of the outline.
type objects[T any] = *orderedmap.Map[low.KeyReference[string], low.ValueReference[T]]

// mediaTypes is the content of a body, a parameter or a header.
type mediaTypes = low.NodeReference[objects[*lowv3.MediaType]]

// unprefixed returns a name as the document writes it.
func unprefixed(key low.KeyReference[string]) string { return strings.TrimPrefix(key.Value, chosen) }

func readBody(r *reader, m *lowv3.RequestBody, o origin) *spec.RequestBody {
	b := &spec.RequestBody{
		Description: m.Description.Value, Required: m.Required.Value, Pointer: o.at.pointer, Via: o.via, Content: readContent(r, m.Content),
	}
	for i := range b.Content {
		if media := &b.Content[i]; len(b.Content) > 1 && media.IsPatch() {
			r.omit(r.placeAt(media.Pointer), "%s bodies describe changes to existing data and are not generated; another media type is sent", media.Type)
		}
	}
	if len(b.Content) == 0 {
		r.omit(o.at, "the request body has no media type (content); none is sent")
		return nil
	}
	return b
}

// readContent reads the media types of a body, a parameter or a header.
func readContent(r *reader, content mediaTypes) []spec.Media {
	var all []spec.Media
	for key, m := range content.Value.FromOldest() {
		o := r.origins[m.ValueNode]
		media := spec.Media{Type: unprefixed(key), Pointer: o.at.pointer, Examples: readExamples(r, o.target, m.Value.Example, m.Value.Examples.Value)}
		if s := m.Value.Schema; s.Value != nil {
			media.Edge = r.readEdge(r.origins[s.ValueNode].at)
		}
		if s := m.Value.ItemSchema; s.Value != nil {
			media.Item = r.readEdge(r.origins[s.ValueNode].at)
		}
		for key, e := range m.Value.Encoding.Value.FromOldest() {
			if media.Encoding == nil {
				media.Encoding = map[string]spec.Encoding{}
			}
			encoding := spec.Encoding{
				ContentType: e.Value.ContentType.Value, Style: e.Value.Style.Value, AllowReserved: e.Value.AllowReserved.Value,
				Headers: readHeaders(r, e.Value.Headers.Value),
			}
			if e.Value.Explode.ValueNode != nil {
				encoding.Explode = &e.Value.Explode.Value
			}
			media.Encoding[unprefixed(key)] = encoding
		}
		all = append(all, media)
	}
	return all
}

// readExamples reads example and examples next to a schema.
func readExamples(r *reader, at place, example low.NodeReference[*yaml.Node], examples objects[*base.Example]) []spec.Example {
	var all []spec.Example
	if example.ValueNode != nil {
		all = appendExample(r, all, "", r.origins[example.ValueNode].at)
	}
	if e, ok := present(r, at, "x-example"); ok && r.version == 20 { // Swagger 2.0 defines no example for parameters
		all = appendExample(r, all, "", e)
	}
	for key, e := range examples.FromOldest() {
		node := e.Value.Value.ValueNode
		if node == nil {
			node = e.Value.DataValue.ValueNode
		}
		if node == nil {
			continue
		}
		if value, _, ok := r.resolve(r.origins[node].at); ok {
			all = appendExample(r, all, unprefixed(key), value)
		}
	}
	return all
}

// present is like child, but accepts null as a value.
func present(r *reader, p place, name string) (place, bool) {
	key, value := r.doc.Member(p.node, name)
	if value == nil {
		return place{}, false
	}
	at := place{value, p.pointer + "/" + name, int(key.Line)}
	return at, true
}

func appendExample(r *reader, all []spec.Example, name string, at place) []spec.Example {
	if ref, ok := r.child(at, "$ref"); ok && len(at.node.Content) == 2 && ref.node.Kind != 0 {
		return all // an external value, or one that looks like a reference
	}
	text, known := r.examples[at.pointer]
	if !known {
		var ok bool
		if text, ok = source.JSON(at.node); !ok {
			r.omit(at, "the example contains a number that JSON cannot represent or that is too long")
			text = ""
		}
		r.examples[at.pointer] = text
	}
	if text == "" {
		return all
	}
	return append(all, spec.Example{Name: name, Pointer: at.pointer, JSON: text})
}
