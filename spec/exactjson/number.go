package exactjson

import (
	"encoding/json"
	"strconv"
	"strings"
)

// MaxLiteral is the length, and the size of the exponent, up to which a number is handed to the schema validator as it
// is written. Beyond it a number is judged by its text alone: 1e10000000 would need megabytes to expand.
const MaxLiteral = 400

// decimal is a number of JSON taken apart: ±0.digits × 10^point, with no zero at either end of digits.
// It holds every JSON number exactly, save that exponents beyond ±10^17 count as that.
type decimal struct {
	negative bool
	digits   string
	point    int64
}

// maxExponent bounds exponents, far from where adding to them could overflow.
const maxExponent = 100_000_000_000_000_000

// parseDecimal reads a number of JSON; the text must be well formed (see IsNumber).
func parseDecimal(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	var exponent int64
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent = parseExponent(text[i+1:])
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.point = exponent + int64(len(whole))
	d.digits = whole + fraction
	trimmed := strings.TrimLeft(d.digits, "0")
	d.point -= int64(len(d.digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{} // zero, -0 too
	}
	return d
}

func parseExponent(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil || n > maxExponent || n < -maxExponent {
		if strings.HasPrefix(text, "-") {
			return -maxExponent
		}
		return maxExponent
	}
	return n
}

// whole reports whether the number is an integer in the sense of JSON Schema: 1.0 and 1e2 are.
func (d decimal) whole() bool {
	return d.point >= int64(len(d.digits))
}

// text writes the number in its one canonical form: an integer of at most MaxLiteral digits in full, any other number
// with its exponent.
func (d decimal) text() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.negative {
		sign = "-"
	}
	if d.whole() && d.point <= MaxLiteral {
		return sign + d.digits + strings.Repeat("0", int(d.point)-len(d.digits))
	}
	return sign + d.digits + "e" + strconv.FormatInt(d.point-int64(len(d.digits)), 10)
}

// IsInt64 reports whether a number is an integer that an int64 can hold, exactly: 1.0 and 1e2 are, 1.5, 1e30 and
// 9223372036854775808 are not. No float is involved.
func IsInt64(n json.Number) bool {
	return FitsInt(n, 64)
}

// FitsInt reports whether a number is an integer that a signed integer of so many bits can hold.
func FitsInt(n json.Number, bits int) bool {
	if bits == 64 && IsShortInt(string(n)) {
		return true
	}
	if !IsNumber(string(n)) {
		return false
	}
	d := parseDecimal(string(n))
	if !d.whole() || d.point > 20 {
		return false
	}
	_, err := strconv.ParseInt(d.text(), 10, bits)
	return err == nil
}

// CanonicalInt writes an integer in the one form that all its spellings share: "1.0" and "1e0" give "1", "-0" gives "0".
// It is false for a number that is no integer. Integers are equal when their canonical texts are; those of more than 400
// digits keep an exponent.
func CanonicalInt(n json.Number) (string, bool) {
	if !IsNumber(string(n)) {
		return "", false
	}
	d := parseDecimal(string(n))
	if !d.whole() {
		return "", false
	}
	return d.text(), true
}

// clamp returns a number that the schema validator judges as it would judge the given one, and that costs it little. The
// validator expands numbers and fails with a panic on those that are too large. Bounds in contracts have at most
// MaxLiteral characters, so any number is on the same side of them as its clamped one.
func clamp(n json.Number) json.Number {
	if !IsHuge(string(n)) {
		return n
	}
	d := parseDecimal(string(n))
	whole := d.whole()
	const far = 3 * MaxLiteral
	d.point = min(max(d.point, -far), far)
	if len(d.digits) > far {
		d.digits = d.digits[:far] + "1" // what is cut off is not zero
	}
	if whole {
		// Only the digits of a giant can be more than its places now. Without this it would be a fraction.
		d.digits = d.digits[:min(len(d.digits), int(d.point))]
	}
	return json.Number(d.text())
}

// IsHuge reports whether a number must not be handed to the validator as it is.
func IsHuge(text string) bool {
	if len(text) > MaxLiteral {
		return true
	}
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return false
	}
	e := parseExponent(text[i+1:])
	return e > MaxLiteral || e < -MaxLiteral
}

// IsNumber reports whether a text is a number by the grammar of JSON.
func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, rest := leadingDigits(s)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		var fraction string
		if fraction, rest = leadingDigits(after); fraction == "" {
			return false
		}
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		var exponent string
		if exponent, rest = leadingDigits(rest); exponent == "" {
			return false
		}
	}
	return rest == ""
}

func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// IsShortInt reports whether a text is an integer in its plainest form, digits only, that an int64 holds.
func IsShortInt(s string) bool {
	digits, rest := leadingDigits(strings.TrimPrefix(s, "-"))
	if rest != "" || digits == "" || digits[0] == '0' && len(digits) > 1 {
		return false
	}
	switch {
	case len(digits) < 19:
		return true
	case len(digits) > 19:
		return false
	case s[0] == '-':
		return digits <= "9223372036854775808"
	}
	return digits <= "9223372036854775807"
}
