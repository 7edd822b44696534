package stub

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// isXML reports whether a media type without parameters is XML.
func isXML(t string) bool {
	return t == "application/xml" || t == "text/xml" || strings.HasSuffix(t, "+xml")
}

// element is an element.
type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Text       string     `xml:",chardata"`
	Children   []element  `xml:",any"`
}

// writtenAs returns what the document says about how a schema is written in XML, and its name there or, if it has
// none, the usual one.
func writtenAs(s *spec.Schema, usual string) (spec.XML, string) {
	var out spec.XML
	if s == nil {
		return out, usual
	}
	for _, p := range certainBases(s) {
		if p.XML != nil {
			out = *p.XML
			break
		}
	}
	if out.Name != "" {
		usual = out.Name
	}
	return out, usual
}

// rootName returns the name of the root element of a schema; empty if the document names none.
func rootName(s *spec.Schema) string {
	for _, p := range certainBases(s) {
		for _, before := range []string{"/components/schemas/", "/definitions/"} {
			if name, ok := strings.CutPrefix(p.Pointer, before); ok && !strings.Contains(name, "/") {
				_, name = writtenAs(s, name)
				return name
			}
		}
	}
	_, name := writtenAs(s, "")
	return name
}

// readXML returns the value of a text in XML as a schema has it.
func (a *api) readXML(data []byte, s *spec.Schema) (any, error) {
	var root element
	d := xml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&root); err != nil { //nolint:musttag // the element takes any name
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the root element")
	}
	if x, name := writtenAs(s, ""); name != "" && (root.XMLName.Local != name || x.Namespace != "" && x.Namespace != root.XMLName.Space) {
		return nil, errors.New("the root element is another one")
	}
	return a.valueOf(&root, s), nil
}

// valueOf returns the value of an element.
func (a *api) valueOf(n *element, s *spec.Schema) any {
	switch {
	case s == nil && len(n.Children) == 0:
		return strings.TrimSpace(n.Text)
	case s == nil, a.shapes.isObject(s):
		return a.objectOf(n, s)
	case a.shapes.isArray(s):
		return a.itemsAmong(n.Children, s, "")
	case len(n.Children) > 0:
		return a.objectOf(n, nil)
	}
	return bestReading(a, s, strings.TrimSpace(n.Text))
}

func (a *api) itemsAmong(all []element, s *spec.Schema, name string) []any {
	var item *spec.Schema
	if e := itemOf(s); e != nil {
		item = e.Schema
	}
	_, name = writtenAs(item, name)
	out := []any{}
	for i := range all {
		if name == "" || all[i].XMLName.Local == name {
			out = append(out, a.valueOf(&all[i], item))
		}
	}
	return out
}

func (a *api) objectOf(n *element, s *spec.Schema) map[string]any {
	out, known := map[string]any{}, map[string]bool{}
	if s == nil {
		s = &spec.Schema{}
	}
	for member, m := range a.shapes.membersOf(s) {
		x, name := writtenAs(m, member)
		known[name] = true
		switch {
		case x.Node == "attribute":
			known[name] = slices.ContainsFunc(n.Children, func(c element) bool { return c.XMLName.Local == name })
			for _, attribute := range n.Attributes {
				if attribute.Name.Local == name {
					out[member] = bestReading(a, m, attribute.Value)
				}
			}
			continue
		case x.Node == "text", x.Node == "cdata":
			out[member] = bestReading(a, m, strings.TrimSpace(n.Text))
			continue
		case a.shapes.isArray(m) && x.Node != "element":
			_, item := writtenAs(itemSchema(m), member)
			known[item] = true
			if list := a.itemsAmong(n.Children, m, member); len(list) > 0 || slices.Contains(s.Required, member) {
				out[member] = list
			}
			continue
		}
		for i := range n.Children {
			c := &n.Children[i]
			switch {
			case c.XMLName.Local != name:
			case a.shapes.isArray(m):
				out[member] = a.itemsAmong(c.Children, m, name)
			default:
				out[member] = a.valueOf(c, m)
			}
		}
	}
	for i := range n.Children {
		if name := n.Children[i].XMLName.Local; !known[name] {
			out[name] = a.valueOf(&n.Children[i], nil)
		}
	}
	return out
}

func itemSchema(s *spec.Schema) *spec.Schema {
	if e := itemOf(s); e != nil {
		return e.Schema
	}
	return nil
}

// textInXML returns a value as XML with the names from a schema; empty if the document does not name the root
// element.
func (a *api) textInXML(value any, s *spec.Schema) string {
	name := rootName(s)
	if name == "" {
		return ""
	}
	var b bytes.Buffer
	a.writeElement(&b, name, value, s, map[string]string{})
	return b.String()
}

func (a *api) writeElement(b *bytes.Buffer, name string, value any, s *spec.Schema, bound map[string]string) {
	x, _ := writtenAs(s, name)
	tag := name
	if x.Prefix != "" {
		tag = x.Prefix + ":" + name
	}
	b.WriteString("<" + tag)
	if x.Namespace != "" && bound[x.Prefix] != x.Namespace {
		bound = maps.Clone(bound)
		bound[x.Prefix] = x.Namespace
		b.WriteString(" xmlns" + strings.TrimSuffix(":"+x.Prefix, ":") + `="` + escapedXML(x.Namespace) + `"`)
	}
	object, _ := value.(map[string]any)
	members := a.shapes.membersOf(s)
	for _, member := range slices.Sorted(maps.Keys(object)) {
		if own, name := writtenAs(members[member], member); own.Node == "attribute" && object[member] != nil {
			b.WriteString(" " + name + `="` + escapedXML(textOf(object[member])) + `"`)
		}
	}
	b.WriteString(">")
	switch v := value.(type) {
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(v)) {
			a.writeMember(b, member, v[member], members[member], bound)
		}
	case []any:
		for _, one := range v {
			_, item := writtenAs(itemSchema(s), name)
			a.writeElement(b, item, one, itemSchema(s), bound)
		}
	case string, bool, json.Number:
		b.WriteString(escapedXML(textOf(v)))
	}
	b.WriteString("</" + tag + ">")
}

func (a *api) writeMember(b *bytes.Buffer, member string, value any, m *spec.Schema, bound map[string]string) {
	x, name := writtenAs(m, member)
	list, isList := value.([]any)
	switch {
	case value == nil, x.Node == "attribute":
	case x.Node == "text", x.Node == "cdata":
		b.WriteString(escapedXML(textOf(value)))
	case isList && x.Node != "element":
		_, item := writtenAs(itemSchema(m), member)
		for _, one := range list {
			a.writeElement(b, item, one, itemSchema(m), bound)
		}
	default:
		a.writeElement(b, name, value, m, bound)
	}
}

func escapedXML(text string) string {
	var b bytes.Buffer
	if xml.EscapeText(&b, []byte(text)) != nil {
		return ""
	}
	return b.String()
}
