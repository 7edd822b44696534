package check

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// IsUnicode reports whether a JSON text is UTF-8 without escapes of unpaired surrogates ("\ud800"). Readers may interpret any other text as
// they like: RFC 8259, section 8.2, calls it unpredictable.
func IsUnicode(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return true
		}
		text = text[i:]
		unit, escaped := codeUnit(text)
		switch {
		case !escaped:
			text = text[min(2, len(text)):]
		case !utf16.IsSurrogate(unit):
			text = text[len(`\u0000`):]
		default:
			second, _ := codeUnit(text[len(`\u0000`):])
			if utf16.DecodeRune(unit, second) == utf8.RuneError {
				return false
			}
			text = text[len(`\u0000\u0000`):]
		}
	}
}

// codeUnit returns the UTF-16 code unit that a text begins with as an escape; false if it does not.
func codeUnit(text []byte) (rune, bool) {
	if len(text) < len(`\u0000`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:len(`\u0000`)]), 16, 16)
	return rune(unit), err == nil
}
