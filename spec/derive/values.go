package derive

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
)

// value is a value of a parameter or property, with the words that say what is special about it.
type value struct {
	// text is a JSON text for properties, the bare text for parameters.
	text string
	// is completes "<name> is …".
	is string
}

var (
	int32Min, int32Max = big.NewInt(-1 << 31), big.NewInt(1<<31 - 1)
	int64Min, int64Max = big.NewInt(-1 << 63), new(big.Int).SetUint64(1<<63 - 1)
)

// formatRange gives the least and greatest integer that a schema's format holds; int64 where it names none.
func formatRange(s *spec.Schema) (low, high *big.Int) {
	if s.Format == "int32" {
		return int32Min, int32Max
	}
	return int64Min, int64Max
}

func integer(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil
	}
	return n
}

func plus(n *big.Int, d int64) *big.Int { return new(big.Int).Add(n, big.NewInt(d)) }

// inside gives values at, near and between the bounds of an integer schema; none when it has no bounds.
func inside(s *spec.Schema) []value {
	low, high := integer(s.Minimum), integer(s.Maximum)
	var out []value
	add := func(n *big.Int, is string) {
		if low != nil && n.Cmp(low) < 0 || high != nil && n.Cmp(high) > 0 {
			return
		}
		if !slices.ContainsFunc(out, func(v value) bool { return v.text == n.String() }) {
			out = append(out, value{n.String(), is})
		}
	}
	if low != nil {
		add(low, "its minimum")
		add(plus(low, 1), "one above its minimum")
	}
	if low != nil && high != nil {
		middle := new(big.Int).Add(low, high)
		add(middle.Rsh(middle, 1), "halfway between its bounds")
	}
	if high != nil {
		add(plus(high, -1), "one below its maximum")
		add(high, "its maximum")
	}
	return out
}

// below gives values just and far below the least of an integer schema.
func below(s *spec.Schema) []value {
	low := integer(s.Minimum)
	if low == nil {
		return nil
	}
	out := []value{{plus(low, -1).String(), "one below its minimum"}}
	if low.Sign() > 0 {
		out = append(out, value{"-1", "negative"})
	}
	return out
}

// above gives values just and far above the greatest of an integer schema.
func above(s *spec.Schema) []value {
	high := integer(s.Maximum)
	if high == nil {
		return nil
	}
	out := []value{
		{plus(high, 1).String(), "one above its maximum"},
		{new(big.Int).Mul(high, big.NewInt(10)).String(), "ten times its maximum"},
		{"2147483648", "beyond int32"},
		{"9223372036854775808", "beyond int64"},
	}
	return slices.DeleteFunc(out, func(v value) bool { return integer(v.text).Cmp(high) <= 0 })
}

// outside gives values just and far outside the bounds of an integer schema.
func outside(s *spec.Schema) []value { return append(below(s), above(s)...) }

// extremes gives the ends of an integer format, int64 where the schema names none, and the places where decoders lose
// digits; only what lies within the schema's bounds.
func extremes(s *spec.Schema) []value {
	low, high := formatRange(s)
	format := s.Format
	if format == "" {
		format = "int64"
	}
	out := []value{
		{"0", "zero"}, {"-1", "negative"},
		{high.String(), "the greatest " + format}, {low.String(), "the least " + format},
	}
	if format == "int64" {
		out = append(out,
			value{"2147483648", "beyond int32"},
			value{"9007199254740993", "beyond what a float can hold"},
			value{"-9007199254740993", "below what a float can hold"})
	}
	return slices.DeleteFunc(out, func(v value) bool { return !bounded(s, integer(v.text)) })
}

// bounded tells whether an integer lies within the bounds of a schema.
func bounded(s *spec.Schema, n *big.Int) bool {
	low, high := integer(s.Minimum), integer(s.Maximum)
	return (low == nil || n.Cmp(low) >= 0) && (high == nil || n.Cmp(high) <= 0)
}

// beyond gives integers that the schema's format cannot hold.
func beyond(s *spec.Schema) []value {
	low, high := formatRange(s)
	twice := new(big.Int).Lsh(plus(high, 1), 1)
	return []value{
		{plus(high, 1).String(), "one above the greatest " + s.Format},
		{plus(low, -1).String(), "one below the least " + s.Format},
		{plus(twice, 1).String(), "one whole turn of " + s.Format + " above 1"},
		{"1" + strings.Repeat("0", 30), "far above the greatest " + s.Format},
	}
}

// otherTypes gives a JSON text of every other type than the schema's, null excepted.
func otherTypes(s *spec.Schema) []value {
	var out []value
	for _, v := range []struct{ kind, text, is string }{
		{"string", `"text"`, "a string"},
		{"integer", "1", "a number"},
		{"boolean", "true", "a boolean"},
		{"array", "[]", "an array"},
		{"object", "{}", "an object"},
	} {
		if v.kind == s.Type || v.kind == "integer" && s.Type == "number" {
			continue
		}
		out = append(out, value{v.text, v.is})
	}
	switch s.Type {
	case "integer", "number":
		out = append(out, value{`"1"`, "a number in quotes"}, value{`""`, "an empty string"},
			value{"[1]", "a number in an array"}, value{"[]", "an empty array"})
		out = slices.DeleteFunc(out, func(v value) bool { return v.is == "an array" })
	case "string":
		text := `"text"`
		if len(s.Enum) > 0 {
			text = s.Enum[0]
		}
		out = append(out, value{"[" + text + "]", "a string in an array"})
	}
	return out
}

// notMembers gives strings that are close to a member of the enum, but none.
func notMembers(s *spec.Schema) []value {
	if s.Type != "string" || len(s.Enum) == 0 {
		return nil
	}
	first, err := strconv.Unquote(s.Enum[0])
	if err != nil || first == "" {
		return nil
	}
	out := []value{
		{"", "empty"},
		{"nonesuch", "an unknown word"},
		{strings.ToUpper(first), "in upper case"},
		{strings.ToUpper(first[:1]) + first[1:], "capitalised"},
		{first + " ", "followed by a blank"},
		{" " + first, "preceded by a blank"},
		{first[:len(first)-1], "cut short"},
		{first + "," + first, "given twice with a comma"},
	}
	if len(s.Enum) > 1 {
		if second, err := strconv.Unquote(s.Enum[1]); err == nil {
			out[len(out)-1] = value{first + "," + second, "two of them with a comma"}
		}
	}
	return slices.DeleteFunc(out, func(v value) bool { return slices.Contains(s.Enum, strconv.Quote(v.text)) })
}

// most is how long a text may get; a longer one is no test of a bound but of the network.
const most = 1 << 16

// short gives the shortest text that a schema allows, and one that is too short.
func short(s *spec.Schema) (in, out []value) {
	if s.MinLength == nil || *s.MinLength <= 0 || *s.MinLength >= most {
		return nil, nil
	}
	return []value{textOf(*s.MinLength, "as short as may be")}, []value{textOf(*s.MinLength-1, "one character too short")}
}

// long gives the longest text that a schema allows, and one that is too long.
func long(s *spec.Schema) (in, out []value) {
	if s.MaxLength == nil || *s.MaxLength >= most {
		return nil, nil
	}
	return []value{textOf(*s.MaxLength, "as long as may be")}, []value{textOf(*s.MaxLength+1, "one character too long")}
}

func textOf(length int64, is string) value {
	return value{strconv.Quote(strings.Repeat("x", int(length))), is}
}

// choices gives all values of a schema that has few: those of its enum, or both booleans. They are JSON texts.
func choices(s *spec.Schema) []string {
	if len(s.Enum) == 0 && s.Type == "boolean" {
		return []string{"true", "false"}
	}
	return s.Enum
}

// plain gives a JSON text of an inconspicuous value; empty for a schema that has choices, or is no scalar.
func plain(s *spec.Schema) string {
	switch {
	case len(choices(s)) > 0:
		return ""
	case s.Type == "string":
		return `"{unique}"`
	case s.Type == "integer" || s.Type == "number":
		if s.Minimum != "" {
			return s.Minimum
		}
		return "1"
	}
	return ""
}
