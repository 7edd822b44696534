package text

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable makes s fit for one line of a terminal: what would not show, or would steer it, becomes U+FFFD.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// ShellQuote writes s as one word of sh, in single quotes where it needs them.
func ShellQuote(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@%+=,-"
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// TableCell makes s fit for one cell of a Markdown table.
func TableCell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}

// MaxQuoted is how many characters of a text findings show.
const MaxQuoted = 60

// Quote shows a text safely: in quotes, with everything that does not print escaped, and cut when it is long.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == MaxQuoted {
			return strconv.Quote(s[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(s)
}
