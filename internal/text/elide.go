package text

import "unicode/utf8"

// minElided is the minimum number of characters that Elide keeps.
const minElided = 8

// Elide removes the middle of s if it is longer than about limit characters, and states its length there:
// "beginning … (1,008 characters) … end". Two thirds of the rest are its beginning.
func Elide(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	mark := " … (" + Count(n, "character") + ") … "
	keep := max(limit-utf8.RuneCountInString(mark), minElided)
	if keep >= n {
		return s
	}
	head := (keep*2 + 2) / 3
	tail := n - (keep - head)
	from, to, at := 0, 0, 0
	for i := range s {
		switch at {
		case head:
			from = i
		case tail:
			to = i
		}
		at++
	}
	return s[:from] + mark + s[to:]
}
