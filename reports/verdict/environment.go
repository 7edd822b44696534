package verdict

import (
	"slices"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// excuseEnvironment excuses the causes that rest only on responses 502, 503 or 504 whose requests got other responses when repeated. Causes
// that were not repeated are excused together with those that changed. causes[i] is the cause of defects[i].
func excuseEnvironment(rec *record.Record, causes []Cause, defects []*defect, g *ExchangeIndex) {
	var open []*Cause
	moved := false
	for i, d := range defects {
		c := &causes[i]
		if slices.ContainsFunc(d.items, func(it *item) bool { return !g.fromGateway(it) }) {
			continue
		}
		switch {
		case c.Confirmation.Intermittent():
			c.Environment, moved = true, true
		case c.Confirmation == nil || c.Confirmation.Tries == 0:
			open = append(open, c)
		}
	}
	for _, c := range open {
		c.Environment = moved
	}
	for i := range causes {
		c := &causes[i]
		c.Excused = c.Excused || c.Environment && (c.Level != spec.Should || rec.Options.Strict)
	}
}

// fromEnvironment returns the number of responses 502, 503 and 504 in a run whose environment sent some. only reports whether nothing else
// is excused.
func (r *Result) fromEnvironment(rec *record.Record) (responses int, only bool) {
	is := false
	only = true
	for i := range r.Causes {
		is = is || r.Causes[i].Environment
		only = only && (r.Causes[i].Environment || !r.Causes[i].Excused)
	}
	if !is {
		return 0, only
	}
	for i := range rec.Exchanges {
		if response := rec.Exchanges[i].Response; response != nil && response.FromGateway() {
			responses++
		}
	}
	return responses, only
}

// mostEnvironment limits the share of responses that may come from the environment: one in mostEnvironment. With more, next to nothing is
// known about the target.
const mostEnvironment = 20

// fromGateway reports whether a finding cites a response 502, 503 or 504.
func (g *ExchangeIndex) fromGateway(it *item) bool {
	return slices.ContainsFunc(it.Exchanges, func(seq int) bool {
		ex := g.by[seq]
		return ex != nil && ex.Response != nil && ex.Response.FromGateway()
	})
}
