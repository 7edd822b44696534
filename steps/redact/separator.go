package redact

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mayHide marks the bytes with which an escape or a separator begins.
var mayHide = [256]bool{'%': true, '\\': true, '&': true, 0: true, '\r': true, '\n': true, 0xC2: true, 0xE2: true, 0xEF: true}

// isSeparator reports whether a character may occur between those of a secret without concealing it: the NUL that UTF-16 adds to each
// letter, the line breaks of base64, and characters without width.
func isSeparator(r rune) bool {
	switch r {
	case 0, '\r', '\n', '\u00ad', '\ufeff':
		return true
	}
	return r >= '\u200b' && r <= '\u200f' || r >= '\u2060' && r <= '\u2064'
}

// separator returns the number of bytes of the separator at a position, literal or escaped, or 0 if there is none.
func separator[T ~string | ~[]byte](text T, i, depth int) int {
	if i >= len(text) || !mayHide[text[i]] {
		return 0
	}
	c, width := unit(text, i, depth)
	switch {
	case width == 0:
		return 0
	case isSeparator(rune(c)) && (c < utf8.RuneSelf || width > 1): // above ASCII a bare byte is part of a character
		return width
	case c == 0xC2 || c == 0xE2 || c == 0xEF:
		char, total := [utf8.UTFMax]byte{c}, width
		for n := 1; n < 3; n++ {
			next, w := unit(text, i+total, depth)
			if w == 0 {
				break
			}
			char[n], total = next, total+w
			if r, size := utf8.DecodeRune(char[:n+1]); size == n+1 && isSeparator(r) {
				return total
			}
		}
	}
	if depth == 0 {
		return 0
	}
	if r, width := escapedRune(text, i, raw); width > 0 && isSeparator(r) {
		return width
	}
	if depth == 2 {
		if r, width := escapedRune(text, i, once); width > 0 && isSeparator(r) {
			return width
		}
	}
	return 0
}

// escapedRune parses a character that is escaped as a whole: \u200b, \n, &#8203; or &shy;. width is 0 for anything else.
func escapedRune[T ~string | ~[]byte](text T, i int, read reading[T]) (r rune, width int) {
	const longest = 24 // "&ZeroWidthSpace;", and some backslashes before \u200b
	var next [longest]byte
	var at [longest + 1]int
	have := 0
	for at[0] = i; have < longest; have++ {
		b, w := read(text, at[have])
		if w == 0 {
			break
		}
		if have == 0 && b != '\\' && b != '&' {
			return 0, 0
		}
		next[have], at[have+1] = b, at[have]+w
	}
	switch {
	case have > 1 && next[0] == '\\':
		k := 1
		for k < have-1 && k < 8 && next[k] == '\\' {
			k++
		}
		switch rest := next[k:have]; rest[0] {
		case 'n':
			return '\n', at[k+1] - i
		case 'r':
			return '\r', at[k+1] - i
		case 'u', 'U':
			for _, digits := range []int{8, 4} {
				if len(rest) <= digits || digits == 8 && rest[0] == 'u' {
					continue
				}
				if v, err := strconv.ParseUint(string(rest[1:1+digits]), 16, 31); err == nil {
					return rune(v), at[k+1+digits] - i
				}
			}
		}
	case have > 1 && next[0] == '&':
		if r, length := reference(next[1:have]); length > 0 {
			return r, at[1+length] - i
		}
		end := bytes.IndexByte(next[:have], ';')
		if end < 0 {
			return 0, 0
		}
		switch strings.ToLower(string(next[1:end])) {
		case "shy", "zwj", "zwnj", "zerowidthspace", "nobreak":
			return '\u200b', at[end+1] - i
		}
	}
	return 0, 0
}
