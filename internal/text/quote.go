package text

import (
	"strconv"
	"strings"
)

// TableCell makes s fit for one cell of a Markdown table.
func TableCell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}

// MaxQuoted is how many characters of a text findings show.
const MaxQuoted = 60

// Quote returns a text as findings show it: in quotes, with everything that does not print escaped. Where it is long it is cut,
// and an ellipsis follows the quotes.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == MaxQuoted {
			return strconv.Quote(s[:i]) + ellipsis
		}
		n++
	}
	return strconv.Quote(s)
}

// Literal returns a number, a pointer or a path as findings show it: without quotes, and with an ellipsis in the place of its
// middle where it is long.
func Literal(s string) string {
	if len(s) <= 2*MaxQuoted {
		return s
	}
	return s[:boundary(s, MaxQuoted)] + ellipsis + s[boundary(s, len(s)-MaxQuoted/2):]
}
