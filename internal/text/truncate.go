package text

import "unicode/utf8"

// ellipsis marks omitted text.
const ellipsis = "…"

// Truncate truncates s to at most limit characters, including an ellipsis if it was truncated.
func Truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + ellipsis
	}
	return s
}

// TruncateBytes truncates s to at most limit bytes at a character boundary, including an ellipsis of three bytes if it was truncated.
func TruncateBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:boundary(s, max(limit-len(ellipsis), 0))] + ellipsis
}

// boundary returns the last index up to i at which a character of s begins.
func boundary(s string, i int) int {
	for j := i; j >= 0 && j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}
