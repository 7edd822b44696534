package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// maxPairs is the maximum number of pairs of a query, form or Cookie field, and of items of a list, that are
// parsed.
const maxPairs = 20_000

// pair is a name and a decoded text of a query, form or Cookie field. raw is the text before decoding.
type pair struct{ name, text, raw string }

// pairs splits a query or form at each "&", a Cookie field at each ";".
func (p Param) pairs(s string) ([]pair, error) {
	if s == "" {
		return nil, nil
	}
	separator, plus := "&", true
	if p.In == InCookie {
		separator, plus = ";", false
	}
	if err := checkCount(s, separator); err != nil {
		return nil, err
	}
	var all []pair
	for part := range strings.SplitSeq(s, separator) {
		if p.In == InCookie {
			part = strings.Trim(part, " \t")
		}
		if part == "" {
			continue
		}
		name, raw, _ := strings.Cut(part, "=")
		if p.In == InCookie {
			raw = strings.TrimSuffix(strings.TrimPrefix(raw, `"`), `"`)
		}
		if p.style() == CookieStyle {
			all = append(all, pair{name, raw, raw})
			continue
		}
		decodedName, err := percentDecode(name, plus)
		if err != nil {
			return nil, withPlace("name "+text.Quote(name), err)
		}
		decoded, err := percentDecode(raw, plus)
		if err != nil {
			return nil, withPlace(decodedName, err)
		}
		all = append(all, pair{decodedName, decoded, raw})
	}
	return all, nil
}

// checkCount returns an Error if a separator divides a text into more than maxPairs pieces.
func checkCount(text, separator string) error {
	if strings.Count(text, separator) >= maxPairs {
		return &Error{Reason: TooLarge, Text: "there are more than " + strconv.Itoa(maxPairs) + " values"}
	}
	return nil
}

// Parse parses what Serialize wrote: the text in a path segment, a whole query or form, the value of a header
// field (the values of several, joined by commas), a whole Cookie field. It ignores pairs of other parameters.
// Numbers and booleans must be written as in JSON. The error is about the text, regardless of the schema.
func (p Param) Parse(text string, h *Hint) (Reading, error) { return p.parse(text, h, strict) }

func (p Param) parse(text string, h *Hint, how manner) (Reading, error) {
	if err := p.check(); err != nil {
		return Reading{}, err
	}
	if p.Media != "" {
		return p.parseContent(text, h, how)
	}
	if p.In == InPath {
		return p.parseAlone(text, h, how)
	}
	if p.In == InHeader {
		r, err := p.parseAlone(text, h, how)
		// RFC 6570, which style simple follows, encodes headers too; most services do not.
		if decoded, failed := percentDecode(text, false); err == nil && failed == nil && decoded != text {
			other, err := p.parseAlone(decoded, h, how)
			if err != nil {
				return r, err
			}
			r.addValues(other.Values, !other.Truncated)
			r.Values = distinct(r.Values)
		}
		return r, err
	}
	pairs, err := p.pairs(text)
	if err != nil {
		return Reading{}, err
	}
	return p.parsePairs(pairs, h, how)
}

// parseAlone parses a text that holds only the parameter.
func (p Param) parseAlone(text string, h *Hint, how manner) (Reading, error) {
	r := Reading{Present: true}
	decode := func(s string) (string, error) {
		if p.In == InHeader {
			return strings.Trim(s, " \t"), nil
		}
		return percentDecode(s, false)
	}
	decoded, err := decode(text)
	if err != nil {
		return Reading{}, err
	}
	splits := [][2]string{{text, decoded}}
	switch p.style() {
	case Label:
		splits[0][0], splits[0][1] = strings.TrimPrefix(text, "."), strings.TrimPrefix(decoded, ".")
		if !strings.HasPrefix(text, ".") {
			return Reading{}, &Error{Reason: Malformed, Text: `the text does not begin with "."`}
		}
	case Matrix:
		return p.parseMatrix(text, h, how)
	}
	raw, whole := splits[0][0], splits[0][1]
	if h.scalar() {
		r.Values = scalars(whole, h, how)
	}
	if !h.admits("array") && !h.admits("object") {
		return r, nil
	}
	separators := []string{p.rawDelimiter()}
	if p.style() == Label {
		separators = []string{",", "."} // before 3.0.4 OpenAPI's own table had "." in both
		if p.Explode {
			separators = []string{"."}
		}
	}
	var lists [][]string
	for _, separator := range separators {
		list, err := splitAll(raw, whole, separator, decode)
		if err != nil {
			return Reading{}, err
		}
		lists = append(lists, list...)
	}
	for _, list := range lists {
		r.addList(p, list, h, how)
	}
	r.finish(whole, how)
	return r, nil
}

// splitAll splits a text in the ways that parsers do: before it is decoded, as RFC 6570 requires, or after.
func splitAll(raw, decoded, separator string, decode func(string) (string, error)) ([][]string, error) {
	if err := checkCount(decoded, separator); err != nil {
		return nil, err
	}
	after := strings.Split(decoded, separator)
	if separator != "," && separator != "." {
		return [][]string{after}, nil // the separator is itself percent-encoded
	}
	before := strings.Split(raw, separator)
	for i := range before {
		var err error
		if before[i], err = decode(before[i]); err != nil {
			return nil, err
		}
	}
	if slices.Equal(before, after) || strings.Trim(raw, " \t") == decoded { // nothing was decoded
		return [][]string{before}, nil
	}
	return [][]string{before, after}, nil
}

// addList adds the possible values of a list of texts: arrays, or objects of names and texts.
func (r *Reading) addList(p Param, texts []string, h *Hint, how manner) {
	if h.admits("array") {
		values, whole := p.listOf(texts, h.items(), how)
		r.addValues(values, whole && !p.ambiguousNesting())
		if len(texts) == 1 && texts[0] == "" {
			r.addValues([]any{[]any{}}, true)
		}
	}
	if !h.admits("object") {
		return
	}
	var members []member
	tolerant := p.In == InHeader || p.In == InPath // they hold only the parameter: a name without a value has an empty one
	if p.Explode {
		if !tolerant && slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(text, "=") }) {
			return
		}
		for _, text := range texts {
			name, value, _ := strings.Cut(text, "=")
			members = append(members, member{name, value})
		}
	} else {
		if len(texts)%2 == 1 {
			if !tolerant || p.style() == Label {
				return
			}
			texts = append(slices.Clip(texts), "")
		}
		for i := 0; i < len(texts); i += 2 {
			members = append(members, member{texts[i], texts[i+1]})
		}
	}
	values, whole := objectOf(members, h, how)
	r.addValues(values, whole)
}

func (r *Reading) addValues(values []any, whole bool) {
	r.Truncated = r.Truncated || !whole
	for _, v := range values {
		if len(r.Values) >= maxReadings {
			r.Truncated = true
			return
		}
		r.Values = append(r.Values, v)
	}
}

// finish removes duplicates, and adds the text as a string if it is nothing else.
func (r *Reading) finish(text string, how manner) {
	r.Values = distinct(r.Values)
	if len(r.Values) == 0 {
		r.Values = scalars(text, &Hint{Types: []string{"string"}}, how)
	}
}

// parseMatrix parses ;color=blue;color=black.
func (p Param) parseMatrix(text string, h *Hint, how manner) (Reading, error) {
	rest, ok := strings.CutPrefix(text, ";")
	if !ok {
		return Reading{}, &Error{Reason: Malformed, Text: `the text does not begin with ";"`}
	}
	if err := checkCount(rest, ";"); err != nil {
		return Reading{}, err
	}
	var pairs []pair
	for part := range strings.SplitSeq(rest, ";") {
		name, raw, _ := strings.Cut(part, "=")
		name, err := percentDecode(name, false)
		if err != nil {
			return Reading{}, err
		}
		decoded, err := percentDecode(raw, false)
		if err != nil {
			return Reading{}, err
		}
		pairs = append(pairs, pair{name, decoded, raw})
	}
	return p.parsePairs(pairs, h, how)
}

// parsePairs parses the pairs that belong to the parameter.
func (p Param) parsePairs(pairs []pair, h *Hint, how manner) (Reading, error) {
	if p.style() == DeepObject {
		tree := deepTree(p.Name, pairs)
		if tree == nil {
			return Reading{}, nil
		}
		r := Reading{Present: true}
		r.addValues(tree.values(h, how))
		r.Values = distinct(r.Values)
		return r, nil
	}
	var r Reading
	if p.Explode && h.admits("object") {
		var members []member
		for _, pair := range pairs {
			if _, ok := h.member(pair.name); ok {
				members = append(members, member{pair.name, pair.text})
			}
		}
		if len(members) > 0 {
			r.Present = true
			r.addValues(objectOf(members, h, how))
		}
	}
	own := slices.DeleteFunc(slices.Clone(pairs), func(other pair) bool { return other.name != p.Name })
	if len(own) == 0 {
		return r, nil
	}
	r.Present = true
	if h.scalar() {
		for _, pair := range own { // for a repeated name some parsers take the first, others the last
			r.addValues(scalars(pair.text, h, how), true)
		}
	}
	if h.admits("array") && (p.Explode || len(own) > 1) {
		texts := make([]string, len(own))
		for i, pair := range own {
			texts[i] = pair.text
		}
		r.addList(Param{Explode: true, Nested: p.Nested}, texts, &Hint{Types: []string{"array"}, Items: h.Items}, how)
	}
	if len(own) == 1 && (!p.Explode || how == lenient) {
		lists, err := splitAll(own[0].raw, own[0].text, p.rawDelimiter(), func(s string) (string, error) {
			if p.style() == CookieStyle {
				return s, nil
			}
			return percentDecode(s, p.In != InCookie && p.style() != Matrix)
		})
		if err != nil {
			return Reading{}, err
		}
		for _, texts := range lists {
			r.addList(p, texts, h, how)
		}
	}
	if how == lenient && p.In == InCookie && p.style() == Form && own[0].raw != own[0].text && h.scalar() {
		r.addValues(scalars(own[0].raw, h, how), true) // many servers do not decode cookies
	}
	r.finish(own[0].text, how)
	return r, nil
}

// parseContent parses a parameter with content.
func (p Param) parseContent(text string, h *Hint, how manner) (Reading, error) {
	p.Style = ""
	var decoded string
	var err error
	switch p.In {
	case InHeader:
		decoded = strings.Trim(text, " \t")
	case InPath:
		decoded, err = percentDecode(text, false)
	case InQuerystring:
		switch {
		case text == "":
			return Reading{}, nil
		case KindOf(p.Media) == KindForm:
			o := p.options()
			o.Hint = h
			return parseForm([]byte(text), o, how)
		}
		decoded, err = percentDecode(text, false)
	default:
		var pairs []pair
		pairs, err = p.pairs(text)
		i := slices.IndexFunc(pairs, func(other pair) bool { return other.name == p.Name })
		if err == nil && i < 0 {
			return Reading{}, nil
		}
		if err == nil {
			decoded = pairs[i].text
		}
	}
	if err != nil {
		return Reading{}, err
	}
	switch KindOf(p.Media) {
	case KindJSON:
		data, err := exactjson.Decode([]byte(decoded))
		if err != nil {
			return Reading{Present: true}, jsonError(err)
		}
		return Reading{Present: true, Values: []any{data.Tree}}, nil
	case KindText:
		return Reading{Present: true, Values: scalars(decoded, h, how)}, nil
	default:
		return Reading{}, &Error{Reason: Unsupported, Text: "hallmark does not support parameters of type " + p.Media}
	}
}

func jsonError(err error) error {
	if exactjson.ExceedsLimit(err) {
		return &Error{Reason: TooLarge, Text: err.Error()}
	}
	return &Error{Reason: Malformed, Text: "the JSON is invalid: " + err.Error()}
}
