package verdict

import (
	"strconv"
	"strings"

	"hallmark/spec"
)

// answeredStatus is what makes two rules broken in the same way: the status of the response; empty for findings
// about anything else, whose values are equal only by chance.
func answeredStatus(it *item) string {
	if it.Status == 0 {
		return ""
	}
	return strconv.Itoa(it.Status)
}

func isServerError(kind string) bool {
	return len(kind) == 3 && kind[0] == '5'
}

// leads reports whether rule x, broken n times, is a better explanation than rule y, broken m times, where both
// are broken: must before should, the narrower part of a wider rule, within an area the more precise id
// (list.limit.honoured before list.maximum), of parts of one rule the first in the catalogue, otherwise the one
// broken more often.
func leads(b *Index, x string, n int, y string, m int) bool {
	rx, _ := b.Rule(x)
	ry, _ := b.Rule(y)
	if LevelRank(rx.Level) != LevelRank(ry.Level) {
		return LevelRank(rx.Level) < LevelRank(ry.Level)
	}
	if dx, dy := b.depth(x), b.depth(y); dx != dy {
		return dx > dy
	}
	if rx.Area() == ry.Area() {
		if sx, sy := segments(rx), segments(ry); sx != sy {
			// An id that the other one continues is its premise: a status that is missing cannot be the right one.
			if premise(x, y) || premise(y, x) {
				return sx < sy
			}
			return sx > sy
		}
	}
	if rx.Within != "" && rx.Within == ry.Within {
		return b.Order(x) < b.Order(y) // the catalogue names the plainer part first
	}
	if n != m {
		return n > m
	}
	return b.Order(x) < b.Order(y)
}

func segments(r spec.Rule) int { return 1 + strings.Count(r.ID, ".") }

// premise reports whether the longer id continues the shorter one.
func premise(short, long string) bool { return strings.HasPrefix(long, short+".") }
