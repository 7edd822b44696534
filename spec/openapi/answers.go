package openapi

import (
	"strconv"
	"strings"

	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	"github.com/hallmark-kit/hallmark/spec"
)

// readAnswers reads the documented responses of an operation.
func readAnswers(r *reader, f found, responses objects[*lowv3.Response]) []spec.DocumentedResponse {
	var all []spec.DocumentedResponse
	for key, response := range responses.FromOldest() {
		o := r.origins[response.ValueNode]
		a := spec.DocumentedResponse{Key: unprefixed(key), Pointer: o.at.pointer, Via: o.via, Description: response.Value.Description.Value}
		if status, err := strconv.Atoi(a.Key); err == nil {
			a.Status = status
		}
		switch {
		case o.lost:
		case r.version == 20:
			a.Content, a.SharesMedia = swaggerContent(r, f, o.target), true
		default:
			a.Content = readContent(r, response.Value.Content)
			for i := range a.Content {
				onlyInRequests(r, &a.Content[i])
			}
		}
		a.Headers = readHeaders(r, response.Value.Headers.Value)
		a.Links = readLinks(r, response.Value.Links.Value)
		all = append(all, a)
	}
	return all
}

// onlyInRequests drops the part headers from the content of a response: before OpenAPI 3.2 an encoding applies to request bodies only.
func onlyInRequests(r *reader, m *spec.Media) {
	for name, e := range m.Encoding {
		if r.version < 32 && len(e.Headers) > 0 {
			r.omit(r.placeAt(e.Headers[0].Pointer), "before OpenAPI 3.2, the headers of a part are ignored in a response")
			e.Headers = nil
			m.Encoding[name] = e
		}
	}
}

// readHeaders reads the documented headers of a response or of a part, without Content-Type, which OpenAPI ignores here.
func readHeaders(r *reader, headers objects[*lowv3.Header]) []spec.Header {
	var all []spec.Header
	for key, header := range headers.FromOldest() {
		m, o, name := header.Value, r.origins[header.ValueNode], unprefixed(key)
		if o.lost || strings.EqualFold(name, "Content-Type") {
			continue
		}
		h := spec.Header{
			Name: name, Pointer: o.at.pointer, Via: o.via, Description: m.Description.Value, Required: m.Required.Value,
			Examples: readExamples(r, o.target, m.Example, m.Examples.Value),
		}
		if h.Edge, h.Content = readValue(r, o.target, m.Schema, m.Content, "the header "+name); h.Content == nil {
			h.Style, h.Explode = readStyle(r, o.target, "header", "simple", m.Style, m.Explode)
		}
		all = append(all, h)
	}
	return all
}

// readLinks reads the links of a response.
func readLinks(r *reader, links objects[*lowv3.Link]) []spec.Link {
	var all []spec.Link
	for key, link := range links.FromOldest() {
		o, name := r.origins[link.ValueNode], unprefixed(key)
		if o.lost {
			continue
		}
		l := spec.Link{Name: name, Parameters: map[string]string{}, Body: link.Value.RequestBody.Value}
		var ok bool
		if l.Operation, ok = linked(r, link.Value, o.target, name); !ok {
			continue
		}
		for key, value := range link.Value.Parameters.Value.FromOldest() {
			name := unprefixed(key)
			for _, in := range []string{"path.", "query.", "header.", "cookie."} {
				name = strings.TrimPrefix(name, in)
			}
			if body, ok := strings.CutPrefix(value.Value, "$response.body#"); ok {
				l.Parameters[name] = body
				continue
			}
			if l.Others == nil {
				l.Others = map[string]string{}
			}
			l.Others[name] = value.Value
		}
		all = append(all, l)
	}
	return all
}

// linked returns the id of the operation that a link refers to.
func linked(r *reader, link *lowv3.Link, at place, name string) (string, bool) {
	if id := link.OperationId.Value; link.OperationId.ValueNode != nil {
		if !r.known[id] {
			named, _ := r.child(at, "operationId")
			r.defect(named, "the link %s refers to the operation %s, which does not exist", name, id)
		}
		return id, r.known[id]
	}
	ref, ok := r.child(at, "operationRef")
	if !ok {
		r.omit(at, "the link %s names no operation (operationId, operationRef)", name)
		return "", false
	}
	pointer, ok := r.follow(ref)
	if !ok {
		return "", false
	}
	id, ok := r.ids[pointer]
	if !ok {
		r.defect(ref, "the link %s refers to %s, which is not an operation", name, ref.node.Value)
	}
	return id, ok
}
