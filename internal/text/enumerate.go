package text

import "strings"

// Enumerate joins words as in a sentence, with the conjunction before the last: "a, b and c".
func Enumerate(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
