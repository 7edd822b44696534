package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Fate is what happens to a value on its way to a server.
type Fate int

const (
	// Carried means that a server that follows the schema parses this value and no other.
	Carried Fate = iota
	// Ambiguous means that it may parse this value, or another one.
	Ambiguous
	// Changed means that it parses another value, such as the string "1" where a number was sent.
	Changed
	// Vanishes means that nothing is sent.
	Vanishes
	// Lost means that the value cannot be serialized; Err says why.
	Lost
)

// Survival is what happens to one value.
type Survival struct {
	Fate Fate
	// Err says why the value is lost.
	Err error
	// Text is what is sent (see Param.Serialize).
	Text string
	// Values holds what a server may parse. What is sent violates the schema only if each of them does.
	Values []any
	// Absent reports whether a server may treat the parameter as missing, as many do with empty values.
	Absent bool
	// Truncated reports whether a server may parse more than Values; then nothing follows from them.
	Truncated bool
	// Open says what OpenAPI leaves open about this value in this style, and Fragile why servers often misread what
	// is sent although it is right; both are empty for most values. Neither may lead to an accusation.
	Open, Fragile string
	// OpenIn is Open for each member of a form; nil if nothing is open.
	OpenIn map[string]string
}

// Survives returns what a server that parses by the hint makes of a value sent as p.
func (p Param) Survives(value any, h *Hint) Survival {
	text, sent, err := p.Serialize(value)
	switch {
	case err != nil:
		return Survival{Fate: Lost, Err: err}
	case p.In == InPath && (text == "." || text == ".."):
		return Survival{Fate: Lost, Err: dotSegment(text)}
	case !sent:
		return Survival{Fate: Vanishes, Absent: true}
	}
	s := Survival{Text: text, Open: p.open(value, h), Fragile: p.fragile(value)}
	r, err := p.parse(text, h, lenient)
	if err != nil {
		return Survival{Fate: Lost, Text: text, Err: err}
	}
	s.Values, s.Truncated = r.Values, r.Truncated
	if p.In == InQuerystring && KindOf(p.Media) == KindForm {
		o := p.options()
		o.Hint = h
		s.openIn(KindForm, value, o)
	}
	s.Absent = !r.Present || p.Media == "" && p.empty(text) || p.overlooked(value, h)
	if p.AllowEmpty && s.Absent && s.Open == "" {
		s.Open = "allowEmptyValue allows an empty value regardless of the schema"
	}
	s.judge(value)
	return s
}

// overlooked reports whether a server that expects an exploded object never looks for the name under which a value
// is sent.
func (p Param) overlooked(value any, h *Hint) bool {
	_, isObject := value.(map[string]any)
	named := p.In == InQuery || p.In == InCookie || p.In == InForm
	return named && p.Media == "" && p.Explode && p.style() == Form && h.admits("object") && !isObject
}

// judge sets Fate by the possible values.
func (s *Survival) judge(value any) {
	same, other := false, false
	for _, v := range s.Values {
		if equal(v, value) {
			same = true
		} else {
			other = true
		}
	}
	switch {
	case len(s.Values) == 0:
		s.Fate = Vanishes
	case !same && !s.Truncated:
		s.Fate = Changed
	case other || s.Absent || s.Truncated:
		s.Fate = Ambiguous
	default:
		s.Fate = Carried
	}
}

// empty reports whether each value of a serialized text is empty.
func (p Param) empty(text string) bool {
	switch p.In {
	case InPath:
		return false
	case InHeader:
		return strings.Trim(text, " \t") == ""
	}
	pairs, err := p.pairs(text)
	return err == nil && !slices.ContainsFunc(pairs, func(other pair) bool { return other.text != "" })
}

// open returns what OpenAPI leaves open about a value in this style.
func (p Param) open(value any, h *Hint) string {
	if p.Media != "" {
		return ""
	}
	_, isArray := value.([]any)
	_, isObject := value.(map[string]any)
	style := p.style()
	switch {
	case style == DeepObject && (undefinedDeep(value) || h.expectsNested(value)):
		return "OpenAPI defines the style deepObject for objects of scalars only"
	case p.In == InCookie && style == Form && p.Explode && (isArray || isObject):
		return "exploded arrays and objects of style form are not defined for cookies"
	case (style == SpaceDelimited || style == PipeDelimited || style == TabDelimited) && (p.Explode || !isArray):
		return "delimited styles are defined for arrays that are not exploded"
	case style == Label && (isArray || isObject) && p.holdsText(value, "."):
		return "some parsers split a list or object of style label at a dot in a value"
	case p.ambiguousNesting() && isArray:
		return "a list inside a list has the same delimiter"
	case holdsNull(value):
		return "OpenAPI does not define how null is written in this style"
	}
	return ""
}

// holdsText reports whether a text in a list or object contains another one.
func (p Param) holdsText(value any, other string) bool {
	f, err := flatten(value, p.Nested)
	return err == nil && (slices.ContainsFunc(f.items, func(item string) bool { return strings.Contains(item, other) }) ||
		slices.ContainsFunc(f.members, func(m member) bool { return strings.Contains(m.name, other) || strings.Contains(m.text, other) }))
}

// ambiguousNesting reports whether the end of a nested list is ambiguous.
func (p Param) ambiguousNesting() bool {
	delimiters := p.Nested
	if !p.Explode {
		delimiters = p.rawDelimiter() + delimiters
	}
	for i := range len(delimiters) {
		if strings.IndexByte(delimiters[i+1:], delimiters[i]) >= 0 {
			return true
		}
	}
	return false
}

func holdsNull(value any) bool {
	switch v := value.(type) {
	case []any:
		return slices.Contains(v, nil)
	case map[string]any:
		for _, member := range v {
			if member == nil {
				return true
			}
		}
	}
	return value == nil
}

// fragile returns why servers, or intermediaries, often misread a value.
func (p Param) fragile(value any) string {
	if p.Media != "" && KindOf(p.Media) == KindJSON && p.In == InQuery {
		return ""
	}
	var texts []string
	if f, err := flatten(value, p.Nested); err == nil && p.style() != DeepObject {
		texts = append(texts, f.text)
		texts = append(texts, f.items...)
		for _, m := range f.members {
			texts = append(texts, m.name, m.text)
		}
	}
	for _, text := range texts {
		if why := p.fragileText(text); why != "" {
			return why
		}
	}
	if n, ok := value.(json.Number); ok {
		if canonical, whole := exactjson.CanonicalInt(n); whole && canonical != string(n) {
			return "many servers reject integers with a fraction or an exponent"
		}
	}
	return ""
}

func (p Param) fragileText(text string) string {
	switch {
	case strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f }) >= 0:
		return "many servers reject control characters"
	case strings.TrimSpace(text) != text:
		return "many servers trim spaces"
	case p.style() == Label && strings.Contains(text, "."):
		return "some parsers split a value of style label at a dot"
	case p.In == InPath && strings.ContainsAny(text, `/\%;`):
		return "many servers and proxies reject or decode an encoded slash, backslash, percent sign or semicolon in a path"
	case p.In == InCookie && percentEncode(text, "") != text && p.style() == Form:
		return "many servers do not decode cookies"
	}
	return ""
}
