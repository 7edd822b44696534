package exactjson

import (
	"encoding/json"
	"strconv"
	"strings"
)

// MaxLiteral is the maximum length, and the maximum exponent, of a number that is passed to the schema validator as written. Larger
// numbers are judged by their text alone: expanding 1e10000000 would take megabytes.
const MaxLiteral = 400

// decimal is a parsed JSON number: ±0.digits × 10^point, without zeros at either end of digits. It is exact, except that exponents
// are clamped to ±10^17.
type decimal struct {
	negative bool
	digits   string
	point    int64
}

// maxExponent bounds exponents so that adding to them cannot overflow.
const maxExponent = 100_000_000_000_000_000

// parseDecimal parses a JSON number, which must be valid (see IsNumber).
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
		return decimal{} // zero, also -0
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

// whole reports whether the number is an integer by the definition of JSON Schema, like 1.0 and 1e2.
func (d decimal) whole() bool {
	return d.point >= int64(len(d.digits))
}

// text returns the canonical form of the number: an integer of at most MaxLiteral digits in full, any other number with an exponent.
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

// IsInt64 reports whether a number is an integer that fits into an int64, like 1.0 and 1e2 but not 1.5, 1e30 or
// 9223372036854775808. It is exact and uses no float.
func IsInt64(n json.Number) bool {
	return FitsInt(n, 64)
}

// FitsInt reports whether a number is an integer that fits into a signed integer with this number of bits.
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

// CanonicalInt returns the canonical text of an integer: "1" for "1.0" and "1e0", "0" for "-0". It returns false if the number is not an
// integer. Two integers are equal if their canonical texts are. Integers of more than 400 digits keep an exponent.
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

// Truncate returns a number without its fraction: 12 for 12.5, 0 for -0.3. It returns false for a text that is no number, and for a number
// of more than 400 digits.
func Truncate(n json.Number) (json.Number, bool) {
	if !IsNumber(string(n)) {
		return "", false
	}
	d := parseDecimal(string(n))
	if d.point > MaxLiteral {
		return "", false
	}
	if d.point <= 0 {
		return "0", true
	}
	d.digits = d.digits[:min(len(d.digits), int(d.point))]
	return json.Number(d.text()), true
}

// clamp returns a number that the schema validator judges like n, but cheaply. The validator expands numbers and panics on huge ones.
// Bounds in contracts have at most MaxLiteral characters, so clamping a number does not move it past one.
func clamp(n json.Number) json.Number {
	if !IsHuge(string(n)) {
		return n
	}
	d := parseDecimal(string(n))
	whole := d.whole()
	const far = 3 * MaxLiteral
	d.point = min(max(d.point, -far), far)
	if len(d.digits) > far {
		d.digits = d.digits[:far] + "1" // the rest is not zero
	}
	if whole {
		// Without this, a giant with more digits than places would become a fraction.
		d.digits = d.digits[:min(len(d.digits), int(d.point))]
	}
	return json.Number(d.text())
}

// IsHuge reports whether a number must be clamped for the validator.
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

// IsNumber reports whether a text is a JSON number.
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

// IsShortInt reports whether a text consists of digits only and fits into an int64.
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
