package text

import "strings"

// Count returns a number with its noun: "1 rule", "2 rules", "1,204 rules".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Are returns the present of "to be" after a count: "is" after 1.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Were returns the past of "to be" after a count: "was" after 1.
func Were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// WithArticle returns the word after the indefinite article that it takes: "an array", "a number".
func WithArticle(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
