package verdict

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"hallmark/spec"
)

// kindOf is what makes two broken rules broken in the same way: the status that was answered; empty for findings about
// anything else, whose values are alike by chance only.
func kindOf(it *item) string {
	if it.status == 0 {
		return ""
	}
	return strconv.Itoa(it.status)
}

func isServerError(kind string) bool {
	return len(kind) == 3 && kind[0] == '5'
}

var (
	statusNamed = regexp.MustCompile(`^(?:HTTP )?[Ss]tatus ([1-5][0-9][0-9])(?:[^0-9]|$)`)
	statusBare  = regexp.MustCompile(`^(?:HTTP )?([1-5][0-9][0-9])(?:$|[,;:(]| with | and | \()`)
	statusTitle = regexp.MustCompile(`^(?:HTTP )?([1-5][0-9][0-9]) (.*)$`)
)

// answeredStatus reads the status from what was there, where that is a status: "status 403", "403", "403 Forbidden".
// "200 animals" is none.
func answeredStatus(f spec.Finding) int {
	if f.Pointer != "" {
		return 0 // a place in the body, perhaps an Error's own status
	}
	for _, form := range []*regexp.Regexp{statusNamed, statusBare} {
		if m := form.FindStringSubmatch(f.Actual); m != nil {
			return number(m[1])
		}
	}
	if m := statusTitle.FindStringSubmatch(f.Actual); m != nil && strings.HasPrefix(m[2], titleOf(number(m[1]))) {
		return number(m[1])
	}
	return 0
}

// titleOf is the status's usual text; one that has none gets a text that nothing begins with.
func titleOf(status int) string {
	return cmp.Or(http.StatusText(status), "\x00")
}

// number reads three digits.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// leads reports whether rule x, broken n times, explains better than rule y, broken m times, what is wrong where both are
// broken: must before should, the narrower part of a wider rule, within an area the more precise id (list.limit.honoured
// before list.maximum), of parts of one rule the first in the catalogue, else what is broken more often.
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
		return b.Order(x) < b.Order(y) // of parts of one rule the catalogue names the plainer one first
	}
	if n != m {
		return n > m
	}
	return b.Order(x) < b.Order(y)
}

func segments(r spec.Rule) int { return 1 + strings.Count(r.ID, ".") }

// premise reports whether the longer id continues the shorter one.
func premise(short, long string) bool { return strings.HasPrefix(long, short+".") }
