package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hallmark/spec"
)

// meant proposes the known word that is most like a wrong one, or else says what there is.
func meant(word string, known []string, otherwise string) string {
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// nearest is the known word that is most like a wrong one, or that has it for a part ("url" of "base-url"); empty when
// there is none. Of equals the first wins.
func nearest(word string, known []string) string {
	word = strings.ToLower(word)
	best := spec.Nearest(word, known)
	for _, k := range known {
		if best == "" && slices.Contains(strings.Split(k, "-"), word) {
			best = k
		}
	}
	return best
}

// visible makes text fit for one line of a terminal: what would not show, or steer it, becomes a mark.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

// shellWord writes a value as one word of sh.
func shellWord(text string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@%+=,-"
	if text != "" && strings.Trim(text, safe) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// count is a number with its noun: "1 rule", "2 rules".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
