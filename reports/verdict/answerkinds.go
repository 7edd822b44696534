package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// AnswerKind counts the responses of one operation that have the same status.
type AnswerKind struct {
	Operation string `json:"operation"`
	Status    int    `json:"status"`
	// Count is the number of such responses, one for each exchange.
	Count int `json:"count"`
}

// answerKinds groups the responses that decided a defect's findings by operation and status, the most frequent first.
func answerKinds(d *defect) []AnswerKind {
	at := map[AnswerKind]map[int]bool{}
	total := map[string]int{}
	for _, it := range d.items {
		kind := AnswerKind{Operation: it.operation, Status: it.answered}
		if it.operation == "" || it.answered == 0 || at[kind][it.at] {
			continue
		}
		if at[kind] == nil {
			at[kind] = map[int]bool{}
		}
		at[kind][it.at] = true
		total[it.operation]++
	}
	all := make([]AnswerKind, 0, len(at))
	for kind, seen := range at {
		kind.Count = len(seen)
		all = append(all, kind)
	}
	slices.SortFunc(all, func(x, y AnswerKind) int {
		return cmp.Or(cmp.Compare(total[y.Operation], total[x.Operation]), cmp.Compare(x.Operation, y.Operation),
			cmp.Compare(y.Count, x.Count), cmp.Compare(x.Status, y.Status))
	})
	return all
}

// kindsText formats kinds of responses: "listPets 200 (12), 401 (3); getPet 200 (7)". It returns "" for a single kind, since the example
// shows it.
func kindsText(kinds []AnswerKind) string {
	if len(kinds) < 2 {
		return ""
	}
	var b strings.Builder
	for i, k := range kinds {
		switch {
		case i == 0:
			b.WriteString(k.Operation)
		case k.Operation != kinds[i-1].Operation:
			b.WriteString("; " + k.Operation)
		default:
			b.WriteString(",")
		}
		b.WriteString(" " + strconv.Itoa(k.Status) + " (" + text.Number(k.Count) + ")")
	}
	return b.String()
}
