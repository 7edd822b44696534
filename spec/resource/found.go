package resource

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Identifier returns the identifier of a created resource: from the response, its Location or the request's body;
// false if none of them has it. body is nil if the response has none.
func (p Producer) Identifier(slot Slot, body any, location string, sent any) (any, bool) {
	if len(p.Path) > 0 {
		if all := collect(body, p.Path); len(all) == 1 {
			return Convert(all[0], slot.Parameter.Schema), true
		}
	}
	if id, ok := fromLocation(slot, location); ok {
		return Convert(id, slot.Parameter.Schema), true
	}
	if all := collect(sent, p.Sent); len(p.Sent) > 0 && len(all) == 1 {
		return Convert(all[0], slot.Parameter.Schema), true
	}
	if members, ok := body.(map[string]any); ok && len(p.Path) == 0 && !p.Awaited {
		if id, ok := nameable(members["id"]); ok {
			return Convert(id, slot.Parameter.Schema), true
		}
	}
	return nil, false
}

// Identifiers returns the identifiers that a list or another read shows, in order.
func (p Producer) Identifiers(slot Slot, body any) []any {
	all := collect(body, p.Path)
	for i := range all {
		all[i] = Convert(all[i], slot.Parameter.Schema)
	}
	return all
}

// mostFound bounds how many identifiers of a list are considered.
const mostFound = 100

// collect returns the texts and numbers at a path.
func collect(value any, path []Step) []any {
	if len(path) == 0 {
		if id, ok := nameable(value); ok {
			return []any{id}
		}
		return nil
	}
	if !path[0].Each {
		members, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		return collect(members[path[0].Name], path[1:])
	}
	list, _ := value.([]any)
	var all []any
	for _, one := range list[:min(len(list), mostFound)] {
		all = append(all, collect(one, path[1:])...)
	}
	return all
}

// nameable returns a value if it can be used in a path.
func nameable(value any) (any, bool) {
	switch v := value.(type) {
	case json.Number:
		return v, true
	case string:
		return v, v != "" && v != "." && v != ".."
	}
	return nil, false
}

// Convert returns an identifier as the schema of a parameter requires: a number as text if only texts are allowed,
// and vice versa.
func Convert(id any, s *spec.Schema) any {
	if s == nil {
		return id
	}
	switch v := id.(type) {
	case json.Number:
		if whole, ok := exactjson.CanonicalInt(v); ok {
			v = json.Number(whole) // 7.0 is an integer, and written as one in a path
		}
		id = v
		if admits(s, "string") && !admits(s, "integer") && !admits(s, "number") {
			return v.String()
		}
	case string:
		digits := v != "" && strings.TrimLeft(v, "0123456789") == "" && (v == "0" || v[0] != '0')
		if digits && admits(s, "integer") && !admits(s, "string") {
			return json.Number(v)
		}
	}
	return id
}

// Located returns the identifier in a Location; false if that does not lead into the slot's collection.
func (s Slot) Located(location string) (any, bool) {
	id, ok := fromLocation(s, location)
	if !ok {
		return nil, false
	}
	return Convert(id, s.Parameter.Schema), true
}

// fromLocation returns the last segment of a Location that leads into the slot's collection.
func fromLocation(slot Slot, location string) (string, bool) {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "", false
	}
	all := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	if len(all) < 2 || noun(segment(slot.Collection)) != noun(all[len(all)-2]) {
		return "", false
	}
	id, err := url.PathUnescape(all[len(all)-1])
	return id, err == nil && id != "" && id != "." && id != ".."
}

// Chooses reports whether clients of a PUT choose the identifier at the end of its path, so that it may create a
// resource.
func Chooses(op *spec.Operation) bool {
	all := SlotsOf(op)
	if op.Method != http.MethodPut || len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	return last.Key == Anonymous(op.Path) && last.Whole && clientChosen(last.Parameter) && (creationAnswer(op) != nil || isNameParameter(last.Parameter))
}

// Fixed reports whether a document states all values of a parameter, so that it does not name resources that come
// and go.
func Fixed(p spec.Parameter) bool {
	s := p.Schema
	return s != nil && (len(s.Enum) > 0 || s.Const != "" || s.Type == "boolean")
}

// Own returns the path at which the body of an operation repeats the identifier at the end of its path, or nil.
func Own(op *spec.Operation) []Step {
	all := SlotsOf(op)
	if len(all) == 0 || all[len(all)-1].Key != Anonymous(op.Path) {
		return nil
	}
	left := most
	slot := all[len(all)-1]
	q := query{left: &left, parameter: slot.Parameter.Schema}
	q.stated, _ = namesFor(slot.Parameter.Name, noun(segment(slot.Collection)))
	return q.sentBy(op)
}

// Naming returns the members of an operation's body that name the created resource, and must be new if names are
// unique: texts called name, title, email and the like, without restrictions that a made-up text would violate.
func Naming(op *spec.Operation) []spec.Property { return called(op, naming, allowsFreeText) }

// ChosenName returns the member of a creation's body with which the client names the resource: it is named like
// the path parameter of the resource, which is a name rather than an id, as services assign them. It returns false
// if there is none, or a made-up text does not fit.
func (m *Map) ChosenName(op *spec.Operation) (spec.Property, bool) {
	slot, p, creates := m.Creates(op)
	if !creates || p.Way != Created || len(p.Sent) != 1 || !isNameParameter(slot.Parameter) {
		return spec.Property{}, false
	}
	for _, one := range members(op.Body.Schema()) {
		if one.Name == p.Sent[0].Name {
			return one, admits(one.Schema, "string") && (allowsFreeText(one.Schema) || Patterned(one.Schema) != nil)
		}
	}
	return spec.Property{}, false
}

// ChosenID returns the member of a creation's body that is called exactly as the path parameter of the resource, if that is an id
// (deviceId, and /devices/{deviceId}): where it is not readOnly, the client chooses it, and it must be new. It returns false if there is
// none, if the member refers to a resource of another collection, or if neither a made-up text nor a made-up integer fits.
func (m *Map) ChosenID(op *spec.Operation) (spec.Property, bool) {
	slot, p, creates := m.Creates(op)
	if !creates || p.Way != Created || len(p.Sent) != 1 || isNameParameter(slot.Parameter) || plain(p.Sent[0].Name) != plain(slot.Parameter.Name) {
		return spec.Property{}, false
	}
	if slices.ContainsFunc(m.References(op), func(r Reference) bool {
		return len(r.Path) == 1 && r.Path[0].Name == p.Sent[0].Name && r.Slot.Key != slot.Key
	}) {
		return spec.Property{}, false
	}
	for _, one := range members(op.Body.Schema()) {
		if one.Name == p.Sent[0].Name && !slices.ContainsFunc(parts(one.Schema), func(s *spec.Schema) bool { return s.ReadOnly || len(s.Enum) > 0 || s.Const != "" }) {
			text := admits(one.Schema, "string") && (allowsFreeText(one.Schema) || Patterned(one.Schema) != nil || one.Schema.Format == "uuid")
			return one, text || admits(one.Schema, "integer")
		}
	}
	return spec.Property{}, false
}

// Numbering returns the members of an operation's body that number the created resource in a form given by a
// pattern: a SKU, a bar code, a reference. They must be new if they are unique, and a made-up text must match the
// pattern.
func Numbering(op *spec.Operation) []spec.Property {
	return called(op, slices.Concat(naming, numbering), func(s *spec.Schema) bool { return Patterned(s) != nil })
}

// Sends reports whether the body of an operation describes a member that clients may send.
func Sends(op *spec.Operation, member string) bool {
	return op.Body != nil && slices.ContainsFunc(members(op.Body.Schema()), func(p spec.Property) bool {
		return p.Name == member && !slices.ContainsFunc(parts(p.Schema), func(s *spec.Schema) bool { return s.ReadOnly })
	})
}

// Patterned returns the part of a schema that restricts texts only by a pattern and length, or nil.
func Patterned(s *spec.Schema) *spec.Schema {
	var found *spec.Schema
	for _, p := range parts(s) {
		switch {
		case len(p.Enum) > 0 || p.Const != "" || p.ReadOnly || p.Format != "" || len(p.Properties) > 0 || p.Items != nil || p.Pattern != "" && found != nil:
			return nil
		case p.Pattern != "":
			found = p
		}
	}
	return found
}

// called returns the text members of an operation's body with certain last words in their names, and whose schemas
// satisfy holds.
func called(op *spec.Operation, last []string, holds func(*spec.Schema) bool) []spec.Property {
	if op.Body == nil || op.Body.JSON() == nil {
		return nil
	}
	var all []spec.Property
	for _, p := range members(op.Body.Schema()) {
		name := words(p.Name)
		if len(name) == 0 || !slices.Contains(last, name[len(name)-1]) && !slices.Contains([]string{"id", "key", "code", "number"}, strings.Join(name, "")) ||
			!admits(p.Schema, "string") {
			continue
		}
		if holds(p.Schema) {
			all = append(all, p)
		}
	}
	return all
}

// naming are the last words of members that name a resource.
var naming = []string{"name", "title", "slug", "username", "login", "email", "label", "handle", "identifier", "isbn", "sku"}

// NamesAddress reports whether a name says that its value is an e-mail address.
func NamesAddress(name string) bool {
	all := words(name)
	return len(all) > 0 && all[len(all)-1] == "email"
}

// numbering are the last words of members that number a resource.
var numbering = []string{"reference", "ref", "barcode", "serial", "vin", "plate", "hostname", "domain"}

// allowsFreeText reports whether a schema allows any text of some length, or any e-mail address.
func allowsFreeText(s *spec.Schema) bool {
	return !slices.ContainsFunc(parts(s), func(p *spec.Schema) bool {
		return len(p.Enum) > 0 || p.Const != "" || p.Pattern != "" || p.ReadOnly || p.Format != "" && p.Format != "email" || len(p.Properties) > 0 || p.Items != nil
	})
}
