package redact

import (
	"bytes"
	"strconv"
	"strings"
)

// unit returns the byte at a position and the number of bytes of its spelling: itself, or an escape such as %XX, \u00XX, \/, \150 or &#NN;.
// A depth of 0 reads the text literally, 1 as escaped, and 2 as escaped once or twice in possibly different ways: \u0026#NN; is an HTML
// character in JSON.
func unit[T ~string | ~[]byte](text T, i, depth int) (c byte, width int) {
	if depth == 0 {
		return raw(text, i)
	}
	c, width = readEscaped(text, i, raw)
	if depth == 1 || c != '&' && c != '%' && (c != '\\' || text[i] == '\\') {
		return c, width
	}
	if inner, whole := readEscaped(text, i, once); whole > width {
		return inner, whole
	}
	return c, width
}

// reading returns the byte at a position of a text and the number of bytes of its spelling, which is 0 at the end.
type reading[T ~string | ~[]byte] func(text T, i int) (c byte, width int)

func raw[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	if i >= len(text) {
		return 0, 0
	}
	return text[i], 1
}

func once[T ~string | ~[]byte](text T, i int) (c byte, width int) {
	if i >= len(text) {
		return 0, 0
	}
	return readEscaped(text, i, raw)
}

// readEscaped reads a byte that may be escaped, from bytes that read returns.
func readEscaped[T ~string | ~[]byte](text T, i int, read reading[T]) (c byte, width int) {
	first, n := read(text, i)
	var next [12]byte
	var at [13]int // where each byte of next ends
	take := func(count int) int {
		at[0] = i + n
		for k := range count {
			b, w := read(text, at[k])
			if w == 0 {
				return k
			}
			next[k], at[k+1] = b, at[k]+w
		}
		return count
	}
	switch first {
	case '%':
		if take(2) == 2 {
			if v, ok := hexByte(next[0], next[1]); ok {
				return v, at[2] - i
			}
		}
	case '\\':
		if take(1) == 0 || strings.IndexByte(`uUxX\"/'01234567`, next[0]) < 0 {
			break
		}
		have := take(len(next))
		k := 0
		for k < have && k < 7 && next[k] == '\\' {
			k++ // what was escaped is escaped again when quoted
		}
		rest := next[k:have]
		switch {
		case len(rest) >= 5 && lower(rest[0]) == 'u' && rest[1] == '0' && rest[2] == '0':
			if v, ok := hexByte(rest[3], rest[4]); ok {
				return v, at[k+5] - i
			}
		case len(rest) >= 3 && lower(rest[0]) == 'x':
			if v, ok := hexByte(rest[1], rest[2]); ok {
				return v, at[k+3] - i
			}
		}
		if v, digits := octal(rest); digits > 0 {
			return v, at[k+digits] - i
		}
		if have > 0 && strings.IndexByte(`"\/'`, next[0]) >= 0 {
			return next[0], at[1] - i
		}
	case '&':
		if take(1) == 0 || next[0] != '#' && (lower(next[0]) < 'a' || lower(next[0]) > 'z') {
			break
		}
		have := take(9)
		if end := bytes.IndexByte(next[:have], ';'); end >= 0 {
			if c, ok := entity(string(next[:end])); ok {
				return c, at[end+1] - i
			}
		}
		if r, length := reference(next[:have]); length > 0 && r >= 0 && r <= 0xff {
			return byte(r), at[length] - i
		}
	}
	return first, n
}

// entity returns the character of a named HTML entity.
func entity(name string) (c byte, ok bool) {
	name = strings.ToLower(name)
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	number, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		return 0, false
	}
	base := 10
	if digits, isHex := strings.CutPrefix(number, "x"); isHex {
		number, base = digits, 16
	}
	value, err := strconv.ParseUint(number, base, 8)
	return byte(value), err == nil
}

func hexByte(a, b byte) (byte, bool) {
	const digits = "0123456789abcdef"
	x, y := strings.IndexByte(digits, lower(a)), strings.IndexByte(digits, lower(b))
	if x < 0 || y < 0 {
		return 0, false
	}
	return byte(x<<4 | y), true //nolint:gosec // two digits
}

// reference parses a numeric HTML character reference after its ampersand, "#104" or "#x68", with the semicolon if there is one. length is
// 0 if there is none.
func reference(text []byte) (r rune, length int) {
	if len(text) < 2 || text[0] != '#' {
		return 0, 0
	}
	at, base := 1, 10
	if lower(text[1]) == 'x' {
		at, base = 2, 16
	}
	from := at
	for at < len(text) && at < from+7 {
		c := lower(text[at])
		if (c < '0' || c > '9') && (base == 10 || c < 'a' || c > 'f') {
			break
		}
		at++
	}
	v, err := strconv.ParseUint(string(text[from:at]), base, 31)
	if err != nil {
		return 0, 0
	}
	if at < len(text) && text[at] == ';' {
		at++
	}
	return rune(v), at
}

// octal parses a C escape after its backslash: one to three octal digits. digits is 0 if there is none.
func octal(text []byte) (c byte, digits int) {
	v := 0
	for digits < len(text) && digits < 3 && text[digits] >= '0' && text[digits] <= '7' {
		v = 8*v + int(text[digits]-'0')
		digits++
	}
	if v > 0xff {
		return 0, 0
	}
	return byte(v), digits
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
