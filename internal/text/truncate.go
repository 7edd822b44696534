package text

import "unicode/utf8"

// ellipsis stands where something was left out.
const ellipsis = "…"

// Truncate cuts s to at most limit characters, of which the last is an ellipsis where something was cut off.
func Truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + ellipsis
	}
	return s
}

// TruncateBytes cuts s to at most limit bytes and not within a character. It ends in an ellipsis, of three bytes, where something
// was cut off.
func TruncateBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:boundary(s, max(limit-len(ellipsis), 0))] + ellipsis
}

// boundary returns the last place up to i at which a character of s begins.
func boundary(s string, i int) int {
	for j := i; j >= 0 && j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}
