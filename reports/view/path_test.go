package view_test

import (
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Two scenarios of a round count once, the longer one; what overlapped within a scenario is no chain; rounds add up, and what was asked
// beside the scenarios with them.
func TestCriticalPath(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rec := &record.Record{Started: at, Ended: at.Add(400 * time.Millisecond)}
	ask := func(begin, end int) int {
		seq := len(rec.Exchanges) + 1
		rec.Exchanges = append(rec.Exchanges, spec.Exchange{
			Seq: seq, Started: at.Add(time.Duration(begin) * time.Millisecond), Elapsed: time.Duration(end-begin) * time.Millisecond,
		})
		return seq
	}
	scenario := func(id string, round int, exchanges ...int) {
		rec.Scenarios = append(rec.Scenarios, record.Scenario{ID: id, Round: round, Exchanges: exchanges})
	}
	ask(0, 20) // the preflight's
	scenario("a", 1, ask(20, 40), ask(40, 60), ask(60, 80))
	scenario("b", 1, ask(20, 40), ask(20, 50), ask(40, 60), ask(45, 79)) // 20 to 40, then 45 to 79
	scenario("c", 2, ask(100, 140), ask(141, 190))
	scenario("none", 0)
	p := view.CriticalPath(rec)
	if want := (view.Chain{Exchanges: 6, Took: 169 * time.Millisecond}); p.Whole != want || len(p.Links) != 3 {
		t.Errorf("%+v, want %+v", p, want)
	}
	if said := p.Sentence(); said != "6 of 10 exchanges came one after another; they took 0.2 s of 0.4 s (42 %). "+
		"Most of them: 2 in c, 3 in a, 1 outside the scenarios" {
		t.Error(said)
	}
	scenario("beside", record.Beside, ask(20, 100))
	if got := view.CriticalPath(rec); got.Whole != p.Whole {
		t.Errorf("what was played beside the rounds, and no longer than they, makes it %+v", got.Whole)
	}
	scenario("longer", record.Beside, ask(20, 200))
	if got := view.CriticalPath(rec); len(got.Links) != 1 || got.Links[0].Scenario != "longer" {
		t.Errorf("what was played beside the rounds, and longer than they: %+v", got)
	}
	rec.Shards = []record.Part{{}}
	if said := view.CriticalPath(rec).Sentence(); said != "" {
		t.Errorf("shards: %s", said)
	}
	rec.Shards, rec.Scenarios = nil, rec.Scenarios[3:]
	if said := view.CriticalPath(rec).Sentence(); said != "" {
		t.Errorf("no rounds: %s", said)
	}
}
