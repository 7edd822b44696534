package openapi

import (
	"hallmark/spec"
	"hallmark/spec/source"
)

func readBody(r *reader, body origin) *spec.RequestBody {
	at, target, via := body.at, body.target, body.via
	b := &spec.RequestBody{Description: r.prose(target, "description"), Required: r.boolean(target, "required", false), Pointer: at.pointer, Via: via}
	if content, ok := r.part(target, "content"); ok {
		b.Content = readContent(r, content)
		for i, m := range r.object(content, "content") {
			if len(b.Content) > 1 && b.Content[i].IsPatch() {
				r.omit(m.place, "bodies of %s are operations on what is there, and are not made up; another media type is sent", m.name)
			}
		}
	}
	if len(b.Content) == 0 {
		r.omit(at, "the request body has no media type (content); none is sent")
		return nil
	}
	return b
}

// readContent reads the media types of a body, a parameter or a header.
func readContent(r *reader, content place) []spec.Media {
	var all []spec.Media
	for _, m := range r.object(content, "content") {
		media := spec.Media{Type: m.name, Pointer: m.pointer}
		if target, _, ok := r.resolve(m.place); ok && !isNull(target.node) {
			readMedia(r, target, &media)
		}
		all = append(all, media)
	}
	return all
}

func readMedia(r *reader, at place, m *spec.Media) {
	if s, ok := r.child(at, "schema"); ok {
		m.Edge = r.readEdge(s)
	}
	if s, ok := r.child(at, "itemSchema"); ok {
		m.Item = r.readEdge(s)
	}
	m.Examples = readExamples(r, at)
	for _, e := range r.objectAt(at, "encoding") {
		if r.inPart { // it would have headers of its own, which may lead back to this one
			r.omit(e.place, "the value of a header of a part has no parts")
			continue
		}
		if m.Encoding == nil {
			m.Encoding = map[string]spec.Encoding{}
		}
		encoding := spec.Encoding{
			ContentType: r.text(e.place, "contentType"), Style: r.text(e.place, "style"),
			AllowReserved: r.boolean(e.place, "allowReserved", false),
		}
		r.inPart = true
		encoding.Headers = readHeaders(r, e.place)
		r.inPart = false
		if _, ok := r.child(e.place, "explode"); ok {
			explode := r.boolean(e.place, "explode", encoding.Style == "" || encoding.Style == "form")
			encoding.Explode = &explode
		}
		m.Encoding[e.name] = encoding
	}
	for _, later := range []string{"itemEncoding", "prefixEncoding"} {
		if e, ok := r.child(at, later); ok {
			r.omit(e, "%s is not understood", later)
		}
	}
}

// readExamples reads example and examples beside a schema.
func readExamples(r *reader, at place) []spec.Example {
	var all []spec.Example
	if e, ok := present(r, at, "example"); ok {
		all = appendExample(r, all, "", e)
	}
	if e, ok := present(r, at, "x-example"); ok && r.version == 20 { // Swagger 2.0 has no example of a parameter
		all = appendExample(r, all, "", e)
	}
	examples, ok := r.part(at, "examples")
	if !ok || r.version == 20 {
		return all
	}
	for _, e := range r.object(examples, "examples") {
		target, _, ok := r.resolve(e.place)
		if !ok {
			continue
		}
		for _, name := range []string{"value", "dataValue"} {
			if value, ok := present(r, target, name); ok {
				if value, _, ok := r.resolve(value); ok {
					all = appendExample(r, all, e.name, value)
				}
				break
			}
		}
	}
	return all
}

// present is child, save that null is a value like any other.
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
		return all // a value kept elsewhere, or one that looks like a reference
	}
	text, known := r.examples[at.pointer]
	if !known {
		var ok bool
		if text, ok = source.JSON(at.node); !ok {
			r.omit(at, "the example holds a number that JSON cannot write, or one longer than hallmark reads")
			text = ""
		}
		r.examples[at.pointer] = text
	}
	if text == "" {
		return all
	}
	return append(all, spec.Example{Name: name, Pointer: at.pointer, JSON: text})
}
