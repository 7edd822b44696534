package html

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// piece is a part of a phrase that does or does not differ from the other phrase.
type piece struct {
	Text    visible
	Differs bool
}

// diff is the expected and the actual phrase.
type diff struct{ Expected, Actual []piece }

// longPhrase is the maximum length, in runes, of phrases compared word by word.
const longPhrase = 2000

// compare finds the words in which two phrases differ. It marks nothing if they have little in common, since every word would be marked.
func compare(expected, actual phrase.Phrase) diff {
	wholeA, wholeB := expected.String(), actual.String()
	whole := diff{[]piece{{Text: visible(wholeA)}}, []piece{{Text: visible(wholeB)}}}
	if len(wholeA) > longPhrase || len(wholeB) > longPhrase {
		return whole
	}
	// If both quote a value, only the value matters.
	headA, valueA, tailA := expected.Around()
	headB, valueB, tailB := actual.Around()
	if valueA == "" || valueB == "" {
		headA, valueA, tailA = "", wholeA, ""
		headB, valueB, tailB = "", wholeB, ""
	}
	a, b := words(valueA), words(valueB)
	keepA, keepB, same := common(a, b)
	if same*2 < max(meaningful(a), meaningful(b)) {
		return whole
	}
	return diff{pieces(headA, a, keepA, tailA), pieces(headB, b, keepB, tailB)}
}

// wordsOf finds words, escapes such as \u200b, and everything else character by character.
var wordsOf = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.|[\pL\pN]+|(?s:.)`)

func words(s string) []string { return wordsOf.FindAllString(s, -1) }

// meaningful returns the number of words that are not white space.
func meaningful(all []string) int {
	n := 0
	for _, w := range all {
		if strings.TrimSpace(w) != "" {
			n++
		}
	}
	return n
}

// common finds the longest common subsequence: which parts of each phrase belong to it, and how many of them are not white space.
func common(a, b []string) (keepA, keepB []bool, same int) {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	keepA, keepB = make([]bool, len(a)), make([]bool, len(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			keepA[i], keepB[j] = true, true
			if strings.TrimSpace(a[i]) != "" {
				same++
			}
			i, j = i+1, j+1
		case table[i+1][j] >= table[i][j+1]:
			i++
		default:
			j++
		}
	}
	return keepA, keepB, same
}

// pieces joins adjacent words of the same kind.
func pieces(head string, all []string, keep []bool, tail string) []piece {
	out := []piece{{Text: visible(head)}}
	add := func(w string, differs bool) {
		if last := &out[len(out)-1]; last.Differs == differs {
			last.Text += visible(w)
			return
		}
		out = append(out, piece{Text: visible(w), Differs: differs})
	}
	for i, w := range all {
		add(w, !keep[i])
	}
	add(tail, false)
	return out
}
