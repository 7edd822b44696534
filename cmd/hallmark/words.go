package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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
	best, least := "", len(word)/2+1
	for _, k := range known {
		if d := edits(word, k); d < least {
			best, least = k, d
		}
	}
	for _, k := range known {
		if best == "" && slices.Contains(strings.Split(k, "-"), word) {
			best = k
		}
	}
	return best
}

// edits counts the slips between two words: a character too much, too little or another, or two swapped.
func edits(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
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
