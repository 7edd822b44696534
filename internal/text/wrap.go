package text

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks s into lines of at most width columns: between words if possible, otherwise within words. It does not break if width is 0.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	for word := range strings.SplitSeq(s, " ") {
		w := Columns(word)
		if line != "" && used+1+w > width {
			flush()
		}
		if line != "" || used > 0 {
			line, used = line+" ", used+1
		}
		for w > width {
			head, rest := SplitColumns(word, width-used)
			switch {
			case head == "" && line == "": // a character that is wider than a line
				_, size := utf8.DecodeRuneInString(word)
				head, rest = word[:size], word[size:]
			case head == "":
				flush()
				continue
			}
			line += head
			flush()
			word, w = rest, Columns(rest)
		}
		line, used = line+word, used+w
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}
