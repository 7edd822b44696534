package generate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/steps/truncate"
)

// With is a plain body in which a property has another value, a JSON text.
func With(property, json string) *request.Plan {
	return &request.Plan{Set: []request.Change{{Property: property, JSON: json}}}
}

// SentBody is a request body as it was sent.
type SentBody struct {
	Raw       []byte
	MediaType string
	// Values are the properties that a well-formed body holds, decoded exactly and then made light as those of responses are;
	// nil for bodies that are no object.
	Values map[string]any
	// name is that of the resource that it describes; empty when it holds none that is a text.
	name string
	// Names are the fresh names in it: a resource that carries one was made of this body.
	Names []string
	// Shared reports whether other creations carry the same name, on purpose.
	Shared bool
}

// Name is the resource's name that a body holds; empty when it holds none that is a text.
func (b *SentBody) Name() string {
	if b == nil {
		return ""
	}
	return b.name
}

// SetValues notes what a body holds.
func (b *SentBody) SetValues(values map[string]any) {
	b.name, _ = values["name"].(string)
	b.Values, _ = truncate.Value(values).(map[string]any)
}

// Fresher makes up what nobody else has.
type Fresher interface {
	// FreshName returns a plain name that nothing else has, FreshID an id that nothing has.
	FreshName() string
	FreshID() string
}

// filler fills a body: with the JSON texts of values that the target is known to take, and with what is fresh.
type filler struct {
	values map[string]string
	fresh  Fresher
}

// Build makes the body's bytes for an operation; nil when the operation takes none and none was planned. Values holds the
// JSON texts of values that the target is known to take.
func Build(op spec.Operation, plan *request.Plan, values map[string]string, fresh Fresher) *SentBody {
	if plan == nil {
		if op.Body == nil {
			return nil
		}
		plan = &request.Plan{}
	}
	out := &SentBody{MediaType: "application/json"}
	if plan.MediaType != "" {
		out.MediaType = plan.MediaType
	}
	if plan.NoMediaType {
		out.MediaType = ""
	}
	switch {
	case plan.Absent:
		return out
	case plan.Literal != nil:
		out.Raw = []byte(*plan.Literal)
		return out
	case op.Body == nil:
		return nil
	}
	members := filler{values, fresh}.members(op.Body.Schema(), plan, out)
	text := "{" + strings.Join(members, ", ") + "}"
	out.Raw = []byte(text)
	if plan.Layout != "" {
		out.Raw = []byte(laidOut(members, plan.Layout))
	}
	if plan.Damage != "" {
		out.Raw = []byte(request.Damaged(text, plan.Damage))
		return out
	}
	out.SetValues(Decoded(out.Raw))
	return out
}

// members writes the members of a body's object, property by property in the order of the contract.
func (f filler) members(s *spec.Schema, plan *request.Plan, out *SentBody) []string {
	var members []string
	member := func(name, value string) {
		if other, ok := plan.Renamed[name]; ok {
			name = other
		}
		value = f.fillUnique(value, &out.Names)
		members = append(members, JSONString(name)+": "+value)
	}
	for _, p := range s.Properties {
		at := slices.IndexFunc(plan.Set, func(c request.Change) bool { return c.Property == p.Name })
		switch {
		case slices.Contains(plan.Without, p.Name):
		case at >= 0:
			member(p.Name, plan.Set[at].JSON)
		case p.Required:
			member(p.Name, f.plain(p, &out.Names))
		}
	}
	for _, c := range plan.Set {
		if s.Property(c.Property) == nil {
			member(c.Property, c.JSON)
		}
	}
	if plan.Extra != "" {
		members = append(members, f.fillUnique(plan.Extra, &out.Names))
	}
	return members
}

// uniqueOfLength stands for a fresh name of a certain length.
var uniqueOfLength = regexp.MustCompile(`\{unique:(\d{1,7})\}`)

// fillUnique puts a fresh name in place of {unique}, in a JSON text, and remembers the whole string that holds it.
func (f filler) fillUnique(text string, names *[]string) string {
	long := uniqueOfLength.FindStringSubmatch(text)
	switch {
	case long != nil:
		name := f.fresh.FreshName()
		length, _ := strconv.Atoi(long[1])
		text = strings.ReplaceAll(text, long[0], name+strings.Repeat("x", max(0, length-len(name))))
	case strings.Contains(text, "{digits}"):
		return strings.ReplaceAll(text, "{digits}", f.fresh.FreshID())
	case strings.Contains(text, "{unique}"):
		text = strings.ReplaceAll(text, "{unique}", f.fresh.FreshName())
	default:
		return text
	}
	var whole string
	if json.Unmarshal([]byte(text), &whole) == nil {
		*names = append(*names, whole)
	}
	return text
}

// laidOut writes a JSON object in another way that means the same; in the usual one when the way is not known.
func laidOut(members []string, layout string) string {
	switch layout {
	case "in reverse order":
		members = slices.Clone(members)
		slices.Reverse(members)
	case "over several lines":
		return "\r\n{\n\t" + strings.Join(members, ",\n\t") + "\n}\n"
	case "without any blanks":
		return outsideTexts("{"+strings.Join(members, ",")+"}", func(part string) string { return strings.ReplaceAll(part, " ", "") })
	case "with its letters escaped":
		return insideTexts("{"+strings.Join(members, ", ")+"}", escapedLetters)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// jsonText is a string of JSON, quotes included.
var jsonText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// insideTexts changes the strings of a JSON text, outsideTexts everything else.
func insideTexts(json string, change func(string) string) string {
	return jsonText.ReplaceAllStringFunc(json, change)
}

func outsideTexts(json string, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, text := range jsonText.FindAllStringIndex(json, -1) {
		b.WriteString(change(json[at:text[0]]) + json[text[0]:text[1]])
		at = text[1]
	}
	return b.String() + change(json[at:])
}

// escapedLetters writes the small letters of a JSON string as escapes; those of its own escapes stay.
func escapedLetters(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			end := i + 2
			if text[i+1] == 'u' {
				end = i + 6
			}
			b.WriteString(text[i:end])
			i = end - 1
		case c >= 'a' && c <= 'z':
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Decoded reads a body's properties, exactly.
func Decoded(raw []byte) map[string]any {
	values, _ := spec.Decode(&spec.Response{Body: raw}).Object()
	return values
}

// plain returns the JSON text of an inconspicuous value of a property, and notes the name in it.
func (f filler) plain(p spec.Property, names *[]string) string {
	return Plain(p, f.values, func() string {
		name := f.fresh.FreshName()
		*names = append(*names, name)
		return name
	})
}
