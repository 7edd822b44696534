package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Suggest proposes the known word most similar to a wrong one, or returns otherwise.
func Suggest(word string, known []string, otherwise string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// Nearest returns the known word most similar to a wrong one, or one that contains it ("url" in "base-url"), or "". The first of several
// equals wins.
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
