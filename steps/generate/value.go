package generate

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"hallmark/spec"
	"hallmark/spec/exactjson"
)

// Values that a property must not have, as JSON texts.

// otherTypes generates JSON texts of every type but the schema's own and null, a generator for each. Integers have no
// other numbers: those are fractions, and a kind of their own.
func otherTypes(s *spec.Schema) []*rapid.Generator[string] {
	var all []*rapid.Generator[string]
	for _, kind := range []string{"string", "number", "boolean", "array", "object"} {
		if kind != s.Type && (kind != "number" || s.Type != "integer") {
			all = append(all, jsonOf(kind, 3))
		}
	}
	wrapped := append([]string(nil), s.Enum...)
	switch {
	case s.Type == "integer":
		wrapped = append(wrapped, "1")
		all = append(all, rapid.Map(rapid.Int64(), func(n int64) string { return `"` + strconv.FormatInt(n, 10) + `"` }))
	case s.Type == "string" && len(wrapped) == 0:
		wrapped = append(wrapped, `"`+nameHere+`"`)
	}
	if len(wrapped) > 0 {
		all = append(all, rapid.Map(Evenly(wrapped), func(v string) string { return "[" + v + "]" }))
	}
	return all
}

// simpleOthers are the simplest of otherTypes.
func simpleOthers(s *spec.Schema) []string {
	out := map[string]string{"string": `""`, "number": "0", "boolean": "true", "array": "[]", "object": "{}"}
	delete(out, s.Type)
	if s.Type == "integer" {
		delete(out, "number")
		out["string"] = `"1"`
	}
	var texts []string
	for _, kind := range []string{"boolean", "number", "string", "array", "object"} {
		if text, ok := out[kind]; ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// jsonOf generates JSON texts of one type, nested to a depth. No object has a name twice.
func jsonOf(kind string, depth int) *rapid.Generator[string] {
	switch kind {
	case "string":
		return rapid.Map(rapid.OneOf(Evenly([]string{"", " ", "0", "1", "null", "true", "one", "1.0"}),
			rapid.StringN(0, 12, -1)), JSONString)
	case "number":
		return rapid.OneOf(rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }), fractions())
	case "boolean":
		return Evenly([]string{"true", "false"})
	}
	inner := []*rapid.Generator[string]{rapid.Just("null"), jsonOf("string", 0), jsonOf("number", 0), jsonOf("boolean", 0)}
	if depth > 0 {
		inner = append(inner, jsonOf("array", depth-1), jsonOf("object", depth-1))
	}
	items := rapid.SliceOfN(rapid.OneOf(inner...), 0, 3)
	if kind == "array" {
		return rapid.Map(items, func(v []string) string { return "[" + strings.Join(v, ", ") + "]" })
	}
	names := []string{"a", "name", "value"}
	return rapid.Map(items, func(values []string) string {
		members := make([]string, len(values))
		for i, v := range values {
			members[i] = JSONString(names[i]) + ": " + v
		}
		return "{" + strings.Join(members, ", ") + "}"
	})
}

// fractions generates numbers that are no integers, not even when they are read as a float64.
func fractions() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		whole := strconv.Itoa(rapid.IntRange(0, 1_000_000).Draw(t, "whole"))
		part := strconv.Itoa(rapid.IntRange(1, 99_999).Draw(t, "part"))
		text := Evenly([]string{"", "-"}).Draw(t, "sign") + whole + "."
		text += strings.Repeat("0", rapid.IntRange(0, 2).Draw(t, "zeros")) + part
		return text + Evenly([]string{"", "", "e0", "E-1", "e-2"}).Draw(t, "exponent")
	}).Filter(isFraction)
}

func isFraction(text string) bool {
	_, whole := exactjson.CanonicalInt(json.Number(text))
	f, err := strconv.ParseFloat(text, 64)
	return !whole && err == nil && f != math.Trunc(f)
}

// simpleGiants are the simplest of giants.
func simpleGiants() []string {
	return []string{"1e19", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e400"}
}

// giants generates integers outside int64: just outside, of many digits, and with exponents.
func giants() *rapid.Generator[string] {
	sign := Evenly([]string{"", "-"})
	return rapid.Custom(func(t *rapid.T) string {
		text := sign.Draw(t, "sign")
		switch Evenly([]int{0, 1, 2, 3}).Draw(t, "form") {
		case 0:
			const end = uint64(1) << 63
			return text + strconv.FormatUint(end+1+rapid.Uint64Range(0, 5000).Draw(t, "beyond"), 10)
		case 1:
			return text + strconv.FormatUint(rapid.Uint64Range(1<<63+1, math.MaxUint64).Draw(t, "unsigned"), 10)
		case 2:
			digits := rapid.SliceOfN(rapid.IntRange(0, 9), 19, 120).Draw(t, "digits")
			text += strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "first"))
			for _, d := range digits {
				text += strconv.Itoa(d)
			}
			return text
		}
		text += strconv.Itoa(rapid.IntRange(1, 9999).Draw(t, "mantissa"))
		text += Evenly([]string{"e", "E", "e+", "E+"}).Draw(t, "e")
		return text + strconv.Itoa(rapid.OneOf(rapid.IntRange(19, 40), rapid.IntRange(41, 400)).Draw(t, "exponent"))
	}).Filter(isGiant)
}

func isGiant(text string) bool {
	_, whole := exactjson.CanonicalInt(json.Number(text))
	return whole && !exactjson.IsInt64(json.Number(text))
}

// nearMisses generates texts that are nearly a member of an enum, and some that are not.
func nearMisses(enum []string) *rapid.Generator[string] {
	var members []string
	for _, e := range enum {
		var member string
		if json.Unmarshal([]byte(e), &member) == nil {
			members = append(members, member)
		}
	}
	var all []*rapid.Generator[string]
	for _, member := range members {
		all = append(all, edits(member))
	}
	all = append(all, rapid.StringN(0, 12, -1), Evenly([]string{"", "unknown", "null", strings.Join(members, ","), strings.Join(members, "|")}))
	return rapid.Map(rapid.OneOf(all...).Filter(func(text string) bool { return !slices.Contains(members, text) }), JSONString)
}
