package promise

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// conventions judges what HTTP requires of a response with its status.
func (x *responseJudge) conventions() {
	missing := func(k Kind, header, source string, parts ...string) {
		x.find(k, spec.Finding{
			Kind: spec.KindMissing, Expected: phrase.Of("a {} header ("+source+")", phrase.Header(header)), Actual: phrase.Of("none"), Header: header,
			Where: x.place().OfHeader(header), Parts: parts,
		})
	}
	switch status := x.ex.Response.Status; {
	case status == http.StatusUnauthorized && !x.op.Anonymous():
		if x.exercised(Challenge); x.ex.Response.Header.Get("WWW-Authenticate") == "" {
			missing(Challenge, "WWW-Authenticate", "RFC 9110, section 11.6.1")
		}
	case status == http.StatusCreated && x.op.Method == http.MethodPost && exactly(x.op, http.StatusCreated) != nil:
		if x.exercised(Location); x.ex.Response.Header.Get("Location") == "" {
			missing(Location, "Location", "RFC 9110, section 9.3.3")
		}
	}
	if !x.op.Deprecated || x.ex.Response.Status/100 != 2 {
		return
	}
	x.exercised(Deprecation)
	if x.ex.Response.Header.Get("Deprecation") == "" {
		missing(Deprecation, "Deprecation", "RFC 9745")
	}
	if !x.op.Sunset.IsZero() && x.ex.Response.Header.Get("Sunset") == "" {
		missing(Deprecation, "Sunset", "RFC 8594", PartSunset)
	}
}

// headers judges the documented headers.
func (x *responseJudge) headers() {
	if x.answer == nil {
		return
	}
	for i := range x.answer.Headers {
		h := &x.answer.Headers[i]
		if strings.EqualFold(h.Name, "Content-Type") {
			continue // OpenAPI: it is ignored, since the media types of the content say it
		}
		if ofConnection(h.Name) {
			continue // intermediaries remove it, and each connection has its own
		}
		lines := x.ex.Response.Header.Values(h.Name)
		switch {
		case len(lines) > 0:
			x.exercised(Headers)
			x.header(h, lines)
		case h.Required && !unpacked(h.Name):
			x.find(Headers, spec.Finding{
				Kind: spec.KindMissing, Detail: h.Name, Expected: phrase.Of("the header {}", phrase.Header(h.Name)), Actual: phrase.Of("none"), Header: h.Name,
				Contract: h.Pointer, Where: x.place().OfHeader(h.Name),
			})
		}
	}
}

// ofConnection reports whether a header is about one connection rather than the response (RFC 9110, section
// 7.6.1): intermediaries may change it, and HTTP/2 has none.
func ofConnection(name string) bool {
	return slices.ContainsFunc([]string{"Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade"}, func(one string) bool {
		return strings.EqualFold(one, name)
	})
}

// unpacked reports whether a header is removed from a response whose content was compressed as the client
// requested.
func unpacked(name string) bool {
	return strings.EqualFold(name, "Content-Encoding") || strings.EqualFold(name, "Content-Length")
}

// header judges one header by its schema.
func (x *responseJudge) header(h *spec.Header, lines []string) {
	if v := x.headerViolation(Headers, h, lines); v != nil {
		f := x.violation(v)
		f.Header, f.Where, f.Pointer = h.Name, x.place().OfHeader(h.Name), ""
		x.find(Headers, f)
	}
}

// headerViolation returns how a header violates its schema, or nil. If it can be parsed in several ways, it
// violates the schema only if each result does.
func (x *responseJudge) headerViolation(k Kind, h *spec.Header, lines []string) *schema.Violation {
	edge, p := h.Edge, request.Header(h)
	if h.Content != nil {
		edge = h.Content.Edge
	}
	if edge.Schema == nil {
		return nil
	}
	v := x.contract.Validator(edge.Schema)
	read, err := p.Parse(strings.Join(lines, ", "), request.HintOf(edge.Schema))
	switch {
	case v == nil:
		x.hole(k, edge.Schema.Pointer, noSchema)
		return nil
	case err != nil:
		x.hole(k, h.Pointer, "the header cannot be read in its style")
		return nil
	case read.Truncated || len(read.Values) == 0:
		x.hole(k, h.Pointer, manyReadings)
		return nil
	}
	beside := h.Examples
	if h.Content != nil {
		beside = h.Content.Examples
	}
	if broken := x.readings(k, v, read.Values, edge.Schema, beside); len(broken) > 0 {
		return &broken[0]
	}
	return nil
}

// partHeaders judges the headers of the parts of a multipart body.
func (x *responseJudge) partHeaders(m *spec.Media) {
	if !slices.ContainsFunc(slices.Collect(maps.Values(m.Encoding)), func(e spec.Encoding) bool { return len(e.Headers) > 0 }) {
		return
	}
	parts, err := wire.ParseMultipart(contentType(x.ex.Response), x.ex.Response.Body)
	if err != nil {
		return // the judgement of the body reports it
	}
	for _, part := range parts {
		for i := range m.Encoding[part.Name].Headers {
			h := &m.Encoding[part.Name].Headers[i]
			at := x.place().At(jsonpointer.Join("", part.Name))
			lines := part.Header.Values(h.Name)
			if len(lines) > 0 {
				if v := x.headerViolation(Body, h, lines); v != nil {
					f := x.violation(v)
					f.Header, f.Where, f.Pointer = h.Name, at, ""
					x.find(Body, f)
				}
			} else if h.Required {
				x.find(Body, spec.Finding{
					Kind: spec.KindMissing, Detail: h.Name, Expected: phrase.Of("the header {} in the part {}", phrase.Header(h.Name), phrase.Field(part.Name)),
					Actual: phrase.Of("none"), Header: h.Name, Contract: h.Pointer, Where: at,
				})
			}
		}
	}
}
