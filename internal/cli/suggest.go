package cli

import (
	"fmt"
	"slices"
	"strings"

	"hallmark/internal/text"
)

// Suggest proposes the known word that is most like a wrong one, or else says what there is.
func Suggest(word string, known []string, otherwise string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// Nearest is the known word that is most like a wrong one, or that has it for a part ("url" of "base-url"); empty when
// there is none. Of equals the first wins.
func Nearest(word string, known []string) string {
	word = strings.ToLower(word)
	best := text.Similar(word, known)
	for _, k := range known {
		if best == "" && slices.Contains(strings.Split(k, "-"), word) {
			best = k
		}
	}
	return best
}
