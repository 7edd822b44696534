package generate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/truncate"
)

// Plan is a request body in the making: a plain one for the operation that will be called, with changes.
type Plan struct {
	// Set and without change single properties; values are JSON texts, in which {unique} stands for a fresh name, and {unique:40}
	// for one of 40 characters.
	Set     []Change
	Without []string
	// Renamed gives properties other names.
	Renamed map[string]string
	// Damage makes the text of the body something else than one JSON text, or puts it into an array.
	Damage string
	// Literal replaces the body when it is not nil.
	Literal *string
	// Absent sends no body, and still the Content-Type of one.
	Absent bool
	// Extra is put into the object as it is, after the documented properties: `"nick": "Rexy"`.
	Extra string
	// Layout writes the same body in another way: see laidOut.
	Layout string
	// MediaType replaces application/json; NoMediaType sends none.
	MediaType   string
	NoMediaType bool
}

// Change gives a property another value, a JSON text.
type Change struct{ Property, JSON string }

// With is a plain body in which a property has another value, a JSON text.
func With(property, json string) *Plan {
	return &Plan{Set: []Change{{property, json}}}
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
func Build(op spec.Operation, plan *Plan, values map[string]string, fresh Fresher) *SentBody {
	if plan == nil {
		if op.Body == nil {
			return nil
		}
		plan = &Plan{}
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
		out.Raw = []byte(damaged(text, plan.Damage))
		return out
	}
	out.SetValues(Decoded(out.Raw))
	return out
}

// members writes the members of a body's object, property by property in the order of the contract.
func (f filler) members(s *spec.Schema, plan *Plan, out *SentBody) []string {
	var members []string
	member := func(name, value string) {
		if other, ok := plan.Renamed[name]; ok {
			name = other
		}
		value = f.fillUnique(value, &out.Names)
		members = append(members, JSONString(name)+": "+value)
	}
	for _, p := range s.Properties {
		at := slices.IndexFunc(plan.Set, func(c Change) bool { return c.Property == p.Name })
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

// damaged makes of a JSON object what a step "a plain body <damage>" says; see derive.Damages.
func damaged(text, damage string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	if inner == "" {
		inner = `"more": 1` // what holds no name cannot be damaged in its names
		text = "{" + inner + "}"
	}
	switch damage {
	case "cut short":
		return strings.TrimSuffix(text, "}")
	case "followed by a word":
		return text + " trailing"
	case "followed by a second object":
		return text + " " + text
	case "followed by a bracket":
		return text + "]"
	case "with a comma before its last brace":
		return "{" + inner + ",}"
	case "in single quotes":
		return strings.ReplaceAll(text, `"`, `'`)
	case "without quotes around its names":
		for part := range strings.SplitSeq(inner, ", ") {
			if name, _, ok := strings.Cut(part, ":"); ok {
				text = strings.Replace(text, name, strings.Trim(name, `"`), 1)
			}
		}
		return text
	case "without its braces":
		return inner
	case "with a bare word as a value":
		return "{" + inner + `, "more": yes}`
	case "in the manner of a form":
		return asForm(text)
	case "inside an array":
		return "[" + text + "]"
	case "with a byte that is not UTF-8":
		return endingIn(text, "\xff")
	case "with a character in more bytes than UTF-8 has for it":
		return endingIn(text, "\xc1\xa1") // a
	case "with a character that lacks its last byte":
		return endingIn(text, "\xe2\x82")
	}
	return text
}

// endingIn puts bytes at the end of the first text that a JSON object holds as a value, or into a member of their own.
func endingIn(object, bytes string) string {
	if at := textValue.FindStringIndex(object); at != nil {
		return object[:at[1]-1] + bytes + object[at[1]-1:]
	}
	return strings.TrimSuffix(object, "}") + `, "more": "` + bytes + `"}`
}

// textValue is a name in a JSON object, and the string that is its value.
var textValue = regexp.MustCompile(`: "(?:[^"\\]|\\.)*"`)

// asForm writes the members of a JSON object as a browser sends those of a form.
func asForm(text string) string {
	form := url.Values{}
	for name, value := range Decoded([]byte(text)) {
		field, isText := value.(string)
		if !isText {
			field = exactjson.Value{Tree: value, Valid: true}.String()
			if number, ok := value.(json.Number); ok {
				field = number.String()
			}
		}
		form.Set(name, field)
	}
	if len(form) == 0 {
		form.Set("more", "1")
	}
	return form.Encode()
}

// Damaged returns a JSON text with a damage that [KnownDamage] knows.
func Damaged(text, damage string) string { return damaged(text, damage) }

// KnownDamage reports whether Build knows how to do a damage.
func KnownDamage(damage string) bool {
	return damage == "inside an array" || damaged(`{"a": 1, "b": "x"}`, damage) != `{"a": 1, "b": "x"}`
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

// Change sets a property to a JSON text.
func (p *Plan) Change(property, json string) error {
	p.Set = append(p.Set, Change{property, json})
	return nil
}
