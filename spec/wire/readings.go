package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// maxReadings is the maximum number of values that are kept for one text.
const maxReadings = 32

// Reading is the result of parsing a text by the hint of a schema.
type Reading struct {
	// Present reports whether the parameter is present at all.
	Present bool
	// Values holds the possible values; more than one if the schema allows several types, or the text can be split in
	// several ways. A text violates a schema only if each of them does.
	Values []any
	// Truncated reports whether there may be more possible values.
	Truncated bool
}

// manner is how scalars are parsed.
type manner int

const (
	// strict parses numbers and booleans as written in JSON.
	strict manner = iota
	// lenient also parses common variants: 007, +5, yes.
	lenient
)

// scalars returns the possible values of a text where a scalar is expected, the most specific type first. A text
// of no allowed type is a string.
func scalars(text string, h *Hint, how manner) []any {
	admits := func(typ string) bool { return h == nil || len(h.Types) == 0 || h.admits(typ) }
	var values []any
	number, isNumber := json.Number(text), exactjson.IsNumber(text)
	exact := isNumber // whether it is JSON for a value of an allowed type
	if !isNumber && how == lenient {
		number, isNumber = lenientNumber(text)
	}
	if isNumber && (admits("number") || admits("integer") && isInteger(number)) {
		values = append(values, number)
	} else {
		exact = false
	}
	if admits("boolean") {
		if value, ok := boolean(text, how); ok {
			values = append(values, value)
			exact = exact || text == "true" || text == "false"
		}
	}
	if admits("null") && (text == "null" || text == "" && h.admits("null")) {
		values = append(values, nil)
	}
	if admits("string") || len(values) == 0 || how == lenient && !exact {
		values = append(values, text)
	}
	return values
}

func isInteger(n json.Number) bool {
	_, ok := exactjson.CanonicalInt(n)
	return ok
}

// lenientNumber returns the number that parsers other than JSON's make of a text: with a plus sign, leading zeros,
// surrounding blanks, no digit before or after the point.
func lenientNumber(text string) (json.Number, bool) {
	s := strings.TrimSpace(text)
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	end := len(s)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		end = i
	}
	whole, fraction, _ := strings.Cut(s[:end], ".")
	if whole+fraction == "" {
		return "", false
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	n := sign + whole + fraction + s[end:]
	return json.Number(n), exactjson.IsNumber(n)
}

func boolean(text string, how manner) (value, ok bool) {
	switch text {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	if how == lenient {
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "1", "yes", "on", "t", "y":
			return true, true
		case "false", "0", "no", "off", "f", "n":
			return false, true
		}
	}
	return false, false
}

// listOf returns the possible arrays of a list of texts, whose items may be lists themselves, see Nested.
func (p Param) listOf(texts []string, items *Hint, how manner) (all []any, whole bool) {
	if p.Nested == "" || !items.admits("array") {
		return listOf(texts, items, how)
	}
	inner := Param{Nested: p.Nested[1:]}
	whole = true
	lists := make([][]any, len(texts))
	for i, text := range texts {
		values, ok := inner.listOf(strings.Split(text, p.Nested[:1]), items.items(), how)
		if text == "" {
			values = append(values, []any{})
		}
		if items.scalar() {
			values = append(values, scalars(text, items, how)...)
		}
		lists[i], whole = values, whole && ok
	}
	rows, ok := product(lists)
	for _, row := range rows {
		all = append(all, row)
	}
	return all, whole && ok
}

// listOf returns the possible arrays of a list of texts.
func listOf(texts []string, items *Hint, how manner) (all []any, whole bool) {
	lists := make([][]any, len(texts))
	for i, text := range texts {
		lists[i] = scalars(text, items, how)
	}
	rows, whole := product(lists)
	for _, row := range rows {
		all = append(all, row)
	}
	return all, whole
}

// objectOf returns the possible objects of a list of names and texts.
func objectOf(members []member, h *Hint, how manner) (all []any, whole bool) {
	var order []string
	texts := map[string][]string{}
	for _, m := range members {
		if texts[m.name] == nil {
			order = append(order, m.name)
		}
		texts[m.name] = append(texts[m.name], m.text)
	}
	lists := make([][]any, len(order))
	whole = true
	for i, name := range order {
		hint, _ := h.member(name)
		if hint.admits("array") {
			values, ok := listOf(texts[name], hint.items(), how)
			lists[i], whole = values, whole && ok
			continue
		}
		for _, text := range texts[name] {
			lists[i] = append(lists[i], scalars(text, hint, how)...)
		}
		lists[i] = distinct(lists[i])
	}
	rows, ok := product(lists)
	for _, row := range rows {
		object := make(map[string]any, len(row))
		for i, name := range order {
			object[name] = row[i]
		}
		all = append(all, object)
	}
	return all, whole && ok
}

// product returns the rows with one value of each list, at most maxReadings, and whether those are all.
func product(lists [][]any) (rows [][]any, whole bool) {
	count, whole := 1, true
	for _, list := range lists {
		count *= len(list)
		if count == 0 {
			return nil, true
		}
		if count > maxReadings {
			count, whole = maxReadings, false
		}
	}
	at := make([]int, len(lists))
	for range count {
		row := make([]any, len(lists))
		for i, list := range lists {
			row[i] = list[at[i]]
		}
		rows = append(rows, row)
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < len(lists[i]) {
				break
			}
			at[i] = 0
		}
	}
	return rows, whole
}

// distinct returns values without duplicates, in order. It returns long lists unchanged, since comparing them is
// too expensive.
func distinct(values []any) []any {
	if len(values) > maxReadings/4 {
		return values
	}
	var all []any
	for _, v := range values {
		if !slices.ContainsFunc(all, func(w any) bool { return equal(v, w) }) {
			all = append(all, v)
		}
	}
	return all
}

func equal(a, b any) bool {
	if f, ok := a.(File); ok {
		a = string(f.Data)
	}
	if f, ok := b.(File); ok {
		b = string(f.Data)
	}
	return exactjson.Equal(a, b)
}
