package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

const jsonType, problemType = "application/json", "application/problem+json"

// reply is a response to be.
type reply struct {
	status int
	header http.Header
	kind   string
	// body is written as JSON; text as it is, where there is one.
	body any
	text []byte
}

func answered(status int, body any) reply {
	return reply{status: status, header: http.Header{}, kind: jsonType, body: body}
}

func done() reply { return reply{status: http.StatusNoContent, header: http.Header{}} }

// refused is a response with problem details.
func (a *asked) refused(status int, detail string, places ...string) reply {
	problem := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": status, "detail": detail}
	if len(places) > 0 {
		var all []any
		for _, p := range places {
			all = append(all, map[string]any{"at": p})
		}
		problem["errors"] = all
	}
	return reply{status: status, header: http.Header{}, kind: problemType, body: problem}
}

// unprocessable refuses values.
func (a *asked) unprocessable(places []string) *reply {
	status := http.StatusUnprocessableEntity
	if a.shop.is("400-for-values") {
		status = http.StatusBadRequest
	}
	out := a.refused(status, "a value is not allowed", places...)
	return &out
}

// location says where the new resource is.
func (r reply) location(s *Service, format string, args ...any) reply {
	path := fmt.Sprintf(format, args...)
	if s.is("locations-absolute") {
		path = "https://books.example.com/v2" + path
	}
	r.header.Set("Location", path)
	return r
}

// write sends a response, in the way of a variant.
func (r reply) write(w http.ResponseWriter, variant string) {
	maps.Copy(w.Header(), r.header)
	text := r.text
	if text == nil && r.body != nil {
		text = encoded(r.body, variant)
	}
	if r.kind != "" && (text != nil || r.body != nil) {
		w.Header().Set("Content-Type", r.kind)
	}
	w.WriteHeader(r.status)
	if len(text) > 0 {
		_, _ = w.Write(text)
	}
}

// encoded writes JSON; what a variant writes otherwise means the same.
func encoded(body any, variant string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(variant == "json-escaped")
	if variant == "json-indented" {
		e.SetIndent("", "    ")
	}
	if err := e.Encode(body); err != nil {
		return nil
	}
	text := b.Bytes()
	if variant == "json-escaped" {
		text = []byte(escaped(string(text)))
	}
	return text
}

// escaped writes whatever is beyond ASCII as escapes.
func escaped(text string) string {
	var b bytes.Buffer
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}
