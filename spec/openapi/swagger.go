package openapi

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Swagger 2.0 keeps some things elsewhere: bodies among the parameters, media types in consumes and produces, and the schemas of
// parameters in the parameters themselves.

const (
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
)

// swaggerMedia returns the media types of request bodies (consumes) or responses (produces) of an operation.
func swaggerMedia(r *reader, operation place, key string) []string {
	if _, own := r.child(operation, key); own {
		return r.texts(operation, key)
	}
	return r.texts(r.placeAt(""), key)
}

// swaggerBody separates the parameters that make up a body from the others.
func swaggerBody(r *reader, f found, uses []use) ([]use, *spec.RequestBody) {
	var body *use
	var fields, others []use
	for i, u := range uses {
		switch u.in {
		case "body":
			body = &uses[i]
		case "formData":
			fields = append(fields, u)
		default:
			others = append(others, u)
		}
	}
	consumes := swaggerMedia(r, f.operation, "consumes")
	switch {
	case body != nil:
		if len(fields) > 0 {
			r.defect(body.at, "the operation has both a body and form fields; the body is used")
		}
		if len(consumes) == 0 {
			consumes = []string{"application/json"}
		}
		b := &spec.RequestBody{
			Description: r.prose(body.target, "description"), Required: r.boolean(body.target, "required"),
			Pointer: body.at.pointer, Via: body.via,
		}
		for _, media := range consumes {
			m := spec.Media{Type: media, Pointer: body.target.pointer}
			r.nulls(body.target, "schema")
			if s, ok := r.child(body.target, "schema"); ok {
				m.Edge = r.readEdge(s)
			}
			b.Content = append(b.Content, m)
		}
		return others, b
	case len(fields) > 0:
		return others, swaggerForm(r, f, fields, consumes)
	}
	return others, nil
}

// swaggerForm makes a body of form fields. The document has no schema for it; its schema gets the pointer of the parameter list.
func swaggerForm(r *reader, f found, fields []use, consumes []string) *spec.RequestBody {
	pointer := jsonpointer.Join(f.operation.pointer, "parameters")
	s := r.stub(pointer)
	s.Type, s.Types, s.Properties, s.Required = "object", []string{"object"}, nil, nil
	b := &spec.RequestBody{Pointer: pointer}
	files := false
	encoding := map[string]spec.Encoding{}
	for _, u := range fields {
		p := spec.Property{Name: u.name, Required: r.boolean(u.target, "required"), Edge: spec.Edge{Schema: r.schemaAt(u.target)}}
		if p.Required {
			p.RequiredPointer = jsonpointer.Join(u.target.pointer, "required")
			s.Required = append(s.Required, u.name)
			b.Required = true
		}
		files = files || r.text(u.target, "type") == "file"
		if r.text(u.target, "type") == "array" { // csv is the default for forms, too
			style, explode := collectionFormat(r, u.target, wire.InForm, wire.Form)
			encoding[u.name] = spec.Encoding{Style: style, Explode: &explode}
		}
		s.Properties = append(s.Properties, p)
	}
	media := slices.DeleteFunc(slices.Clone(consumes), func(m string) bool {
		return !strings.HasPrefix(m, multipartMedia) && (files || !strings.HasPrefix(m, formMedia))
	})
	if len(media) == 0 {
		media = []string{formMedia}
		if files {
			media = []string{multipartMedia}
		}
	}
	for _, m := range media {
		b.Content = append(b.Content, spec.Media{Type: m, Pointer: pointer, Edge: spec.Edge{Schema: s}, Encoding: encoding})
	}
	return b
}

// swaggerContent returns the media types of a response with a schema. If the document names none, any is accepted.
func swaggerContent(r *reader, f found, at place) []spec.Media {
	r.nulls(at, "schema")
	s, ok := r.child(at, "schema")
	if !ok {
		return nil
	}
	produces := swaggerMedia(r, f.operation, "produces")
	if len(produces) == 0 {
		produces = []string{"*/*"}
	}
	examples := map[string]place{}
	for _, e := range r.objectAt(at, "examples") {
		examples[e.name] = e.place
	}
	var all []spec.Media
	for _, media := range produces {
		m := spec.Media{Type: media, Pointer: at.pointer}
		if r.text(s, "type") != "file" {
			m.Edge = r.readEdge(s)
		}
		if e, ok := examples[media]; ok {
			m.Examples = appendExample(r, nil, "", e)
		}
		all = append(all, m)
	}
	return all
}

// collectionFormat returns the OpenAPI 3 style of a Swagger 2.0 collectionFormat.
func collectionFormat(r *reader, at place, in, usual string) (style string, explode bool) {
	format := r.text(at, "collectionFormat")
	if style, explode, ok := wire.CollectionFormat(in, format); ok {
		return style, explode
	}
	r.omit(at, "the collectionFormat %s is not allowed in %s; lists are separated by commas", format, in)
	return usual, false
}

// swaggerServers makes base URLs of schemes, host and basePath.
func swaggerServers(r *reader, p place) []spec.Server {
	if p.pointer != "" {
		return nil
	}
	host, base := r.text(p, "host"), r.text(p, "basePath")
	if host == "" && base == "" {
		return nil
	}
	at, ok := r.child(p, "basePath")
	if !ok {
		at, _ = r.child(p, "host")
	}
	if host == "" {
		return []spec.Server{{URL: base, Pointer: at.pointer}}
	}
	schemes := r.texts(p, "schemes")
	if len(schemes) == 0 {
		schemes = []string{"https"}
	}
	var all []spec.Server
	for _, scheme := range schemes {
		all = append(all, spec.Server{URL: scheme + "://" + host + base, Pointer: at.pointer})
	}
	return all
}
