package html

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// timeline says in words what script.js draws: when each exchange was under way, in which phase, and what was repeated.
type timeline struct {
	Phases []phase
	Says   visible
}

// timelineOf returns an empty timeline for records without times.
func timelineOf(p *page) timeline {
	rec := p.view.Record
	var t timeline
	most, delayed := 0, 0
	var ends []time.Duration
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if ex.Started.IsZero() || rec.Started.IsZero() {
			return t
		}
		if ex.Delays > 0 {
			delayed++
		}
		from := p.since(ex.Started)
		ends = slices.DeleteFunc(ends, func(end time.Duration) bool { return end <= from })
		ends = append(ends, from+ex.Elapsed)
		most = max(most, len(ends))
	}
	if most == 0 {
		return t
	}
	t.Phases = phasesOf(p)
	says := text.Count(len(rec.Exchanges), "exchange") + ", at most " + text.Number(most) + " at once"
	if n := len(t.Phases); n > 1 {
		says += ", in " + text.Count(n, "phase")
	}
	if delayed > 0 {
		says += "; " + text.Number(delayed) + " sent again after the service had asked to come back later"
	}
	if n := replayed(rec); n > 0 {
		says += "; " + text.Count(n, "scenario") + " repeated after an exchange was lost"
	}
	t.Says = visible(says + ".")
	return t
}

// phasesOf returns the rounds of the run, and the time before them.
func phasesOf(p *page) []phase {
	by := map[int]*phase{}
	for i := range p.view.Record.Scenarios {
		sc := &p.view.Record.Scenarios[i]
		if sc.Round <= 0 || sc.Started.IsZero() || len(sc.Exchanges) == 0 {
			continue // not played, or beside several rounds
		}
		from, to := p.since(sc.Started).Microseconds(), p.since(sc.Started.Add(sc.Elapsed)).Microseconds()
		one := by[sc.Round]
		if one == nil {
			one = &phase{Name: "phase " + strconv.Itoa(sc.Round), From: from, To: to}
			by[sc.Round] = one
		}
		one.From, one.To, one.Count = min(one.From, from), max(one.To, to), one.Count+1
	}
	var all []phase
	for _, one := range by {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(x, y phase) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.Name, y.Name)) })
	return all
}

func replayed(rec *record.Record) int {
	n := 0
	for i := range rec.Scenarios {
		if rec.Scenarios[i].Replays > 0 {
			n++
		}
	}
	return n
}
