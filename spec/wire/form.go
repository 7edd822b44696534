package wire

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// param returns the property as a parameter of a form, and whether its style takes precedence over its content
// type: in forms it does if the document sets one (OpenAPI 3.0.4 and 3.1.1, Encoding Object).
func (e Encoding) param(name string) (p Param, byStyle bool) {
	p = NewParam(name, InForm, e.Style, e.Explode)
	p.AllowReserved, p.Nested = e.AllowReserved, e.Nested
	return p, e.Style != "" || e.Explode != nil || e.AllowReserved
}

// media returns the media type of a value: one that the encoding names, or one in a range that it names, or the
// default of its type (OpenAPI 3.1.1, table "Default contentType values").
func (e Encoding) media(value any, h *Hint) string {
	usual := defaultMedia(value, h)
	var listed, ranges []string
	for media := range strings.SplitSeq(e.ContentType, ",") {
		media = strings.TrimSpace(media)
		m, err := ParseMedia(media)
		switch {
		case err != nil:
		case m.IsRange():
			ranges = append(ranges, media)
		default:
			listed = append(listed, media)
		}
	}
	i := Best(listed, usual)
	switch {
	case i >= 0:
		return listed[i]
	case Best(ranges, usual) >= 0:
		return usual
	case len(listed) > 0:
		return listed[0]
	case len(ranges) > 0:
		return Concrete(ranges[0])
	}
	return usual
}

// defaultMedia returns the default media type of a value.
func defaultMedia(value any, h *Hint) string {
	switch v := value.(type) {
	case File:
		if v.Type != "" {
			return v.Type
		}
		return "application/octet-stream"
	case map[string]any, []any, nil:
		return "application/json"
	}
	if h != nil && h.Media != "" {
		if m, err := ParseMedia(h.Media); err == nil && !m.IsRange() {
			return h.Media
		}
	}
	if h != nil && h.Binary {
		return "application/octet-stream"
	}
	return "text/plain"
}

// serializeForm writes application/x-www-form-urlencoded.
func serializeForm(value any, o BodyOptions) ([]byte, error) {
	members, ok := value.(map[string]any)
	if !ok {
		return nil, &Error{Reason: Undefined, Text: "a form can only carry an object"}
	}
	var parts []string
	for _, name := range sortedNames(members) {
		hint, _ := o.Hint.member(name)
		text, sent, err := serializeProperty(name, members[name], hint, o.Encoding[name])
		if err != nil {
			return nil, withPlace(name, err)
		}
		if sent {
			parts = append(parts, text)
		}
	}
	return []byte(strings.Join(parts, "&")), nil
}

func serializeProperty(name string, value any, h *Hint, e Encoding) (text string, sent bool, err error) {
	p, byStyle := e.param(name)
	if byStyle || e.ContentType == "" && isFlat(value) {
		return p.Serialize(value)
	}
	items, isArray := value.([]any)
	if !isArray || e.ContentType != "" {
		items, h = []any{value}, &Hint{Items: h}
	}
	var pairs []string
	for _, item := range items {
		if item == nil {
			continue
		}
		body, err := SerializeBody(e.media(item, h.items()), item, BodyOptions{})
		if err != nil {
			return "", false, err
		}
		pairs = append(pairs, p.encodeName(name)+"="+p.encode(string(body.Data), true))
	}
	return strings.Join(pairs, "&"), len(pairs) > 0, nil
}

// isFlat reports whether a value is a scalar or an array of scalars.
func isFlat(value any) bool {
	items, isArray := value.([]any)
	if !isArray {
		_, isObject := value.(map[string]any)
		return !isObject
	}
	return !slices.ContainsFunc(items, func(item any) bool { _, ok := scalarText(item); return !ok && item != nil })
}

// absent is the value of a member that may count as left out.
type absent struct{}

// formPairs holds the pairs of a form, by what they may belong to.
type formPairs struct {
	all []pair
	// named holds them by name, deep by the part before the first bracket of the name.
	named, deep map[string][]pair
	// read holds the names that belong to a property.
	read map[string]bool
	// properties are those that the schema of the form defines.
	properties map[string]*Hint
}

func groupPairs(all []pair) formPairs {
	f := formPairs{all: all, named: map[string][]pair{}, deep: map[string][]pair{}, read: map[string]bool{}}
	for _, p := range all {
		base, _, _ := strings.Cut(p.name, "[")
		f.named[p.name] = append(f.named[p.name], p)
		f.deep[base] = append(f.deep[base], p)
	}
	return f
}

// parseForm parses application/x-www-form-urlencoded.
func parseForm(data []byte, o BodyOptions, how manner) (Reading, error) {
	all, err := Param{In: InForm}.pairs(strings.TrimRight(string(data), "\r\n"))
	if err != nil {
		return Reading{}, err
	}
	pairs := groupPairs(all)
	if o.Hint != nil {
		pairs.properties = o.Hint.Properties
	}
	var b objectBuilder
	read := func(name string) error {
		hint, _ := o.Hint.member(name)
		property, err := pairs.property(name, hint, o.Encoding[name], how)
		if err != nil {
			return withPlace(name, err)
		}
		b.addProperty(name, property)
		return nil
	}
	if o.Hint != nil {
		for _, name := range slices.Sorted(maps.Keys(o.Hint.Properties)) {
			if err := read(name); err != nil {
				return Reading{}, err
			}
		}
	}
	for _, p := range all {
		name := p.name
		if base, _, bracketed := strings.Cut(name, "["); bracketed && o.Encoding[base].Style == DeepObject {
			name = base
		}
		if pairs.read[p.name] {
			continue
		}
		if err := read(name); err != nil {
			return Reading{}, err
		}
		pairs.read[p.name] = true
	}
	return b.reading(), nil
}

// property parses one property of a form.
func (f formPairs) property(name string, h *Hint, e Encoding, how manner) (Reading, error) {
	p, byStyle := e.param(name)
	own := f.named[name]
	switch {
	case p.style() == DeepObject:
		own = f.deep[name]
	case byStyle && p.Explode && h.admits("object"):
		own = f.all
		for member := range h.Properties {
			f.read[member] = true
		}
	}
	for _, pair := range own {
		if p.style() == DeepObject || pair.name == name {
			f.read[pair.name] = true
		}
	}
	if byStyle || e.ContentType == "" && !h.admits("object") && !h.items().admits("object") {
		return p.parsePairs(own, h, how)
	}
	var r Reading
	if e.ContentType == "" && h.admits("object") {
		var err error
		if r, err = f.exploded(p, h, how); err != nil {
			return Reading{}, err
		}
	}
	if len(own) == 0 {
		return r, nil
	}
	var alone Reading
	var err error
	if h.admits("array") && e.ContentType == "" {
		alone, err = listReading(len(own), func(i int) (Reading, error) { return parseProperty(own[i].text, h.items(), e) })
		if data, failed := exactjson.Decode([]byte(own[0].text)); err == nil && failed == nil && len(own) == 1 {
			if whole, is := data.Tree.([]any); is { // one text for the whole list
				alone.Values = append(alone.Values, whole)
			}
		}
	} else {
		alone, err = parseProperty(own[0].text, h, e)
	}
	if err != nil {
		return Reading{}, err
	}
	r.Present = true
	r.addValues(alone.Values, !alone.Truncated)
	return r, nil
}

// exploded parses an object whose members are pairs of the form, as OpenAPI 3.0.3 and 3.1.0 may be understood:
// under their own names, or in brackets after the name of the object.
func (f formPairs) exploded(p Param, h *Hint, how manner) (Reading, error) {
	var r Reading
	deep := p
	deep.Style = DeepObject
	if pairs := slices.DeleteFunc(slices.Clone(f.deep[p.Name]), func(one pair) bool { return one.name == p.Name }); len(pairs) > 0 {
		var err error
		if r, err = deep.parsePairs(pairs, h, how); err != nil {
			return Reading{}, err
		}
		for _, one := range pairs {
			f.read[one.name] = true
		}
	}
	var members []member
	for name := range h.Properties {
		if _, own := f.properties[name]; own {
			continue
		}
		for _, one := range f.named[name] {
			members = append(members, member{one.name, one.text})
			f.read[name] = true
		}
	}
	if len(members) > 0 {
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		r.Present = true
		r.addValues(objectOf(members, h, how))
	}
	if !r.Present && how == lenient && len(f.named[p.Name]) == 0 { // an object without members cannot be distinguished from none
		r = Reading{Present: true, Values: []any{absent{}, map[string]any{}}}
	}
	return r, nil
}

// parseProperty parses a text by the content type of its property: as JSON if it is, or may be, otherwise as text.
func parseProperty(text string, h *Hint, e Encoding) (Reading, error) {
	isJSON := KindOf(e.media("", nil)) == KindJSON
	if isJSON || h.admits("object") || h.admits("array") {
		data, err := exactjson.Decode([]byte(text))
		if err == nil {
			return Reading{Present: true, Values: []any{data.Tree}}, nil
		}
		if isJSON {
			return Reading{}, jsonError(err)
		}
	}
	return Reading{Present: true, Values: scalars(text, h, strict)}, nil
}

// listReading returns the possible arrays of items that read returns.
func listReading(count int, read func(i int) (Reading, error)) (Reading, error) {
	r := Reading{Present: true}
	lists := make([][]any, count)
	for i := range count {
		item, err := read(i)
		if err != nil {
			return Reading{}, withPlace("item "+strconv.Itoa(i), err)
		}
		lists[i], r.Truncated = item.Values, r.Truncated || item.Truncated
	}
	rows, whole := product(lists)
	r.Truncated = r.Truncated || !whole
	for _, row := range rows {
		r.Values = append(r.Values, row)
	}
	return r, nil
}

// objectBuilder combines the readings of properties.
type objectBuilder struct {
	names     []string
	lists     [][]any
	truncated bool
}

func (b *objectBuilder) addProperty(name string, property Reading) {
	if !property.Present {
		return
	}
	b.truncated = b.truncated || property.Truncated
	b.names, b.lists = append(b.names, name), append(b.lists, property.Values)
}

func (b *objectBuilder) reading() Reading {
	rows, whole := product(b.lists)
	r := Reading{Present: true, Truncated: b.truncated || !whole}
	for _, row := range rows {
		members := make(map[string]any, len(row))
		for i, name := range b.names {
			if _, left := row[i].(absent); !left {
				members[name] = row[i]
			}
		}
		r.Values = append(r.Values, members)
	}
	return r
}
