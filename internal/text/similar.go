package text

import (
	"cmp"
	"slices"
	"strings"
)

// Similar returns the known word most similar to a wrong one, ignoring case, or "" if none is close. The first of equals wins.
func Similar(word string, known []string) string {
	if near := Nearest(word, known, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// Nearest returns at most n known words that are close to a wrong one, ignoring case, the most similar first. Equally similar ones keep their
// order.
func Nearest(word string, known []string, n int) []string {
	word = strings.ToLower(word)
	type candidate struct {
		word     string
		distance int
	}
	var candidates []candidate
	for _, k := range known {
		if d := editDistance(word, strings.ToLower(k)); d <= len(word)/2 {
			candidates = append(candidates, candidate{k, d})
		}
	}
	slices.SortStableFunc(candidates, func(x, y candidate) int { return cmp.Compare(x.distance, y.distance) })
	var near []string
	for _, c := range candidates[:min(n, len(candidates))] {
		near = append(near, c.word)
	}
	return near
}

// editDistance counts the edits between two words: a character inserted, deleted or replaced, or two swapped.
func editDistance(a, b string) int {
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
