package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns the width of s on a terminal, near enough for laying out: wide scripts and emoji take two columns,
// combining marks none.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide reports whether a character takes two columns (Unicode Standard Annex 11).
func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Pad fills s with spaces up to a width in columns.
func Pad(s string, width int) string {
	if n := Columns(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// SplitColumns splits s behind as much of it as fits into width columns.
func SplitColumns(s string, width int) (head, rest string) {
	used := 0
	for i, r := range s {
		used += Columns(string(r))
		if used > width {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// TruncateColumns cuts s to at most width columns, of which the last is an ellipsis where something was cut off.
func TruncateColumns(s string, width int) string {
	if Columns(s) <= width {
		return s
	}
	head, _ := SplitColumns(s, width-1)
	return strings.TrimRight(head, " ") + ellipsis
}
