package stub

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// malformed is the refusal of a request that breaks the document.
func malformed(text string) problem {
	return problem{status: http.StatusBadRequest, others: []int{http.StatusUnprocessableEntity}, text: text}
}

// invalid is the refusal of a body that does not match its schema.
func invalid(text string) problem {
	return problem{status: http.StatusUnprocessableEntity, others: []int{http.StatusBadRequest}, usual: http.StatusBadRequest, text: text}
}

// refusesFaults reports whether an operation documents that requests may be wrong.
func refusesFaults(op *spec.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool {
		return a.Status == http.StatusBadRequest || a.Status == http.StatusUnprocessableEntity || a.Status == 0 && a.Class() == 4
	})
}

// takeBody reads the body of a request; it returns why it is refused, or nil.
func takeBody(a *api, at *call, contentType string) *problem {
	op := at.op
	if len(at.raw) == 0 && contentType == "" || len(at.raw) == 0 && !textual(contentType) {
		if op.Body.Required {
			return new(malformed("the body is missing"))
		}
		return nil
	}
	at.media = mediaOf(op.Body.Content, contentType)
	if at.media == nil {
		if len(op.Body.Content) == 0 {
			return nil
		}
		return &problem{status: http.StatusUnsupportedMediaType, others: []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, text: "the media type is not among those documented"}
	}
	sort := bare(contentType)
	if sort == "" {
		sort = bare(at.media.Type)
	}
	switch {
	case isJSON(sort), strings.HasSuffix(sort, "yaml"): // only the subset of YAML that is JSON
		d, err := exactjson.Decode(at.raw)
		if err != nil {
			return new(malformed("the body is no JSON text"))
		}
		at.body = d.Tree
	case sort == "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(at.raw))
		if err != nil {
			return new(malformed("the body is no form"))
		}
		at.body = formOf(a, form, at.media)
	case strings.HasPrefix(sort, "multipart/"):
		parts, err := partsOf(a, at.raw, contentType, at.media)
		if err != nil {
			return new(malformed("the body is no multipart body"))
		}
		if types := a.shapes.typesOf(at.media.Schema); len(types) > 0 && !slices.Contains(types, "object") {
			at.body = nil // how other values are read from parts is not defined
			return nil
		}
		at.body = parts
	case isXML(sort) && at.media.Schema != nil && rootName(at.media.Schema) != "":
		value, err := a.readXML(at.raw, at.media.Schema)
		if err != nil {
			return new(malformed("the body is no XML, or not of this root element"))
		}
		at.body = value
	case strings.HasPrefix(sort, "text/") && !strings.Contains(sort, "xml"):
		at.body = string(at.raw)
		if !slices.Contains(a.shapes.typesOf(at.media.Schema), "string") {
			at.body = nil
			return nil
		}
	default:
		return nil
	}
	if at.media.Schema != nil && !conforms(a.contract.Validator(at.media.Schema), at.body, schema.Request) {
		return new(invalid("the body is not as documented"))
	}
	if object, ok := at.body.(map[string]any); ok && a.traits.wary && refusesFaults(op.Operation) && !a.admits(at.media.Schema) {
		documented := a.shapes.membersOf(at.media.Schema)
		for name := range object {
			if len(documented) > 0 && documented[name] == nil {
				return new(invalid("there is no member " + name))
			}
		}
	}
	return nil
}

func textual(contentType string) bool { return strings.HasPrefix(bare(contentType), "text/") }

// bare returns a media type without parameters, in lower case.
func bare(contentType string) string {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		t, _, _ = strings.Cut(contentType, ";")
	}
	return strings.ToLower(strings.TrimSpace(t))
}

func isJSON(t string) bool {
	return t == "application/json" || t == "text/json" || strings.HasSuffix(t, "+json")
}

// mediaOf returns the documented media type that matches a Content-Type; nil for none.
func mediaOf(content []spec.Media, contentType string) *spec.Media {
	asked := bare(contentType)
	if asked == "" && len(content) > 0 {
		for i := range content {
			if isJSON(bare(content[i].Type)) {
				return &content[i]
			}
		}
		return &content[0]
	}
	var ranged *spec.Media
	for i := range content {
		own := bare(content[i].Type)
		switch {
		case own == asked:
			return &content[i]
		case own == "*/*", own == "*", strings.HasSuffix(own, "/*") && strings.HasPrefix(asked, strings.TrimSuffix(own, "*")),
			strings.HasSuffix(own, "/*+json") && strings.HasSuffix(asked, "+json"):
			if ranged == nil || own != "*/*" && own != "*" {
				ranged = &content[i]
			}
		}
	}
	return ranged
}

// formOf returns the members of a form, each with the type from its schema.
func formOf(a *api, form url.Values, media *spec.Media) map[string]any {
	members, out := a.shapes.membersOf(media.Schema), map[string]any{}
	for name, values := range form {
		plain, path := name, []string(nil)
		if i := strings.Index(name, "["); i > 0 && strings.HasSuffix(name, "]") && members[name] == nil {
			plain, path = name[:i], strings.Split(strings.TrimSuffix(name[i+1:], "]"), "][")
		}
		m := members[plain]
		types := a.shapes.typesOf(m)
		encoding, encoded := media.Encoding[plain]
		switch {
		case path != nil && path[0] == "":
			out[plain] = itemsOf(a, m, values)
		case path != nil:
			object, ok := out[plain].(map[string]any)
			if !ok {
				object = map[string]any{}
				out[plain] = object
			}
			setNested(object, path, values, a.shapes.typesOf(a.shapes.membersOf(m)[path[0]]))
		case slices.Contains(types, "array") && m != nil:
			if encoded && encoding.Explode != nil && !*encoding.Explode && len(values) == 1 && encoding.Style != "" {
				values = strings.FieldsFunc(values[0], func(r rune) bool {
					return r == ',' || encoding.Style == "spaceDelimited" && r == ' ' || encoding.Style == "pipeDelimited" && r == '|' || encoding.Style == "tabDelimited" && r == '\t'
				})
			}
			out[plain] = listOf(a, m, values)
		case slices.Contains(types, "object"):
			if d, err := exactjson.Decode([]byte(values[0])); err == nil {
				out[plain] = d.Tree
			} else {
				out[plain] = values[0]
			}
		default:
			out[plain] = bestReading(a, m, values[0])
		}
	}
	for name, m := range members { // an object that is exploded is members of the form
		if _, there := out[name]; there || !a.shapes.isObject(m) {
			continue
		}
		object := map[string]any{}
		for below, inner := range a.shapes.membersOf(m) {
			if values, sent := form[below]; sent && members[below] == nil {
				object[below] = bestReading(a, inner, values[0])
			}
		}
		if len(object) > 0 {
			for below := range object {
				delete(out, below)
			}
			out[name] = object
		}
	}
	return out
}

// hasHeaders reports whether a part has the headers that it must have, and each as documented.
func hasHeaders(a *api, sent textproto.MIMEHeader, documented []spec.Header) bool {
	return !slices.ContainsFunc(documented, func(h spec.Header) bool {
		values := sent.Values(h.Name)
		if len(values) == 0 {
			return h.Required
		}
		return h.Schema != nil && !conforms(a.contract.Validator(h.Schema), bestReading(a, h.Schema, values[0]), schema.Request)
	})
}

// listOf returns the items of an array that is given as texts.
func listOf(a *api, m *spec.Schema, values []string) any {
	if len(values) == 1 && strings.HasPrefix(values[0], "[") {
		if d, err := exactjson.Decode([]byte(values[0])); err == nil {
			return d.Tree
		}
	}
	return itemsOf(a, m, values)
}

// itemsOf returns texts as items of an array.
func itemsOf(a *api, m *spec.Schema, values []string) []any {
	var item *spec.Schema
	if m != nil {
		if e := itemOf(m); e != nil {
			item = e.Schema
		}
	}
	all := make([]any, 0, len(values))
	for _, text := range values {
		all = append(all, bestReading(a, item, text))
	}
	return all
}

// bestReading returns the reading of a text that matches a schema, or the first one.
func bestReading(a *api, m *spec.Schema, text string) any {
	all := scalars(text, a.shapes.typesOf(m))
	if m != nil {
		v := a.contract.Validator(m)
		for _, one := range all {
			if conforms(v, one, schema.Request) {
				return one
			}
		}
	}
	return all[0]
}

// partsOf returns the parts of a multipart body by name.
func partsOf(a *api, data []byte, contentType string, media *spec.Media) (any, error) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, err
	}
	members, out := a.shapes.membersOf(media.Schema), map[string]any{}
	r := multipart.NewReader(bytes.NewReader(data), params["boundary"])
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		name := part.FormName()
		if !hasHeaders(a, part.Header, media.Encoding[name].Headers) {
			return nil, errors.New("a part lacks a header, or has one that is not as documented")
		}
		m, array := members[name], false
		if m != nil && a.shapes.isArray(m) {
			array = true
		}
		var value any
		own := bare(part.Header.Get("Content-Type"))
		switch {
		case isJSON(own):
			d, err := exactjson.Decode(content)
			if err != nil {
				return nil, err
			}
			value = d.Tree
			if _, whole := value.([]any); whole {
				array = false
			}
		case part.FileName() != "" || own != "" && !strings.HasPrefix(own, "text/"):
			value = string(content)
		default:
			element := m
			if array {
				if e := itemOf(m); e != nil {
					element = e.Schema
				}
			}
			value = bestReading(a, element, string(content))
			if text, ok := value.(string); ok && (a.shapes.isObject(element) || array && strings.HasPrefix(text, "[")) {
				if d, err := exactjson.Decode(content); err == nil {
					value = d.Tree
				}
			}
		}
		if array {
			list, _ := out[name].([]any)
			out[name] = append(list, value)
			continue
		}
		out[name] = value
	}
}

// clone returns a deep copy of a value.
func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return cloneObject(v)
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = clone(one)
		}
		return out
	}
	return value
}

// cloneObject copies an object.
func cloneObject(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for name, one := range object {
		out[name] = clone(one)
	}
	return out
}

// equalJSON reports whether two values are the same.
func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
