package html

import (
	"cmp"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// suite describes the suite of the run, and what it was proven to detect.
type suite struct {
	Facts  []fact
	Proof  []figure
	Shards []fact
}

type fact struct {
	Name  string
	Value visible
	Code  bool
}

// figure is a part of a whole.
type figure struct {
	Says        string
	Part, Whole int
	Width       float64
}

func suiteOf(p *page) suite {
	rec := p.view.Record
	var s suite
	add := func(name, value string, code bool) {
		if value != "" {
			s.Facts = append(s.Facts, fact{name, visible(value), code})
		}
	}
	add("hallmark", rec.Suite.Version, false)
	add("run", rec.ID, true)
	add("seed", p.view.Seed(), true)
	add("at once", cmp.Or(rec.Width.Sentence(), number(rec.Options.Concurrency, "request")), false)
	add("resources created", strconv.Itoa(created(rec))+atMost(rec.Options.MaxCreated), false)
	add("contract", rec.Suite.Contract, true)
	add("rules", rec.Suite.Catalogue, true)
	add("scenarios", rec.Suite.Features, true)
	if p.view.Contract == nil {
		add("contract's text", "not available: it is not the one built into this hallmark", false)
	}
	if rec.Options.Rerun != "" {
		add("command", rec.Options.Rerun, true)
	}
	for i, part := range rec.Shards {
		s.Shards = append(s.Shards, fact{"part " + strconv.Itoa(i+1), visible("seed " + strconv.FormatInt(part.Seed, 10) + ", " + text.Count(part.Scenarios, "scenario")), false})
	}
	if proof := rec.Proof; proof != nil && proof.Faults > 0 && !rec.Suite.ForeignContract() {
		s.Proof = []figure{
			figureOf("seeded faults found", proof.Killed, proof.Faults),
			figureOf("seeded faults reported under the rule that they break", proof.Diagnosed, proof.Faults),
			figureOf("legal freedoms accepted", proof.Accepted, proof.Freedoms),
			figureOf("must rules with a seeded fault", proof.WithFault, proof.MustRules),
		}
	}
	return s
}

func figureOf(says string, part, of int) figure {
	f := figure{Says: says, Part: part, Whole: of}
	if of > 0 {
		f.Width = round(100 * float64(part) / float64(of))
	}
	return f
}

func created(rec *record.Record) int {
	n := 0
	for _, a := range rec.Created {
		if a.Fate == record.Created || a.Fate == record.Removed {
			n++
		}
	}
	return n
}

func atMost(n int) string {
	if n == 0 {
		return ""
	}
	return " of at most " + text.Number(n)
}

func number(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}
