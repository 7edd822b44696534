package request

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Place is the location and the name of a parameter.
type Place struct {
	// In is "path", "query", "querystring", "header" or "cookie".
	In, Name string
}

// PlaceOf returns the place of a parameter.
func PlaceOf(p spec.Parameter) Place { return Place{In: p.In, Name: p.Name} }

// Request is a request of an operation, as values: JSON values as exactjson decodes them, or wire.File. It is immutable; its With…
// methods return changed copies.
type Request struct {
	Operation *spec.Operation
	// Accept is the only media type to ask for; empty for all that the operation documents.
	Accept string
	// parameters are the given values.
	parameters map[Place]any
	// texts are the parameters that are given as text instead of a value.
	texts map[Place]string
	// body is the value of the body if hasBody is set, media the documented media type that it has.
	body    any
	hasBody bool
	media   string
	// partHeaders are headers of the parts of a multipart body, by the names of part and header.
	partHeaders map[string]map[string]string
	// raw, if set, replaces the serialized body.
	raw *[]byte
}

// New returns a request without parameters and body.
func New(op *spec.Operation) Request { return Request{Operation: op} }

// With returns the request with a value of a parameter.
func (r Request) With(p Place, value any) Request {
	r.parameters, r.texts = maps.Clone(r.parameters), maps.Clone(r.texts)
	if r.parameters == nil {
		r.parameters = map[Place]any{}
	}
	delete(r.texts, p)
	r.parameters[p] = value
	return r
}

// WithText returns the request with a parameter as text, regardless of its schema.
func (r Request) WithText(p Place, text string) Request {
	r = r.Without(p)
	if r.texts == nil {
		r.texts = map[Place]string{}
	}
	r.texts[p] = text
	return r
}

// Without returns the request without a parameter.
func (r Request) Without(p Place) Request {
	r.parameters, r.texts = maps.Clone(r.parameters), maps.Clone(r.texts)
	delete(r.parameters, p)
	delete(r.texts, p)
	return r
}

// WithBody returns the request with a body of a media type.
func (r Request) WithBody(media string, value any) Request {
	r.media, r.body, r.hasBody, r.raw = media, value, true, nil
	return r
}

// WithPartHeader returns the request with a header for the parts with a name, if its body is multipart. It returns an error if the
// value cannot be sent in a header.
func (r Request) WithPartHeader(part string, h *spec.Header, value any) (Request, error) {
	text, sent, err := Header(h).Serialize(value)
	if err != nil || !sent {
		return r, err
	}
	r.partHeaders = maps.Clone(r.partHeaders)
	if r.partHeaders == nil {
		r.partHeaders = map[string]map[string]string{}
	}
	fields := maps.Clone(r.partHeaders[part])
	if fields == nil {
		fields = map[string]string{}
	}
	fields[h.Name] = text
	r.partHeaders[part] = fields
	return r, nil
}

// HasPartHeader reports whether the parts with a name have a header.
func (r Request) HasPartHeader(part, header string) bool {
	_, there := r.partHeaders[part][header]
	return there
}

// WithoutPartHeader returns the request without a header of the parts with a name.
func (r Request) WithoutPartHeader(part, header string) Request {
	r.partHeaders = maps.Clone(r.partHeaders)
	fields := maps.Clone(r.partHeaders[part])
	delete(fields, header)
	if r.partHeaders != nil {
		r.partHeaders[part] = fields
	}
	return r
}

// WithRaw returns the request with data as its body and the same media type.
func (r Request) WithRaw(data []byte) Request {
	r.raw = &data
	return r
}

// WithMedia returns the request with another Content-Type, or without one if media is empty.
func (r Request) WithMedia(media string) Request {
	r.media = media
	return r
}

// WithoutBody returns the request without a body.
func (r Request) WithoutBody() Request {
	r.body, r.hasBody, r.raw, r.media = nil, false, nil, ""
	return r
}

// Value returns the value of a parameter, and false if none is given.
func (r Request) Value(p Place) (any, bool) {
	v, ok := r.parameters[p]
	return v, ok
}

// Text returns a parameter that is given as text, and false otherwise.
func (r Request) Text(p Place) (string, bool) {
	text, ok := r.texts[p]
	return text, ok
}

// Body returns the value of the body and its media type, and false if there is no body or only raw bytes.
func (r Request) Body() (value any, media string, ok bool) {
	return r.body, r.media, r.hasBody && r.raw == nil
}

// Given returns the given parameters in the order of the operation.
func (r Request) Given() []Place {
	var all []Place
	for _, p := range r.Operation.Parameters {
		if r.has(PlaceOf(p)) {
			all = append(all, PlaceOf(p))
		}
	}
	var others []Place
	for _, given := range [][]Place{slices.Collect(maps.Keys(r.parameters)), slices.Collect(maps.Keys(r.texts))} {
		for _, p := range given {
			if !slices.Contains(all, p) {
				others = append(others, p)
			}
		}
	}
	slices.SortFunc(others, compare)
	return append(all, others...)
}

func (r Request) has(p Place) bool {
	_, value := r.parameters[p]
	_, text := r.texts[p]
	return value || text
}

// Equal reports whether two requests send the same content.
func (r Request) Equal(other Request) bool {
	a, errA := r.Write("-")
	b, errB := other.Write("-")
	return errA == nil && errB == nil && r.Accept == other.Accept && a.Path == b.Path && a.Query == b.Query && a.Cookie == b.Cookie && a.MediaType == b.MediaType &&
		bytes.Equal(a.Body, b.Body) && (a.Body == nil) == (b.Body == nil) && maps.EqualFunc(a.Header, b.Header, slices.Equal)
}
