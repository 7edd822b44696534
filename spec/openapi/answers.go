package openapi

import (
	"strconv"
	"strings"

	"hallmark/spec"
)

// readAnswers reads the documented responses of an operation.
func readAnswers(r *reader, f found, op operationModel) []spec.Answer {
	var all []spec.Answer
	for _, response := range r.model.responses(op) {
		a := spec.Answer{Key: response.key, Pointer: response.at.pointer, Via: response.via}
		if status, err := strconv.Atoi(response.key); err == nil {
			a.Status = status
		}
		if !response.lost {
			readAnswer(r, f, response.target, &a)
		}
		all = append(all, a)
	}
	return all
}

func readAnswer(r *reader, f found, at place, a *spec.Answer) {
	a.Description = r.prose(at, "description")
	if r.version == 20 {
		a.Content, a.SharesMedia = swaggerContent(r, f, at), true
	} else if content, ok := r.part(at, "content"); ok {
		a.Content = readContent(r, content)
		for i := range a.Content {
			onlyInRequests(r, &a.Content[i])
		}
	}
	a.Headers = readHeaders(r, at)
	a.Links = readLinks(r, at)
}

// onlyInRequests takes the headers of parts out of the content of a response: before OpenAPI 3.2 an encoding applies to request bodies only.
func onlyInRequests(r *reader, m *spec.Media) {
	for name, e := range m.Encoding {
		if r.version < 32 && len(e.Headers) > 0 {
			r.omit(r.at(e.Headers[0].Pointer), "the headers of a part say nothing in a response before OpenAPI 3.2")
			e.Headers = nil
			m.Encoding[name] = e
		}
	}
}

// readHeaders reads the documented headers of a response or of a part. Content-Type is none of them: OpenAPI says to ignore it.
func readHeaders(r *reader, at place) []spec.Header {
	var all []spec.Header
	for _, m := range r.objectAt(at, "headers") {
		target, via, ok := r.resolve(m.place)
		if !ok || strings.EqualFold(m.name, "Content-Type") || isNull(target.node) {
			continue
		}
		h := spec.Header{
			Name: m.name, Pointer: m.pointer, Via: via, Description: r.prose(target, "description"),
			Required: r.boolean(target, "required", false), Deprecated: r.boolean(target, "deprecated", false),
		}
		if h.Edge, h.Content, h.Examples = readValue(r, target, "the header "+m.name); h.Content == nil {
			h.Style, h.Explode = readStyle(r, target, "header", "simple")
		}
		all = append(all, h)
	}
	return all
}

// readLinks reads the links of a response.
func readLinks(r *reader, at place) []spec.Link {
	var all []spec.Link
	for _, m := range r.objectAt(at, "links") {
		target, _, ok := r.resolve(m.place)
		if !ok {
			continue
		}
		l := spec.Link{Name: m.name, Parameters: map[string]string{}}
		if l.Operation, ok = linked(r, target, m.name); !ok {
			continue
		}
		for _, p := range r.objectAt(target, "parameters") {
			name := p.name
			for _, in := range []string{"path.", "query.", "header.", "cookie."} {
				name = strings.TrimPrefix(name, in)
			}
			value := p.node.Value
			if body, ok := strings.CutPrefix(value, "$response.body#"); ok {
				l.Parameters[name] = body
				continue
			}
			if l.Others == nil {
				l.Others = map[string]string{}
			}
			l.Others[name] = value
		}
		l.Body = r.prose(target, "requestBody")
		all = append(all, l)
	}
	return all
}

// linked returns the id of the operation that a link leads to.
func linked(r *reader, link place, name string) (string, bool) {
	if id, ok := r.child(link, "operationId"); ok {
		if r.known[id.node.Value] {
			return id.node.Value, true
		}
		r.defect(id, "the link %s leads to the operation %s, which does not exist", name, id.node.Value)
		return "", false
	}
	ref, ok := r.child(link, "operationRef")
	if !ok {
		r.omit(link, "the link %s names no operation (operationId, operationRef)", name)
		return "", false
	}
	pointer, ok := r.follow(ref)
	if !ok {
		return "", false
	}
	id, ok := r.ids[pointer]
	if !ok {
		r.defect(ref, "the link %s leads to %s, which is no operation", name, ref.node.Value)
	}
	return id, ok
}
