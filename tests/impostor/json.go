package impostor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// member is one name and its value in an object.
type member struct {
	name  string
	value any
}

// object is a JSON object whose members keep their order.
type object []member

// array is a JSON array.
type array []any

// raw is text that goes into a body as it is.
type raw string

// with returns the object with the member set, in its old place if it had one.
func (o object) with(name string, value any) object {
	out := make(object, 0, len(o)+1)
	found := false
	for _, m := range o {
		if m.name == name {
			m.value, found = value, true
		}
		out = append(out, m)
	}
	if !found {
		out = append(out, member{name, value})
	}
	return out
}

// without returns the object less the named member.
func (o object) without(name string) object {
	out := make(object, 0, len(o))
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

// renamed returns the object with one member under another name.
func (o object) renamed(from, to string) object {
	out := append(object(nil), o...)
	for i := range out {
		if out[i].name == from {
			out[i].name = to
		}
	}
	return out
}

// value returns the member's value, or nil.
func (o object) value(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// has reports whether the object has the member.
func (o object) has(name string) bool {
	for _, m := range o {
		if m.name == name {
			return true
		}
	}
	return false
}

// style is a way to write JSON. Its zero value writes compact text.
type style struct {
	indent string              // one level of indentation; empty: one line
	escape func(r rune) string // the text for a rune, or "" for the usual one
	number func(n int64) string
}

func (st style) text(v any) []byte {
	var b bytes.Buffer
	st.write(&b, v, "")
	return b.Bytes()
}

func (st style) write(b *bytes.Buffer, v any, margin string) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int:
		st.integer(b, int64(v))
	case int64:
		st.integer(b, v)
	case string:
		st.quote(b, v)
	case raw:
		b.WriteString(string(v))
	case object:
		st.group(b, '{', '}', len(v), margin, func(i int, inner string) {
			st.quote(b, v[i].name)
			b.WriteByte(':')
			if st.indent != "" {
				b.WriteByte(' ')
			}
			st.write(b, v[i].value, inner)
		})
	case array:
		st.group(b, '[', ']', len(v), margin, func(i int, inner string) { st.write(b, v[i], inner) })
	default:
		panic(fmt.Sprintf("impostor: no way to write a %T", v))
	}
}

func (st style) integer(b *bytes.Buffer, n int64) {
	if st.number != nil {
		b.WriteString(st.number(n))
		return
	}
	b.WriteString(strconv.FormatInt(n, 10))
}

func (st style) group(b *bytes.Buffer, begin, end byte, n int, margin string, item func(int, string)) {
	inner := margin + st.indent
	b.WriteByte(begin)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if st.indent != "" {
			b.WriteString("\n" + inner)
		}
		item(i, inner)
	}
	if st.indent != "" {
		b.WriteString("\n" + margin)
	}
	b.WriteByte(end)
}

func (st style) quote(b *bytes.Buffer, s string) {
	b.WriteByte('"')
	if st.escape == nil && strings.IndexFunc(s, isSpecial) < 0 {
		b.WriteString(s)
		b.WriteByte('"')
		return
	}
	for _, r := range s {
		if st.escape != nil {
			if text := st.escape(r); text != "" {
				b.WriteString(text)
				continue
			}
		}
		switch {
		case r == '"':
			b.WriteString(`\"`)
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// isSpecial reports whether a JSON string cannot hold a rune as it is.
func isSpecial(r rune) bool { return r < 0x20 || r == '"' || r == '\\' }

// unicodeEscape writes a rune as \u text, in two halves where it needs them.
func unicodeEscape(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04X\u%04X`, high, low)
	}
	return fmt.Sprintf(`\u%04X`, r)
}

// field is one member of an object that came in, its value still as text.
type field struct {
	name string
	text string
}

// readObject takes a request body apart, or names what is wrong with it.
func readObject(body []byte) ([]field, flaw) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, bodyAbsent
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return nil, bodyMalformed
	}
	if len(bytes.TrimSpace(body[dec.InputOffset():])) > 0 {
		return nil, bodyTrailing
	}
	if value[0] != '{' {
		return nil, bodyNoObject
	}
	dec = json.NewDecoder(bytes.NewReader(value))
	if _, err := dec.Token(); err != nil {
		return nil, bodyMalformed
	}
	var fields []field
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, bodyMalformed
		}
		var text json.RawMessage
		if err := dec.Decode(&text); err != nil {
			return nil, bodyMalformed
		}
		fields = append(fields, field{name.(string), string(text)})
	}
	return fields, ""
}

// lastOf returns the text of the last field of that name, or "".
func lastOf(fields []field, name string) string {
	text := ""
	for _, f := range fields {
		if f.name == name {
			text = f.text
		}
	}
	return text
}

// unquote reads a JSON string.
func unquote(text string) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", false
	}
	var s string
	if json.Unmarshal([]byte(text), &s) != nil {
		return "", false
	}
	return s, true
}
