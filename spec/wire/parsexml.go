package wire

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Bounds on the XML that is parsed: number and depth of elements.
const maxElements, maxElementDepth = 100_000, 100

// xmlElement is a parsed element, with the namespaces of names.
type xmlElement struct {
	xml.Name

	attributes []xml.Attr
	// text is the character data directly in it.
	text     string
	children []*xmlElement
}

// isNil reports whether an element has no value according to xsi:nil (XML Schema, part 1, section 2.6.2).
func (e *xmlElement) isNil() bool {
	return slices.ContainsFunc(e.attributes, func(a xml.Attr) bool {
		return a.Name.Local == "nil" && (a.Name.Space == schemaInstance || a.Name.Space == "xsi") && (a.Value == "true" || a.Value == "1")
	})
}

// parseXML parses XML by the xml keywords of its schema. XML has no types, no null and no lists, so a text may
// have several values.
func parseXML(m Media, data []byte, o BodyOptions, how manner) (Reading, error) {
	root, err := xmlTree(m, data)
	if err != nil {
		return Reading{}, err
	}
	if o.Hint == nil {
		return Reading{}, unsupported(m)
	}
	h, outer := o.Hint, scope{}
	if name := h.XML.Name; name != "" && !h.XML.Alternatives && (root.Local != name || !inNamespace(root, h.XML, outer.with(h.XML))) {
		return Reading{}, &Error{Reason: Malformed, Text: "the root element is " + root.String() + ", not " + expandedName(name, h.XML.Namespace)}
	}
	x := xmlReader{how: how}
	values := x.element(root, h, outer)
	return Reading{Present: true, Values: values, Truncated: x.truncated}, nil
}

func (e *xmlElement) String() string { return expandedName(e.Local, e.Space) }

func expandedName(local, namespace string) string {
	if namespace == "" {
		return text.Quote(local)
	}
	return text.Quote(local) + " of " + text.Quote(namespace)
}

// xmlTree parses the elements of a text.
func xmlTree(m Media, data []byte) (*xmlElement, error) {
	if bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\xff\xfe")) {
		return nil, &Error{Reason: Unsupported, Text: "hallmark does not support XML in UTF-16"}
	}
	declared := m.Params["charset"] != ""
	if declared { // it takes precedence over the XML declaration (RFC 7303, section 3)
		decoded, err := decodeText(m, data)
		if err != nil {
			return nil, err
		}
		data = []byte(decoded)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		if declared {
			return input, nil
		}
		all, err := io.ReadAll(input)
		if err != nil {
			return nil, err
		}
		decoded, err := decodeText(Media{Params: map[string]string{"charset": charset}}, all)
		return strings.NewReader(decoded), err
	}
	var root *xmlElement
	var open []*xmlElement
	count, entities := 0, false
	malformed := func(why string) error {
		line, _ := d.InputPos()
		return &Error{Reason: Malformed, Place: "line " + strconv.Itoa(line), Text: why}
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, xmlError(err, entities)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxElements || len(open) >= maxElementDepth {
				return nil, &Error{Reason: TooLarge, Text: "there are more elements than hallmark supports"}
			}
			e := &xmlElement{Name: t.Name, attributes: slices.Clone(t.Attr)}
			switch {
			case len(open) > 0:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			case root != nil:
				return nil, malformed("there is a second root element")
			default:
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(t)
			} else if strings.TrimSpace(string(t)) != "" {
				return nil, malformed("there is text outside of the root element")
			}
		case xml.Directive:
			entities = entities || bytes.Contains(t, []byte("<!ENTITY"))
		}
	}
	if root == nil {
		return nil, malformed("there is no root element")
	}
	return root, nil
}

// xmlError distinguishes invalid XML from what the standard library does not support.
func xmlError(err error, entities bool) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	syntax, ok := errors.AsType[*xml.SyntaxError](err)
	if ok && (!entities || !strings.Contains(syntax.Msg, "entity")) {
		return &Error{Reason: Malformed, Place: "line " + strconv.Itoa(syntax.Line), Text: "it is not XML: " + syntax.Msg}
	}
	return &Error{Reason: Unsupported, Text: strings.TrimPrefix(err.Error(), "xml: ")}
}

// inNamespace reports whether an element has the namespace that the document requires. If it requires none, any is
// right: services differ in whether names inside an element with a namespace belong to that, too.
func inNamespace(e *xmlElement, x XML, s scope) bool {
	want := x.Namespace
	if want == "" && x.Prefix != "" {
		want = s[x.Prefix]
	}
	return want == "" || e.Space == want
}

type xmlReader struct {
	how       manner
	truncated bool
}

// element returns the possible values of an element.
func (x *xmlReader) element(e *xmlElement, h *Hint, outer scope) []any {
	switch {
	case !e.isNil():
		return x.content(e, h, outer)
	case x.how == lenient && h != nil: // no version of OpenAPI before 3.2 speaks of xsi:nil, and a parser that does not know it sees an empty element
		return distinct(append([]any{nil}, x.content(e, h, outer)...))
	}
	return []any{nil}
}

// content returns the possible values of what an element holds.
func (x *xmlReader) content(e *xmlElement, h *Hint, outer scope) []any {
	if h == nil {
		return []any{generic(e)}
	}
	inner := outer.with(h.XML)
	var all []any
	leaf := len(e.children) == 0
	bare := leaf && strings.TrimSpace(e.text) == ""
	if h.admits("array") {
		all = append(all, x.list(e.children, h.items(), inner)...)
	}
	if h.admits("object") || len(h.Types) == 0 && len(h.Properties) > 0 {
		all = append(all, x.object(e, h, inner)...)
	}
	if h.scalar() && (leaf || x.how == lenient) {
		all = append(all, x.texts(e.text, h)...)
	}
	if len(all) == 0 || !leaf && h.scalar() && !h.admits("object") && !h.admits("array") {
		all = append(all, generic(e))
	}
	if bare && (h.Nullable || h.admits("null")) {
		all = append(all, nil)
	}
	return distinct(all)
}

// texts returns the possible values of a text. XML Schema also allows booleans as 1 and 0, and numbers with
// leading zeros; surrounding blanks may be formatting only.
func (x *xmlReader) texts(s string, h *Hint) []any {
	trimmed := strings.TrimSpace(s)
	all := scalars(trimmed, h, x.how)
	if number, ok := lenientNumber(trimmed); ok && (h.admits("number") || h.admits("integer") && isInteger(number)) {
		all = append(all, number)
	}
	if h.admits("boolean") && (trimmed == "1" || trimmed == "0") {
		all = append(all, trimmed == "1")
	}
	if s != trimmed && h.admits("string") {
		all = append(all, s)
	}
	return distinct(all)
}

// list returns the possible lists of elements.
func (x *xmlReader) list(elements []*xmlElement, items *Hint, s scope) []any {
	lists := make([][]any, len(elements))
	for i, e := range elements {
		lists[i] = x.element(e, items, s)
	}
	rows, whole := product(lists)
	x.truncated = x.truncated || !whole
	all := make([]any, len(rows))
	for i, row := range rows {
		all[i] = row
	}
	return all
}

// object returns the possible objects of an element.
func (x *xmlReader) object(e *xmlElement, h *Hint, s scope) []any {
	var b objectBuilder
	read := map[*xmlElement]bool{}
	for _, name := range slices.Sorted(maps.Keys(h.Properties)) {
		values := x.member(e, name, h.Properties[name], s, read)
		if len(values) == 0 {
			continue
		}
		if !slices.Contains(h.Required, name) { // an element without content may mean none
			if bare := func(v any) bool { return v == nil || v == "" || isEmpty(v) }; slices.ContainsFunc(values, bare) {
				values = append(values, absent{})
			}
		}
		b.addProperty(name, Reading{Present: true, Values: values})
	}
	others := map[string][]*xmlElement{}
	for _, child := range e.children {
		if !read[child] {
			name := child.Local
			if h.Properties[name] != nil { // in the wrong namespace
				name = child.String()
			}
			others[name] = append(others[name], child)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		b.addProperty(name, Reading{Present: true, Values: x.several(others[name], h.Additional, s)})
	}
	r := b.reading()
	x.truncated = x.truncated || r.Truncated
	return r.Values
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// member returns the possible values of a member of an object; none if it is missing.
func (x *xmlReader) member(e *xmlElement, name string, h *Hint, s scope, read map[*xmlElement]bool) []any {
	inner := s.with(h.XML)
	own := []string{name}
	if h.XML.Name != "" {
		own[0] = h.XML.Name
	}
	switch h.XML.Node {
	case NodeAttribute:
		for _, a := range e.attributes {
			if a.Name.Local == own[0] && a.Name.Space != "xmlns" && (h.XML.Namespace == "" || a.Name.Space == h.XML.Namespace) {
				return x.texts(a.Value, h)
			}
		}
		if h.Nullable || h.admits("null") { // a null attribute is omitted (OpenAPI 3.2, Handling null Values)
			return []any{nil, absent{}}
		}
		return nil
	case NodeText, NodeCDATA:
		return x.texts(e.text, h)
	}
	take := func(names []string, of XML) []*xmlElement {
		var found []*xmlElement
		for _, child := range e.children {
			if slices.Contains(names, child.Local) && inNamespace(child, of, inner) {
				found = append(found, child)
				read[child] = true
			}
		}
		return found
	}
	if h.admits("array") {
		if h.XML.Node == NodeElement {
			return x.wrapped(take(own, h.XML), h, own[0], inner)
		}
		items := h.items()
		var of XML
		if items != nil {
			of = items.XML
		}
		found := take(items.childNames(name), of)
		if len(found) == 0 && !h.scalar() {
			return []any{[]any{}}
		}
		if len(found) > 0 {
			return x.list(found, items, inner)
		}
	}
	found := take(h.childNames(name), h.XML)
	if len(found) == 0 {
		return nil
	}
	return x.several(found, h, s)
}

// wrapped returns the possible lists of wrapper elements.
func (x *xmlReader) wrapped(found []*xmlElement, h *Hint, name string, s scope) []any {
	if len(found) != 1 {
		return x.several(found, h, s)
	}
	if found[0].isNil() {
		return []any{nil}
	}
	items := h.items()
	children := found[0].children
	if items != nil {
		names := items.childNames(name)
		children = slices.DeleteFunc(slices.Clone(children), func(child *xmlElement) bool {
			return items.XML.Name != "" && !slices.Contains(names, child.Local) || !inNamespace(child, items.XML, s.with(items.XML))
		})
	}
	var all []any
	strange := len(children) < len(found[0].children) || len(children) == 0 && strings.TrimSpace(found[0].text) != "" // the content is no item
	if !strange || x.how == lenient {
		all = x.list(children, items, s)
	}
	if strange {
		all = append(all, generic(found[0]))
	} else if len(children) == 0 && (h.Nullable || h.admits("null")) {
		all = append(all, nil)
	}
	return all
}

// several returns the possible values of elements with the same name where one is expected.
func (x *xmlReader) several(elements []*xmlElement, h *Hint, s scope) []any {
	switch {
	case len(elements) == 0:
		return nil
	case len(elements) == 1:
		return x.element(elements[0], h, s)
	}
	var all []any
	if x.how == lenient { // some parsers take the first, others the last
		for _, e := range elements {
			all = append(all, x.element(e, h, s)...)
		}
	}
	return append(all, x.list(elements, h, s)...)
}

// generic returns the value of an element that the schema does not describe.
func generic(e *xmlElement) any {
	if len(e.children) == 0 {
		trimmed := strings.TrimSpace(e.text)
		return trimmed
	}
	object := map[string]any{}
	for _, child := range e.children {
		value := generic(child)
		switch before := object[child.Local].(type) {
		case nil:
			object[child.Local] = value
		case []any:
			object[child.Local] = append(before, value)
		default:
			object[child.Local] = []any{before, value}
		}
	}
	return object
}
