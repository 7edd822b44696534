package request

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Written is a serialized request.
type Written struct {
	Method string
	// Path is escaped and begins with a slash; Query is encoded and has no question mark.
	Path, Query string
	// Header holds the header parameters, Cookie the Cookie field or "".
	Header http.Header
	Cookie string
	// Body is nil if there is none, MediaType the Content-Type or "".
	Body      []byte
	MediaType string
}

// Write serializes the request. boundary separates the parts of a multipart body. The error is a *wire.Error if a value cannot be
// serialized.
func (r Request) Write(boundary string) (Written, error) {
	out := Written{Method: r.Operation.Method, MediaType: r.media}
	path := map[string]string{}
	var query, cookies []string
	for _, place := range r.Given() {
		text, sent, err := r.text(place)
		switch {
		case err != nil:
			return Written{}, err
		case !sent:
			continue
		}
		switch place.In {
		case wire.InPath:
			path[place.Name] = text
		case wire.InQuery, wire.InQuerystring:
			query = append(query, text)
		case wire.InHeader:
			if out.Header == nil {
				out.Header = http.Header{}
			}
			out.Header.Add(place.Name, text)
		case wire.InCookie:
			cookies = append(cookies, text)
		}
	}
	out.Path = fill(r.Operation.Path, path)
	out.Query, out.Cookie = strings.Join(query, "&"), strings.Join(cookies, "; ")
	switch {
	case r.raw != nil:
		out.Body = *r.raw
	case r.hasBody:
		options := BodyOptions(r.Operation, r.media, boundary)
		for part, fields := range r.partHeaders {
			if e, there := options.Encoding[part]; there {
				e.Headers = fields
				options.Encoding[part] = e
			}
		}
		body, err := wire.SerializeBody(r.media, r.body, options)
		if err != nil {
			return Written{}, err
		}
		out.Body, out.MediaType = body.Data, body.Type
	}
	return out, nil
}

// text returns the serialized text of a parameter.
func (r Request) text(place Place) (text string, sent bool, err error) {
	if text, ok := r.texts[place]; ok {
		p := wire.Param{Name: place.Name, In: place.In, Style: wire.DefaultStyle(place.In)}
		if place.In == wire.InPath {
			return url.PathEscape(text), true, nil
		}
		return p.Serialize(text)
	}
	return Param(r.Operation, place).Serialize(r.parameters[place])
}

// fill replaces the parameters of a path. A missing one remains in braces, escaped.
func fill(template string, values map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(literal(before))
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if found {
				b.WriteString(url.PathEscape("{" + rest))
			}
			return b.String()
		}
		if text, ok := values[name]; ok {
			b.WriteString(text)
		} else {
			b.WriteString(url.PathEscape("{" + name + "}"))
		}
		template = after
	}
}

// literal returns the fixed text of a path with what no URL may contain escaped: control characters, and a % that escapes nothing.
func literal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c == 0x7f || c == '%' && !escapes(text[i:]) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapes reports whether a text begins with an escaped byte, such as %2F.
func escapes(text string) bool {
	const length = len("%2F")
	if len(text) < length {
		return false
	}
	_, err := url.PathUnescape(text[:length])
	return err == nil
}

// Param returns how a parameter of an operation is serialized, with defaults for an undocumented one.
func Param(op *spec.Operation, place Place) wire.Param {
	for _, p := range op.Parameters {
		if PlaceOf(p) != place {
			continue
		}
		out := wire.Param{
			Name: p.Name, In: p.In, Style: p.Style, Explode: p.Explode, AllowReserved: p.AllowReserved, AllowEmpty: p.AllowEmpty,
			Nested: nested(p.Schema),
		}
		if p.Content != nil {
			out.Media = p.Content.Type
		}
		if p.Content != nil && p.In == wire.InQuerystring {
			options := MediaOptions(p.Content, p.Content.Type, "")
			out.Options = &options
		}
		return out
	}
	return wire.NewParam(place.Name, place.In, "", nil)
}

// nested returns the delimiters of nested lists in a Swagger 2.0 schema, see wire.Param.
func nested(s *spec.Schema) string {
	const deepest = 8
	var b strings.Builder
	for s = s.Item(); s != nil && s.CollectionFormat != "" && b.Len() < deepest; s = s.Item() {
		b.WriteString(wire.Delimiter(s.CollectionFormat))
	}
	return b.String()
}

// Header returns how a documented header is serialized.
func Header(h *spec.Header) wire.Param {
	p := wire.Param{Name: h.Name, In: wire.InHeader, Style: h.Style, Explode: h.Explode, Nested: nested(h.Schema)}
	if h.Content != nil {
		p.Media = h.Content.Type
	}
	return p
}

// BodyOptions returns how a body of an operation is serialized and parsed in one of its media types.
func BodyOptions(op *spec.Operation, media, boundary string) wire.BodyOptions {
	if op.Body != nil {
		types := make([]string, len(op.Body.Content))
		for i := range op.Body.Content {
			types[i] = op.Body.Content[i].Type
		}
		if i := wire.Best(types, media); i >= 0 {
			return MediaOptions(&op.Body.Content[i], media, boundary)
		}
	}
	return wire.BodyOptions{Boundary: boundary}
}

// MediaOptions returns how content is serialized and parsed according to the document. media is the actual media type.
func MediaOptions(m *spec.Media, media, boundary string) wire.BodyOptions {
	out := wire.BodyOptions{Boundary: boundary}
	if wire.KindOf(media) != wire.KindJSON { // JSON needs no hint
		out.Hint = HintOf(m.Schema)
	}
	for name, e := range m.Encoding {
		if out.Encoding == nil {
			out.Encoding = map[string]wire.Encoding{}
		}
		one := wire.Encoding{ContentType: e.ContentType, Style: e.Style, Explode: e.Explode, AllowReserved: e.AllowReserved}
		if m.Schema != nil {
			if p := m.Schema.Property(name); p != nil {
				one.Nested = nested(p.Schema)
			}
		}
		out.Encoding[name] = one
	}
	return out
}

func compare(a, b Place) int {
	return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Name, b.Name))
}
