package text

import "strings"

// Wrap breaks s between its words into lines of at most width characters, and not at all where width is 0.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var all []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		n := len([]rune(word))
		if line != "" && used+1+n > width {
			all = append(all, line)
			line, used = "", 0
		}
		if line != "" {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	return append(all, line)
}
