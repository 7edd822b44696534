package text

import (
	"strconv"
	"strings"
)

// TableCell escapes untrusted text for a cell of a Markdown table. What is not visible is escaped as by [Visible].
func TableCell(s string) string {
	return Visible(strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s))
}

// MaxQuoted is the maximum number of characters of a text in a finding.
const MaxQuoted = 60

// Quote returns a text in quotes with unprintable characters escaped. A long text is truncated, with an ellipsis after the quotes.
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

// Literal returns a number, a pointer or a path for a finding: without quotes, and with its middle elided if it is long.
func Literal(s string) string {
	if len(s) <= 2*MaxQuoted {
		return s
	}
	return s[:boundary(s, MaxQuoted)] + ellipsis + s[boundary(s, len(s)-MaxQuoted/2):]
}
