package request

import (
	"bytes"
	"maps"
	"slices"

	"hallmark/spec"
)

// Place says where a parameter travels, and its name.
type Place struct {
	// In is "path", "query", "querystring", "header" or "cookie".
	In, Name string
}

// PlaceOf returns the place of a parameter.
func PlaceOf(p spec.Parameter) Place { return Place{In: p.In, Name: p.Name} }

// Request is a request of an operation, as values: JSON values as exactjson decodes them, or wire.File. It is changed by
// With… methods, which return another one.
type Request struct {
	Operation *spec.Operation
	// Accept is the one media type that is asked for; empty for all that the operation documents.
	Accept string
	// parameters are the values that are given.
	parameters map[Place]any
	// texts are parameters whose text is given as it is to be read, in the place of a value.
	texts map[Place]string
	// body is the value of the body, hasBody reports whether there is one, media which of the documented media types it is of.
	body    any
	hasBody bool
	media   string
	// partHeaders are headers of the parts of a multipart body, by the name of the part and that of the header.
	partHeaders map[string]map[string]string
	// raw stands in the place of what would be made of the body.
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

// WithText returns the request with a parameter that a server reads as that text, whatever the schema says.
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

// WithPartHeader returns the request with a header of the parts of that name, where its body is a multipart one. It fails where no header can
// hold the value.
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

// HasPartHeader reports whether the parts of that name have a header.
func (r Request) HasPartHeader(part, header string) bool {
	_, there := r.partHeaders[part][header]
	return there
}

// WithoutPartHeader returns the request without a header of the parts of that name.
func (r Request) WithoutPartHeader(part, header string) Request {
	r.partHeaders = maps.Clone(r.partHeaders)
	fields := maps.Clone(r.partHeaders[part])
	delete(fields, header)
	if r.partHeaders != nil {
		r.partHeaders[part] = fields
	}
	return r
}

// WithRaw returns the request with those bytes as its body; the media type stays.
func (r Request) WithRaw(data []byte) Request {
	r.raw = &data
	return r
}

// WithMedia returns the request with another Content-Type; empty sends none.
func (r Request) WithMedia(media string) Request {
	r.media = media
	return r
}

// WithoutBody returns the request without a body.
func (r Request) WithoutBody() Request {
	r.body, r.hasBody, r.raw, r.media = nil, false, nil, ""
	return r
}

// Value returns the value of a parameter; false when none is given.
func (r Request) Value(p Place) (any, bool) {
	v, ok := r.parameters[p]
	return v, ok
}

// Text returns the text of a parameter that is given as one; false when none is.
func (r Request) Text(p Place) (string, bool) {
	text, ok := r.texts[p]
	return text, ok
}

// Body returns the value of the body and its media type; false when there is none, or only bytes.
func (r Request) Body() (value any, media string, ok bool) {
	return r.body, r.media, r.hasBody && r.raw == nil
}

// Given returns the parameters that are given, in the order of the operation.
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

// Equal reports whether two requests send the same.
func (r Request) Equal(other Request) bool {
	a, errA := r.Write("-")
	b, errB := other.Write("-")
	return errA == nil && errB == nil && r.Accept == other.Accept && a.Path == b.Path && a.Query == b.Query && a.Cookie == b.Cookie && a.MediaType == b.MediaType &&
		bytes.Equal(a.Body, b.Body) && (a.Body == nil) == (b.Body == nil) && maps.EqualFunc(a.Header, b.Header, slices.Equal)
}
