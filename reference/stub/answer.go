package stub

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// reply is a response.
type reply struct {
	status      int
	header      http.Header
	contentType string
	body        []byte
}

// problem is why a request is refused.
type problem struct {
	// status is the best status, others are alternatives; usual is the one if the document names none of them, status
	// if it is 0.
	status int
	others []int
	usual  int
	text   string
	// swap prefers the second best.
	swap bool
}

// success returns the documented success of an operation, and its status.
func success(op *spec.Operation) (*spec.DocumentedResponse, int) {
	order := []int{200, 201, 204, 202, 206, 203, 205, 207}
	switch op.Method {
	case http.MethodPost:
		order = []int{201, 200, 202, 204, 206, 203, 205, 207}
	case http.MethodDelete:
		order = []int{204, 200, 202, 205, 203, 201}
	}
	for _, status := range order {
		for i := range op.Responses {
			if op.Responses[i].Status == status {
				return &op.Responses[i], status
			}
		}
	}
	for _, fits := range []func(a *spec.DocumentedResponse) bool{
		func(a *spec.DocumentedResponse) bool { return a.Class() == 2 },
		func(a *spec.DocumentedResponse) bool { return a.Class() == 3 && a.Status != http.StatusNotModified },
		func(a *spec.DocumentedResponse) bool { return a.Class() == 0 },
		func(a *spec.DocumentedResponse) bool { return a.Class() > 2 },
	} {
		for i := range op.Responses {
			a := &op.Responses[i]
			switch {
			case !fits(a):
			case a.Status != 0:
				return a, a.Status
			case a.Class() == 3:
				return a, http.StatusFound
			case a.Class() > 3:
				return a, 100 * a.Class()
			default:
				return a, http.StatusOK
			}
		}
	}
	return nil, http.StatusOK
}

// answer returns the status of a refusal that an operation documents, and its answer; nil if it documents none.
func (p problem) answer(op *spec.Operation) (int, *spec.DocumentedResponse) {
	if p.swap && len(p.others) > 0 {
		p.status, p.others = p.others[0], append(slices.Clone(p.others[1:]), p.status)
	}
	if op != nil {
		for _, status := range append([]int{p.status}, p.others...) {
			for i := range op.Responses {
				if op.Responses[i].Status == status {
					return status, &op.Responses[i]
				}
			}
		}
		status := p.status
		if p.usual != 0 {
			status = p.usual
		}
		return status, op.ResponseFor(status)
	}
	return p.status, nil
}

// refusal returns the response to a request that goes wrong, as the document has it.
func refusal(a *api, op *spec.Operation, p problem) reply {
	p.swap = a.traits.swapped && (p.status == http.StatusBadRequest || p.status == http.StatusUnprocessableEntity)
	status, answer := p.answer(op)
	if answer == nil {
		return plainProblem(status, p.text)
	}
	r := reply{status: status, header: http.Header{}}
	addHeaders(a, &r, answer)
	media := answer.JSON()
	if media == nil || !media.IsJSON() && len(answer.Content) > 0 && bare(media.Type) != "*/*" && bare(media.Type) != "application/*" {
		otherContent(a, &r, answer, p.text)
		return r
	}
	r.contentType = concrete(media.Type)
	if media.Schema == nil {
		r.body = encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": p.text})
		return r
	}
	base, _ := a.maker.template(media.Edge, media.Examples)
	r.body = encode(explain(a, media.Schema, base, status, p.text))
	return r
}

func plainProblem(status int, text string) reply {
	return reply{status: status, header: http.Header{}, contentType: "application/problem+json", body: encode(map[string]any{
		"type": "about:blank", "title": http.StatusText(status), "status": status, "detail": text,
	})}
}

// explain puts status and text into an error's body, if the schema has members for them.
func explain(a *api, s *spec.Schema, base any, status int, text string) any {
	object, ok := base.(map[string]any)
	if !ok {
		return base
	}
	v := a.contract.Validator(s)
	out := cloneObject(object)
	for name, m := range a.shapes.membersOf(s) {
		var value any
		types := a.shapes.typesOf(m)
		switch plainName(name) {
		case "status", "statuscode", "code", "httpstatus", "httpcode", "httpstatuscode":
			switch {
			case slices.Contains(types, "integer") || slices.Contains(types, "number"):
				value = json.Number(strconv.Itoa(status))
			case strings.HasPrefix(plainName(name), "status") || strings.HasPrefix(plainName(name), "http"):
				value = strconv.Itoa(status)
			}
		case "message", "detail", "details", "error", "errormessage", "description", "reason", "msg":
			if slices.Contains(types, "string") {
				value = text
			}
		case "title":
			value = http.StatusText(status)
		}
		if _, there := out[name]; value == nil || !there && !slices.Contains([]string{"status", "title", "detail", "message"}, name) {
			continue
		}
		before, there := out[name]
		if out[name] = value; !keepsAnswer(v, out) {
			delete(out, name)
			if there {
				out[name] = before
			}
		}
	}
	return out
}

// concrete returns the media type that a range is answered by.
func concrete(media string) string {
	switch b := bare(media); {
	case b == "*/*", b == "*", b == "application/*":
		return "application/json"
	case strings.HasSuffix(b, "/*+json"):
		return strings.TrimSuffix(b, "*+json") + "stub+json"
	}
	return media
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return []byte("null")
	}
	return text
}

// otherContent responds with content other than JSON.
func otherContent(a *api, r *reply, answer *spec.DocumentedResponse, text string) {
	if len(answer.Content) == 0 || r.status == http.StatusNoContent || r.status == http.StatusNotModified {
		return
	}
	media := &answer.Content[0]
	for i := range answer.Content {
		if strings.HasPrefix(bare(answer.Content[i].Type), "text/plain") {
			media = &answer.Content[i]
		}
	}
	kind := bare(media.Type)
	r.contentType = media.Type
	if media.Schema != nil {
		if made, ok := a.maker.template(media.Edge, media.Examples); ok {
			switch v := made.(type) {
			case string:
				text = v
			case json.Number, bool:
				text = textOf(v)
			case nil: // no text represents null
				r.contentType = ""
				return
			}
		}
	}
	switch {
	case kind == "*/*" || kind == "text/*" || kind == "*":
		r.contentType = "text/plain"
	case strings.HasSuffix(kind, "/*"):
		r.contentType = strings.TrimSuffix(kind, "*") + map[bool]string{true: "png", false: "octet-stream"}[kind == "image/*"]
	case strings.Contains(kind, "ndjson") || strings.Contains(kind, "jsonl") || strings.Contains(kind, "json-seq") || strings.Contains(kind, "stream+json"):
		item := media.Item
		if item.Schema == nil {
			item = media.Edge
		}
		if item.Schema != nil && a.shapes.isArray(item.Schema) && itemOf(item.Schema) != nil {
			item = *itemOf(item.Schema)
		}
		if made, ok := a.maker.template(item, nil); ok {
			text = string(encode(made)) + "\n"
			if strings.Contains(kind, "json-seq") {
				text = "\x1e" + text
			}
		} else {
			text = ""
		}
	case kind == "text/event-stream":
		text = a.event(media)
	case kind == "application/x-www-form-urlencoded":
		text = a.formText(media)
	case strings.HasSuffix(kind, "yaml"):
		if made, ok := a.maker.template(media.Edge, nil); ok && media.Schema != nil {
			text = string(encode(made))
		}
	case isXML(kind):
		text = "<answer/>"
		if made, ok := a.maker.template(media.Edge, nil); ok && media.Schema != nil {
			if written := a.textInXML(made, media.Schema); written != "" {
				text = written
			}
		}
	}
	r.body = []byte(text)
}
