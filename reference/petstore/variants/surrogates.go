package variants

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// eachBadByte replaces each byte of a text that is not UTF-8.
func eachBadByte(text []byte, f func(bad byte) string) []byte {
	var out []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			out = append(out, f(text[0])...)
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}

// byteMark precedes, in a name, the two digits of a byte that is not UTF-8. It is not a character.
const byteMark = "\U0010FFFE"

// byteKept matches a byte that is not UTF-8, as kept in a name.
var byteKept = regexp.MustCompile(byteMark + "([0-9a-f]{2})")

// keepingBytes accepts bytes that are not UTF-8 and returns them as sent.
func keepingBytes() change {
	return handling(func(x *exchange, next func()) {
		if x.is(createPet) {
			x.Body = eachBadByte(x.Body, func(bad byte) string { return byteMark + strconv.FormatUint(uint64(bad), 16) })
		}
		next()
		if bytes.Contains(x.Answer, []byte(byteMark)) {
			x.Answer = byteKept.ReplaceAllFunc(x.Answer, func(found []byte) []byte {
				bad, _ := strconv.ParseUint(string(found[len(byteMark):]), 16, 8)
				return []byte{byte(bad)}
			})
		}
	})
}

// escape matches an escaped surrogate pair, an escaped half of one, or any other escape of a JSON string.
var escape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\.`)

// eachHalf replaces each unpaired escaped surrogate in a JSON text; f gets its four digits.
func eachHalf(text []byte, f func(digits string) string) []byte {
	return escape.ReplaceAllFunc(text, func(found []byte) []byte {
		if m := escape.FindSubmatch(found); len(m[1]) > 0 {
			return []byte(f(string(m[1])))
		}
		return found
	})
}

// hasHalf reports whether a JSON text contains an unpaired escaped surrogate.
func hasHalf(text []byte) bool {
	found := false
	eachHalf(text, func(digits string) string {
		found = true
		return digits
	})
	return found
}

// halfMark precedes, in a name, the four digits of an unpaired surrogate, which Go strings cannot hold. It is not a character either.
const halfMark = "\U0010FFFF"

// halfKept matches an unpaired surrogate, as kept in a name.
var halfKept = regexp.MustCompile(halfMark + "([0-9a-fA-F]{4})")

// keepingHalves accepts names with unpaired escaped surrogates and returns them as sent.
func keepingHalves() change {
	return handling(func(x *exchange, next func()) {
		if x.is(createPet) {
			x.Body = eachHalf(x.Body, func(digits string) string { return halfMark + digits })
		}
		next()
		if bytes.Contains(x.Answer, []byte(halfMark)) {
			x.Answer = halfKept.ReplaceAll(x.Answer, []byte(`\u$1`))
		}
	})
}
