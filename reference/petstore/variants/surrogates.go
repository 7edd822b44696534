package variants

import (
	"bytes"
	"regexp"
)

// escape is an escaped surrogate pair, an escaped half of one, or any other escape of a JSON string.
var escape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\.`)

// eachHalf replaces each escaped half of a surrogate pair that stands alone in a JSON text; f gets its four digits.
func eachHalf(text []byte, f func(digits string) string) []byte {
	return escape.ReplaceAllFunc(text, func(found []byte) []byte {
		if m := escape.FindSubmatch(found); len(m[1]) > 0 {
			return []byte(f(string(m[1])))
		}
		return found
	})
}

// halfMark stands in a name before the four digits of half a surrogate pair, which no text of Go can hold. It is no
// character either.
const halfMark = "\U0010FFFF"

// halfKept is half of a surrogate pair as it stands in a name.
var halfKept = regexp.MustCompile(halfMark + "([0-9a-fA-F]{4})")

// keepingHalves accepts names that hold escaped halves of surrogate pairs, and shows them as they were sent.
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
