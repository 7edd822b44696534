package generate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"hallmark/spec"
)

// ValidBody is a valid body that was generated. It says what to send but for the name by which the resource is recognised:
// that one is fresh each time, so that trying the same again is not refused for it.
type ValidBody struct {
	fields []field
	// escaped writes all that is not ASCII as \u1234, reversed the properties in reverse order.
	escaped, reversed bool
}

// field is one property of a ValidBody.
type field struct {
	name   string
	absent bool
	// A text stands around the fresh name.
	text          bool
	before, after string
	// Any other value is a JSON text; plain is an inconspicuous one.
	json, plain string
	// either reports whether the value is as plain as any other: a member of an enum.
	either bool
}

// unusual reports whether a service may refuse the value, valid as it is, when it is written with that fresh name.
func (f field) unusual(fresh string) bool {
	switch {
	case f.absent || f.either:
		return false
	case f.text:
		return !IsPlainName(f.before + fresh + f.after)
	}
	return f.json != f.plain
}

// Unusual returns the first property whose value a service may refuse, valid as it is; false when there is none.
func (d ValidBody) Unusual(fresh string) (property string, ok bool) {
	for _, f := range d.fields {
		if f.unusual(fresh) {
			return f.name, true
		}
	}
	return "", false
}

// sampleName is as long as fresh names mostly are.
const sampleName = "hallmark-abcdef-1000"

// IsPlainName reports whether a name is certainly a plain one: up to 40 letters and digits, single hyphens and blanks within.
func IsPlainName(name string) bool {
	const joins = "- "
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		join := strings.IndexByte(joins, c) >= 0 && i > 0 && i < len(name)-1 && strings.IndexByte(joins, name[i-1]) < 0
		if !letter && !join {
			return false
		}
	}
	return len(name) <= 40
}

// Write returns the body's bytes, and the texts in it that show the name.
func (d ValidBody) Write(name string) (raw []byte, names []string) {
	var members []string
	for _, f := range d.fields {
		value := f.json
		switch {
		case f.absent:
			continue
		case f.text:
			whole := f.before + name + f.after
			names = append(names, whole)
			value = JSONString(whole)
		}
		members = append(members, JSONString(f.name)+": "+value)
	}
	if d.reversed {
		slices.Reverse(members)
	}
	text := "{" + strings.Join(members, ", ") + "}"
	if d.escaped {
		text = escapeAll(text)
	}
	return []byte(text), names
}

// escapeAll writes a JSON text in ASCII.
func escapeAll(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04X`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Smaller lists simpler bodies: those that give up a whole field first, then those with parts of a text or a number.
func (d ValidBody) Smaller() []ValidBody {
	var out []ValidBody
	with := func(change func(*ValidBody)) {
		next := d
		next.fields = slices.Clone(d.fields)
		change(&next)
		out = append(out, next)
	}
	for i, f := range d.fields {
		if f.unusual(sampleName) {
			with(func(n *ValidBody) {
				for k := range n.fields {
					if k != i {
						n.fields[k] = n.fields[k].plainly()
					}
				}
				n.escaped, n.reversed = false, false
			})
		}
	}
	for i := range d.fields {
		with(func(n *ValidBody) { n.fields[i] = n.fields[i].plainly() })
	}
	with(func(n *ValidBody) { n.escaped, n.reversed = false, false })
	for i, f := range d.fields {
		switch {
		case f.text:
			for _, text := range smallerStrings(f.before) {
				with(func(n *ValidBody) { n.fields[i].before = text })
			}
			for _, text := range smallerStrings(f.after) {
				with(func(n *ValidBody) { n.fields[i].after = text })
			}
		case f.unusual(sampleName):
			for _, number := range smallerIntegers(f.json) {
				with(func(n *ValidBody) { n.fields[i].json = number })
			}
		}
	}
	return out
}

// plainly is the field with an inconspicuous value, or none.
func (f field) plainly() field {
	f.before, f.after = "", ""
	if f.either {
		f.absent = true
	}
	if !f.text {
		f.json = f.plain
	}
	return f
}

// String is the body as it would be sent, to tell bodies apart.
func (d ValidBody) String() string {
	raw, _ := d.Write("hallmark")
	return string(raw)
}

// Plain returns the JSON text of an inconspicuous value of a property: the one that plain has for it, or else one by its
// schema. A text is what fresh returns.
func Plain(p spec.Property, plain map[string]string, fresh func() string) string {
	if v, ok := plain[p.Name]; ok {
		return v
	}
	s := p.Schema
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		return JSONString(fresh())
	case s.Type == "integer" || s.Type == "number":
		if s.Minimum != "" {
			return s.Minimum
		}
		return "1"
	case s.Type == "boolean":
		return "true"
	case s.Type == "array":
		return "[]"
	case s.Type == "object":
		return "{}"
	}
	return "null"
}

// JSONString writes a JSON string with nothing escaped that need not be.
func JSONString(text string) string {
	b := &strings.Builder{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
