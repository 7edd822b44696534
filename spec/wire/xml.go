package wire

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"unicode/utf8"
)

// XML node types of schemas (OpenAPI 3.2). attribute: true and wrapped: true of earlier versions correspond to
// NodeAttribute, and to NodeElement of an array.
const (
	NodeElement   = "element"
	NodeAttribute = "attribute"
	NodeText      = "text"
	NodeCDATA     = "cdata"
)

// XML is the xml keyword of a schema.
type XML struct {
	Name, Namespace, Prefix string
	// Node is one of NodeElement and the others; empty for the default.
	Node string
	// Component is the name of the schema among the components, used if Name is empty.
	Component string
	// Alternatives reports whether the name may differ because the schema has alternatives.
	Alternatives bool
}

const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// serializeXML writes a value according to the xml keywords of its schema.
func serializeXML(value any, o BodyOptions) ([]byte, error) {
	if o.Hint == nil {
		return nil, &Error{Reason: Undefined, Text: "without a schema the names of the XML elements are unknown"}
	}
	name := o.Hint.XML.Name
	if name == "" {
		name = o.Hint.XML.Component
	}
	if name == "" {
		return nil, &Error{Reason: Undefined, Text: "the schema does not name the root element (xml.name)"}
	}
	w := xmlWriter{}
	w.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	if err := w.element(name, value, o.Hint, scope{}); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// scope maps the bound prefixes to their namespaces; the empty prefix is that of names without one.
type scope map[string]string

// with returns the scope inside an element.
func (s scope) with(x XML) scope {
	if x.Namespace == "" || s[x.Prefix] == x.Namespace {
		return s
	}
	inner := scope{x.Prefix: x.Namespace}
	for prefix, namespace := range s {
		if prefix != x.Prefix {
			inner[prefix] = namespace
		}
	}
	return inner
}

type xmlWriter struct{ bytes.Buffer }

// qualified returns a name with its prefix.
func qualified(name string, x XML, s scope) (string, error) {
	switch {
	case !isXMLName(name):
		return "", &Error{Reason: Uncarriable, Place: name, Text: "this is not an XML name"}
	case x.Prefix == "":
		return name, nil
	case s[x.Prefix] == "":
		return "", &Error{Reason: Undefined, Place: name, Text: "the document does not define the namespace of the prefix " + x.Prefix}
	}
	return x.Prefix + ":" + name, nil
}

// isXMLName reports whether a name can be that of an element. It allows fewer names than XML does.
func isXMLName(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0xc0 && r <= 0x24f && r != 0xd7 && r != 0xf7
		if !letter && (i == 0 || r != '-' && r != '.' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != ""
}

// element writes one element.
func (w *xmlWriter) element(name string, value any, h *Hint, outer scope) error {
	x := XML{}
	if h != nil {
		x = h.XML
	}
	inner := outer.with(x)
	tag, err := qualified(name, x, inner)
	if err != nil {
		return err
	}
	w.WriteString("<" + tag)
	if x.Namespace != "" && outer[x.Prefix] != x.Namespace {
		declared := "xmlns"
		if x.Prefix != "" {
			declared += ":" + x.Prefix
		}
		if err := w.attribute(declared, x.Namespace); err != nil {
			return err
		}
	}
	members, _ := value.(map[string]any)
	for _, name := range sortedNames(members) {
		member, _ := h.member(name)
		if member == nil || member.XML.Node != NodeAttribute || members[name] == nil {
			continue
		}
		if err := w.property(name, members[name], member, inner); err != nil {
			return withPlace(name, err)
		}
	}
	if value == nil {
		w.WriteString(` xmlns:xsi="` + schemaInstance + `" xsi:nil="true"/>`)
		return nil
	}
	w.WriteString(">")
	switch v := value.(type) {
	case map[string]any:
		err = w.members(v, h, inner)
	case []any:
		err = w.items(v, name, h.items(), inner)
	default:
		text, ok := scalarText(value)
		if !ok {
			return &Error{Reason: Unsupported, Text: "this is not a JSON value"}
		}
		err = w.text(text)
	}
	w.WriteString("</" + tag + ">")
	return err
}

// property writes an attribute.
func (w *xmlWriter) property(name string, value any, h *Hint, s scope) error {
	if h.XML.Name != "" {
		name = h.XML.Name
	}
	text, ok := scalarText(value)
	if !ok {
		return &Error{Reason: Undefined, Text: "an attribute cannot contain a list or an object"}
	}
	s = s.with(h.XML)
	if h.XML.Prefix != "" && h.XML.Namespace != "" {
		if err := w.attribute("xmlns:"+h.XML.Prefix, h.XML.Namespace); err != nil {
			return err
		}
	}
	tag, err := qualified(name, h.XML, s)
	if err != nil {
		return err
	}
	return w.attribute(tag, text)
}

func (w *xmlWriter) attribute(name, text string) error {
	w.WriteString(" " + name + `="`)
	if err := w.text(text); err != nil {
		return err
	}
	w.WriteString(`"`)
	return nil
}

// text writes character data.
func (w *xmlWriter) text(text string) error {
	for _, r := range text {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return &Error{Reason: Uncarriable, Text: "XML cannot contain control characters"}
		}
	}
	if !utf8.ValidString(text) {
		return &Error{Reason: Uncarriable, Text: "the text is not UTF-8"}
	}
	return xml.EscapeText(&w.Buffer, []byte(text))
}

// members writes the members of an object that are not attributes.
func (w *xmlWriter) members(members map[string]any, h *Hint, s scope) error {
	for _, name := range sortedNames(members) {
		member, _ := h.member(name)
		if err := w.member(name, members[name], member, s); err != nil {
			return withPlace(name, err)
		}
	}
	return nil
}

func (w *xmlWriter) member(name string, value any, h *Hint, s scope) error {
	if value == nil { // a nil element, or none: services differ
		return nil
	}
	if h == nil {
		h = &Hint{}
	}
	switch h.XML.Node {
	case NodeAttribute:
		return nil
	case NodeText, NodeCDATA:
		text, ok := scalarText(value)
		if !ok {
			return &Error{Reason: Undefined, Text: "a text cannot contain a list or an object"}
		}
		return w.text(text)
	}
	own := name
	if h.XML.Name != "" {
		own = h.XML.Name
	}
	items, isList := value.([]any)
	switch {
	case isList && !h.admits("array"): // an unexpected list
		return w.items(items, own, h, s)
	case isList && h.XML.Node != NodeElement:
		return w.items(items, name, h.items(), s)
	case !isList && h.admits("array") && h.XML.Node != NodeElement: // possibly the only item of a list
		return w.items([]any{value}, name, h.items(), s)
	}
	return w.element(own, value, h, s)
}

// items writes the elements of a list.
func (w *xmlWriter) items(items []any, name string, h *Hint, s scope) error {
	if h != nil && h.XML.Name != "" {
		name = h.XML.Name
	}
	for i, item := range items {
		if err := w.element(name, item, h, s); err != nil {
			return withPlace("item "+strconv.Itoa(i), err)
		}
	}
	return nil
}

// childNames returns the possible names of an element for a member or an item.
func (h *Hint) childNames(inferred ...string) []string {
	switch {
	case h == nil:
		return inferred
	case h.XML.Name != "" && !h.XML.Alternatives:
		return []string{h.XML.Name}
	}
	return append(inferred, h.XML.Name, h.XML.Component)
}
