package verdict

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/coverage"
)

// uncovered says which parts of the contract were covered less than the run requires (--require-coverage), or is empty. It is empty for a
// shard, too: what all shards cover shows when they are merged.
func uncovered(rec *record.Record) string {
	required := rec.Options.RequireCoverage
	switch {
	case len(required) == 0 || rec.Options.Shard != "":
		return ""
	case rec.Coverage == nil, rec.Coverage.Covered(record.Dimensions()[0]).All == 0:
		return "it is not known how much of the contract was covered, which --require-coverage requires"
	}
	var missed, wanted []string
	for _, d := range record.Dimensions() {
		percent, is := required[d]
		got := rec.Coverage.Covered(d)
		if !is || got.Reaches(percent) {
			continue
		}
		missed = append(missed, text.Number(got.Judged)+" of "+text.Number(got.All)+" "+DimensionWords(d)+" ("+Percent(got)+")")
		wanted = append(wanted, string(d)+"="+strconv.FormatFloat(percent, 'f', -1, 64))
	}
	if len(missed) == 0 {
		return ""
	}
	return "only " + text.Enumerate(missed, "and") + " were judged, which is less than --require-coverage " + strings.Join(wanted, ",")
}

// Percent writes how much was judged, rounded down: 99.9 % is never shown as 100 %.
func Percent(c record.Covered) string {
	return strconv.FormatFloat(float64(int(c.Percent()*10))/10, 'f', -1, 64) + " %"
}

// DimensionWords names what a dimension counts.
func DimensionWords(d record.Dimension) string {
	switch d {
	case record.MediaTypes:
		return "media types"
	case record.Schemas:
		return "keywords and branches of schemas"
	case record.Operations, record.Statuses, record.Parameters:
	}
	return string(d)
}

// CoverageReasons says why parts of the contract were not covered.
type CoverageReasons struct {
	rec *record.Record
	// uncalled, last, skipped and holes hold by operation why it was not called, its last response, why its scenarios were skipped, and why
	// its responses could not be judged.
	uncalled map[string]string
	last     map[string]string
	skipped  map[string]map[string]int
	holes    map[string]string
	leftOut  map[string]bool
}

// NewCoverageReasons returns the reasons that a record knows.
func NewCoverageReasons(rec *record.Record) *CoverageReasons {
	r := &CoverageReasons{
		rec: rec, uncalled: map[string]string{}, last: map[string]string{}, skipped: map[string]map[string]int{}, holes: map[string]string{},
		leftOut: map[string]bool{},
	}
	for _, one := range rec.Uncalled {
		r.uncalled[one.Operation] = one.Reason
	}
	for _, id := range rec.Target.Removed {
		r.uncalled[id] = "its removal date has passed"
	}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil && len(ex.Response.Body) > 0 {
			r.last[ex.Operation+" "+strconv.Itoa(ex.Response.Status)] = string(ex.Response.Body)
		}
	}
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		if sc.Outcome != record.Skipped || sc.Reason == "" {
			continue
		}
		for _, id := range sc.Operations {
			if r.skipped[id] == nil {
				r.skipped[id] = map[string]int{}
			}
			r.skipped[id][sc.Reason]++
		}
	}
	for i := range rec.Unjudged {
		for _, id := range rec.Unjudged[i].Operations {
			r.holes[id] = rec.Unjudged[i].Words()
		}
	}
	if rec.Document != nil && rec.Document.Budget != nil {
		for _, id := range rec.Document.Budget.Operations {
			r.leftOut[id] = true
		}
	}
	return r
}

// Operation says why an operation was not covered, or is empty for one that was.
func (r *CoverageReasons) Operation(op *record.OperationCoverage) string {
	id := op.Operation
	switch {
	case op.Judgement().Judged():
		return ""
	case op.Succeeded > 0:
		return r.unjudged(id)
	case r.uncalled[id] != "":
		return r.uncalled[id]
	case len(op.Unsuccessful) > 0:
		return r.unsuccessful(op)
	case len(r.skipped[id]) > 0:
		return commonest(r.skipped[id])
	case r.rec.Traffic != nil:
		return "the traffic has no request of it"
	case r.rec.Stopped != "":
		return r.rec.Stopped
	case !r.rec.Complete:
		return "the run ended before it"
	case r.rec.Filtered():
		return NotSelected
	}
	return "no request of it was sent"
}

// unjudged says why the responses of an operation were not judged.
func (r *CoverageReasons) unjudged(id string) string {
	if r.holes[id] != "" {
		return "its responses could not be judged: " + r.holes[id]
	}
	return "its responses could not be judged"
}

// mostStatuses is how many statuses of an operation that never succeeded are named, longestQuote how much of its response, in characters.
const mostStatuses, longestQuote = 3, 100

// unsuccessful says how an operation responded that never succeeded, and what could help.
func (r *CoverageReasons) unsuccessful(op *record.OperationCoverage) string {
	var all []string
	for i, one := range op.Unsuccessful {
		if i == mostStatuses {
			all = append(all, "and others")
			break
		}
		all = append(all, one.Name+" ("+text.Count(one.Count, "response")+")")
	}
	first := op.Unsuccessful[0].Name
	says := "never succeeded: " + strings.Join(all, ", ")
	switch first {
	case "401", "403":
		says += "; check the credentials"
	case "412", "428":
		says += "; " + first + " needs If-Match"
	}
	if quote := r.last[op.Operation+" "+first]; quote != "" {
		says += "; the last " + first + ": " + text.Elide(text.Visible(quote), longestQuote)
	}
	return says
}

// Status says why a documented response of an operation was not covered.
func (r *CoverageReasons) Status(op *record.OperationCoverage, one *record.ElementCoverage) string {
	success := strings.HasPrefix(one.Name, "2")
	switch {
	case one.Judgement().Judged():
		return ""
	case one.Judgement() == record.OnlySeen:
		return r.unjudged(op.Operation)
	case !op.Judgement().Judged() && (success || len(op.Unsuccessful) == 0):
		return r.Operation(op)
	case one.Name == "default":
		return "no response had a status that is not documented otherwise"
	case strings.HasPrefix(one.Name, "5"):
		return "no response had it: a run does not provoke server errors"
	case one.Name == "429":
		return "no response had it: a run does not provoke it"
	}
	return "no response had it" + r.leftOutToo(op.Operation)
}

// leftOutToo adds to a reason what else was not asked of an operation.
func (r *CoverageReasons) leftOutToo(id string) string {
	switch {
	case len(r.skipped[id]) > 0:
		return "; scenarios were skipped: " + commonest(r.skipped[id])
	case r.leftOut[id]:
		return "; cases were left out by the budget"
	}
	return ""
}

// Parameter says why a parameter of an operation was not covered.
func (r *CoverageReasons) Parameter(op *record.OperationCoverage, one *record.ElementCoverage) string {
	switch {
	case one.Judgement().Judged():
		return ""
	case !op.Judgement().Judged():
		return r.Operation(op)
	case one.Judgement() == record.OnlySeen:
		return "no request with it succeeded, and was judged, with a valid value"
	}
	return "no request had it" + r.leftOutToo(op.Operation)
}

// MediaType says why a media type of an operation was not covered.
func (r *CoverageReasons) MediaType(op *record.OperationCoverage, one *record.ElementCoverage) string {
	if one.Judgement().Judged() {
		return ""
	}
	if strings.HasPrefix(one.Name, coverage.Requested) {
		return r.Parameter(op, one)
	}
	key, _, _ := strings.Cut(one.Name, " ")
	for i := range op.Statuses {
		if status := &op.Statuses[i]; status.Name == key && !status.Judgement().Judged() {
			return r.Status(op, status)
		}
	}
	if one.Judgement() == record.OnlySeen {
		return r.unjudged(op.Operation)
	}
	return "no response had it"
}

// Schema says why nothing of a schema was covered; it is empty if its body or parameter was.
func (r *CoverageReasons) Schema(op *record.OperationCoverage, s *record.SchemaCoverage) string {
	for _, of := range []struct {
		all    []record.ElementCoverage
		reason func(*record.OperationCoverage, *record.ElementCoverage) string
	}{{op.Media, r.MediaType}, {op.Parameters, r.Parameter}} {
		for i := range of.all {
			if of.all[i].Name == s.Of {
				return of.reason(op, &of.all[i])
			}
		}
	}
	return ""
}
