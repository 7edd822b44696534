package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"hallmark/spec"
	"hallmark/steps/client"
)

// draft is a valid body that was generated. It says what to send but for the name by which the animal is recognised:
// that one is fresh each time, so that trying the same again is not refused for it.
type draft struct {
	fields []draftField
	// escaped writes all that is not ASCII as \u1234, reversed the properties in reverse order.
	escaped, reversed bool
}

// draftField is one property of a draft.
type draftField struct {
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
func (f draftField) unusual(fresh string) bool {
	switch {
	case f.absent || f.either:
		return false
	case f.text:
		return !plainText(f.before + fresh + f.after)
	}
	return f.json != f.plain
}

// sampleName is as long as fresh names mostly are.
const sampleName = "hallmark-abcdef-1000"

// plainText reports whether a name is certainly a plain one: up to 40 letters and digits, single hyphens and blanks within.
func plainText(name string) bool {
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

// write returns the body's bytes, and the texts in it that show the name.
func (d draft) write(name string) (raw []byte, names []string) {
	var members []string
	for _, f := range d.fields {
		value := f.json
		switch {
		case f.absent:
			continue
		case f.text:
			whole := f.before + name + f.after
			names = append(names, whole)
			value = quoteJSON(whole)
		}
		members = append(members, quoteJSON(f.name)+": "+value)
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

// decoded reads a body's properties, exactly.
func decoded(raw []byte) map[string]any {
	values, _ := spec.Decode(&spec.Response{Body: raw}).Object()
	return values
}

// post sends a body that was generated.
func (s *scenario) post(ctx context.Context, op spec.Operation, raw []byte, names []string, about string) (*answer, error) {
	sent := &sentBody{raw: raw, mediaType: "application/json", names: names}
	sent.setValues(decoded(raw))
	if sent.values == nil {
		sent.values = map[string]any{} // it counts for the budget: a faulty service may take it for an animal
	}
	credential := rightCredential(s.run.target.Key)
	a, err := s.send(ctx, client.Call{
		Operation: op.ID, About: about, Method: op.Method, Path: op.Path, Body: raw,
		MediaType: sent.mediaType,
	}, credential, sent)
	if a != nil {
		a.credential = credential
	}
	return a, err
}

// smaller lists simpler drafts: those that give up a whole field first, then those with parts of a text or a number.
func (d draft) smaller() []draft {
	var out []draft
	with := func(change func(*draft)) {
		next := d
		next.fields = slices.Clone(d.fields)
		change(&next)
		out = append(out, next)
	}
	for i, f := range d.fields {
		if f.unusual(sampleName) {
			with(func(n *draft) {
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
		with(func(n *draft) { n.fields[i] = n.fields[i].plainly() })
	}
	with(func(n *draft) { n.escaped, n.reversed = false, false })
	for i, f := range d.fields {
		switch {
		case f.text:
			for _, text := range smallerTexts(f.before) {
				with(func(n *draft) { n.fields[i].before = text })
			}
			for _, text := range smallerTexts(f.after) {
				with(func(n *draft) { n.fields[i].after = text })
			}
		case f.unusual(sampleName):
			for _, number := range smallerIntegers(f.json) {
				with(func(n *draft) { n.fields[i].json = number })
			}
		}
	}
	return out
}

// plainly is the field with an inconspicuous value, or none.
func (f draftField) plainly() draftField {
	f.before, f.after = "", ""
	if f.either {
		f.absent = true
	}
	if !f.text {
		f.json = f.plain
	}
	return f
}

// String is the body as it would be sent, to tell drafts apart.
func (d draft) String() string {
	raw, _ := d.write("hallmark")
	return string(raw)
}
