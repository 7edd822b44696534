package stub

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

const contentLength = "Content-Length"

// addHeaders adds the documented headers that are required.
func addHeaders(a *api, r *reply, answer *spec.DocumentedResponse) {
	for _, h := range answer.Headers {
		if !h.Required || r.header.Get(h.Name) != "" || strings.EqualFold(h.Name, "Content-Type") {
			continue
		}
		if strings.EqualFold(h.Name, contentLength) {
			r.header.Set(h.Name, "0") // until there is a body
		} else if text, ok := headerText(a, h); ok {
			r.header.Set(h.Name, text)
		}
	}
	if r.status/100 == 3 && r.status != http.StatusNotModified && r.header.Get("Location") == "" {
		r.header.Set("Location", "/")
	}
}

// headerText returns a value for a header.
func headerText(a *api, h spec.Header) (string, bool) {
	edge, examples := h.Edge, h.Examples
	if h.Content != nil {
		edge, examples = h.Content.Edge, h.Content.Examples
	}
	made, ok := a.maker.template(edge, examples)
	if !ok {
		return "", false
	}
	switch v := made.(type) {
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, textOf(one))
		}
		return strings.Join(all, ","), true
	case map[string]any:
		if h.Content != nil {
			return string(encode(v)), true
		}
		var all []string
		for name, one := range v {
			if h.Explode {
				all = append(all, name+"="+textOf(one))
			} else {
				all = append(all, name+","+textOf(one))
			}
		}
		slices.Sort(all)
		return strings.Join(all, ","), true
	}
	return textOf(made), true
}

// deprecationDate is 5 December 2025, as a structured-field date (RFC 9745, section 2.1).
const deprecationDate = "@1764892800"

// deprecated says that an operation will be removed (RFC 9745, RFC 8594).
func deprecated(r *reply, op *spec.Operation) {
	if !op.Deprecated {
		return
	}
	r.header.Set("Deprecation", deprecationDate)
	if !op.Sunset.IsZero() {
		r.header.Set("Sunset", op.Sunset.UTC().Format(http.TimeFormat))
	}
}
