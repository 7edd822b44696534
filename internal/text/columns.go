package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns the approximate width of s on a terminal: wide scripts and emoji take two columns, combining marks none.
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

// Pad pads s with spaces to a width in columns.
func Pad(s string, width int) string {
	if n := Columns(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// SplitColumns splits s after as many characters as fit into width columns.
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

// TruncateColumns truncates s to at most width columns, including an ellipsis if it was truncated.
func TruncateColumns(s string, width int) string {
	if Columns(s) <= width {
		return s
	}
	head, _ := SplitColumns(s, width-1)
	return strings.TrimRight(head, " ") + ellipsis
}
