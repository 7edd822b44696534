package verdict

import (
	"slices"
	"strconv"

	"hallmark/internal/text"
	"hallmark/reports/record"
)

// leastOperations is of how many operations a run has to get server errors only before that says something of the whole service.
const leastOperations = 3

// FailsThroughout says that a target answered every request of a run by a server error that is its own; empty where it did not.
func FailsThroughout(rec *record.Record) string {
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
		if ex.Operation != "" { // else it was sent to see whether anybody is there, or to a path alone
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

// joinThroughout makes one defect of all in which a target answered by a server error, where it answered so throughout the run.
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
