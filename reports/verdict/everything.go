package verdict

import (
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// leastOperations is the number of operations that must all return server errors before the whole service counts as failing.
const leastOperations = 3

// FailsThroughout describes a target that answered every request of a run with a server error of its own. It returns "" for any other
// target.
func FailsThroughout(rec *record.Record) string {
	if rec.Traffic != nil { // whose record holds only the exchanges with findings
		return ""
	}
	operations, responses := map[string]bool{}, 0
	var statuses []int
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		switch {
		case ex.Response == nil:
			continue
		case ex.Response.Status/100 != 5 || ex.Response.FromGateway():
			return ""
		}
		responses++
		if ex.Operation != "" { // otherwise it checked that the target responds, or called a bare path
			operations[ex.Operation] = true
		}
		if !slices.Contains(statuses, ex.Response.Status) {
			statuses = append(statuses, ex.Response.Status)
		}
	}
	if len(operations) < leastOperations {
		return ""
	}
	slices.Sort(statuses)
	var words []string
	for _, status := range statuses {
		words = append(words, strconv.Itoa(status))
	}
	return "the service answers " + text.Enumerate(words, "or") + " to everything: " + text.Count(responses, "request") + " to " + text.Count(len(operations), "operation")
}

// joinThroughout merges all defects with server errors if the target returned one for every request of the run.
func joinThroughout(defects []*defect, rec *record.Record, b *Index) []*defect {
	if FailsThroughout(rec) == "" {
		return defects
	}
	var one *defect
	var all []*defect
	for _, d := range defects {
		if slices.ContainsFunc(d.items, func(it *item) bool { return it.answered/100 != 5 }) {
			all = append(all, d)
			continue
		}
		if one == nil {
			one = &defect{lead: d.lead}
			all = append(all, one)
		}
		one.items = append(one.items, d.items...)
		is, _ := b.Rule(one.lead)
		other, _ := b.Rule(d.lead)
		if x, y := LevelRank(is.Level), LevelRank(other.Level); y < x || y == x && b.Order(d.lead) < b.Order(one.lead) {
			one.lead = d.lead
		}
	}
	return all
}
