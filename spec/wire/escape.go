package wire

import (
	"strconv"
	"strings"
)

const upperHex = "0123456789ABCDEF"

// unreserved reports whether a byte never needs percent-encoding in a URI (RFC 3986, section 2.3).
func unreserved(c byte) bool {
	return alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// percentEncode encodes each byte of s that is neither unreserved nor in keep.
func percentEncode(s, keep string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; unreserved(c) || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	return b.String()
}

// formEncode encodes s as browsers do in application/x-www-form-urlencoded (WHATWG URL, section 5.2).
func formEncode(s, keep string) string {
	return strings.ReplaceAll(strings.ReplaceAll(percentEncode(s, keep+" *"), "~", "%7E"), " ", "+")
}

// percentDecode decodes %XX, and "+" as a space if plus is set. The error has a byte offset as its place.
func percentDecode(s string, plus bool) (string, error) {
	if !strings.ContainsAny(s, "%+") {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%':
			high, low := unhexAt(s, i+1), unhexAt(s, i+2)
			if high > 15 || low > 15 {
				return "", &Error{Reason: Malformed, Place: "byte " + strconv.Itoa(i),
					Text: "a percent sign is not followed by two hexadecimal digits"}
			}
			b = append(b, high<<4|low)
			i += 2
		case c == '+' && plus:
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return string(b), nil
}

// unhexAt returns the value of the hexadecimal digit s[i], or more than 15 if there is none.
func unhexAt(s string, i int) byte {
	if i >= len(s) {
		return 16
	}
	switch c := s[i]; {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}
