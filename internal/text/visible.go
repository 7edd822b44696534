package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns untrusted text on one line that is safe for a terminal: control characters, escape sequences, direction marks and other
// invisible characters become \n, \x1b, \u202e; bytes that are not UTF-8 become \xff.
func Visible(s string) string {
	if IsVisible(s) {
		return s
	}
	const digits = "0123456789abcdef"
	var out strings.Builder
	out.Grow(2 * len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteString(`\x`)
			out.WriteByte(digits[s[i]>>4])
			out.WriteByte(digits[s[i]&15])
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			// strconv knows both the short forms (\n, \t) and the long ones.
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return out.String()
}

// IsVisible reports whether s is UTF-8 and all its characters are visible, so that [Visible] would not change it.
func IsVisible(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// VisibleLines returns untrusted text with each line made visible as by [Visible].
func VisibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return strings.Join(lines, "\n")
}

// maxShort is the limit of Short, in characters.
const maxShort = 240

// Short returns untrusted text for use in a sentence: visible, and elided if it is long.
func Short(s string) string { return Elide(Visible(s), maxShort) }
