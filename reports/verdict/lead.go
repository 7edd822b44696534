package verdict

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// answeredStatus returns the status of the response as the way in which a rule is broken. It returns "" for findings about anything else,
// whose values are equal only by chance.
func answeredStatus(it *item) string {
	if it.Status == 0 {
		return ""
	}
	return strconv.Itoa(it.Status)
}

func isServerError(kind string) bool {
	return len(kind) == 3 && kind[0] == '5'
}

// leads reports whether rule x, broken n times, explains more than rule y, broken m times. Must rules lead before should rules, a narrower
// part before its wider rule, the more precise id within an area (list.limit.honoured before list.maximum), the first in the catalogue
// among parts of one rule, and otherwise the one broken more often.
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
			// A rule whose id the other one extends is its premise: a missing status cannot be the correct one.
			if premise(x, y) || premise(y, x) {
				return sx < sy
			}
			return sx > sy
		}
	}
	if rx.Within != "" && rx.Within == ry.Within {
		return b.Order(x) < b.Order(y) // the catalogue lists the simpler part first
	}
	if n != m {
		return n > m
	}
	return b.Order(x) < b.Order(y)
}

func segments(r spec.Rule) int { return 1 + strings.Count(r.ID, ".") }

// premise reports whether long extends short.
func premise(short, long string) bool { return strings.HasPrefix(long, short+".") }
