package text

import "unicode/utf8"

// minElided is how many characters Elide keeps at least, whatever the limit.
const minElided = 8

// Elide returns s without its middle where it is longer than about limit characters, and says there how long it was:
// "beginning … (1,008 characters) … end". Two thirds of what stays are its beginning.
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
