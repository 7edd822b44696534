package text

import "strings"

// Count returns a number with its noun: "1 rule", "2 rules", "1,204 rules".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Are returns "is" or "are" for a count.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Were returns "was" or "were" for a count.
func Were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// WithArticle returns a word with its indefinite article: "an array", "a number".
func WithArticle(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
