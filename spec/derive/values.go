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

// formatRange returns the least and greatest integer that a schema's format holds; int64 where it names none.
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

// inside returns values at, near and between the bounds of an integer schema; none when it has no bounds.
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

// below returns values just and far below the least of an integer schema.
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

// above returns values just and far above the greatest of an integer schema.
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

// outside returns values just and far outside the bounds of an integer schema.
func outside(s *spec.Schema) []value { return append(below(s), above(s)...) }

// extremes returns the ends of an integer format, int64 where the schema names none, and the integers near the edges where
// decoders go wrong; only what lies within the format and the schema's bounds.
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
	for _, v := range edges(s) {
		if n := integer(v.text); n.Cmp(low) >= 0 && n.Cmp(high) <= 0 {
			out = append(out, v)
		}
	}
	return slices.DeleteFunc(distinct(out), func(v value) bool { return !bounded(s, integer(v.text)) })
}

// edges returns the integers next to powers at which representations end, each with its neighbours at a distance of 1 and 10,
// positive and negative: two's complement, the digits of a float64, and the decimal digits of int64 and uint64.
func edges(s *spec.Schema) []value {
	powers := [][2]int64{{2, 31}, {2, 53}, {2, 63}, {2, 64}, {10, 19}, {10, 20}}
	if s.Format == "int32" {
		powers = [][2]int64{{2, 31}, {2, 32}}
	}
	var out []value
	for _, p := range powers {
		power := new(big.Int).Exp(big.NewInt(p[0]), big.NewInt(p[1]), nil)
		name := strconv.FormatInt(p[0], 10) + "^" + strconv.FormatInt(p[1], 10)
		for _, sign := range []string{"", "-"} {
			for _, d := range []string{"-10", "-1", "", "+1", "+10"} {
				distance, _ := strconv.ParseInt(d, 10, 64) // none is 0
				out = append(out, value{plus(power, distance).String(), sign + name + d})
			}
			power = new(big.Int).Neg(power)
		}
	}
	return out
}

// distinct returns the first of values with the same text.
func distinct(values []value) []value {
	var out []value
	for _, v := range values {
		if !slices.ContainsFunc(out, func(o value) bool { return o.text == v.text }) {
			out = append(out, v)
		}
	}
	return out
}

// bounded reports whether an integer lies within the bounds of a schema.
func bounded(s *spec.Schema, n *big.Int) bool {
	low, high := integer(s.Minimum), integer(s.Maximum)
	return (low == nil || n.Cmp(low) >= 0) && (high == nil || n.Cmp(high) <= 0)
}

// beyond returns integers that the schema's format cannot hold.
func beyond(s *spec.Schema) []value {
	low, high := formatRange(s)
	twice := new(big.Int).Lsh(plus(high, 1), 1)
	out := []value{
		{plus(high, 1).String(), "one above the greatest " + s.Format},
		{plus(low, -1).String(), "one below the least " + s.Format},
		{plus(twice, 1).String(), "one whole turn of " + s.Format + " above 1"},
		{"1" + strings.Repeat("0", 30), "far above the greatest " + s.Format},
	}
	for _, v := range edges(s) {
		if n := integer(v.text); n.Cmp(low) < 0 || n.Cmp(high) > 0 {
			out = append(out, v)
		}
	}
	return distinct(out)
}

// otherTypes returns a JSON text of every other type than the schema's, null excepted.
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

// notMembers returns strings that are close to a member of the enum, but none.
func notMembers(s *spec.Schema) []value {
	if s.Type != "string" {
		return nil
	}
	var members []string
	for _, e := range s.Enum {
		if member, err := strconv.Unquote(e); err == nil && member != "" {
			members = append(members, member)
		}
	}
	if len(members) == 0 {
		return nil
	}
	out := []value{{"", "empty"}, {"nonesuch", "an unknown word"}}
	for _, member := range members {
		out = append(out, nearly(member)...)
	}
	if len(members) > 1 {
		out = append(out, value{members[0] + "," + members[1], "two of them with a comma"})
	} else {
		out = append(out, value{members[0] + "," + members[0], "given twice with a comma"})
	}
	return slices.DeleteFunc(distinct(out), func(v value) bool { return slices.Contains(s.Enum, strconv.Quote(v.text)) })
}

// nearly returns strings that a careless comparison takes for a word.
func nearly(word string) []value {
	out := []value{
		{strings.ToUpper(word), word + " in upper case"},
		{strings.ToUpper(word[:1]) + word[1:], word + " capitalised"},
		{word + " ", word + " followed by a blank"},
		{" " + word, word + " preceded by a blank"},
		{word[:len(word)-1], word + " cut short"},
	}
	last := len(word) - 1
	for _, v := range []struct {
		end byte
		is  string
	}{{word[last] + 1, "a later"}, {word[last] - 1, "an earlier"}} {
		if v.end > ' ' && v.end <= '~' {
			out = append(out, value{word[:last] + string(v.end), word + " with " + v.is + " last character"})
		}
	}
	return out
}

// most is how long a text may get; a longer one is no test of a bound but of the network.
const most = 1 << 16

// short returns the shortest text that a schema allows, and one that is too short.
func short(s *spec.Schema) (in, out []value) {
	if s.MinLength == nil || *s.MinLength <= 0 || *s.MinLength >= most {
		return nil, nil
	}
	return []value{textOf(*s.MinLength, "as short as may be")}, []value{textOf(*s.MinLength-1, "one character too short")}
}

// long returns the longest text that a schema allows, and one that is too long.
func long(s *spec.Schema) (in, out []value) {
	if s.MaxLength == nil || *s.MaxLength >= most {
		return nil, nil
	}
	return []value{textOf(*s.MaxLength, "as long as may be")}, []value{textOf(*s.MaxLength+1, "one character too long")}
}

func textOf(length int64, is string) value {
	return value{strconv.Quote(strings.Repeat("x", int(length))), is}
}

// choices returns all values of a schema that has few: those of its enum, or both booleans. They are JSON texts.
func choices(s *spec.Schema) []string {
	if len(s.Enum) == 0 && s.Type == "boolean" {
		return []string{"true", "false"}
	}
	return s.Enum
}

// plain returns a JSON text of an inconspicuous value; empty for a schema that has choices, or is no scalar.
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
