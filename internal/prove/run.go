package prove

import (
	"context"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// How often a case is judged.
const (
	// softTries is the number of attempts at a chance fault before it counts as survived.
	softTries = 3
	// HardTries is the number of times chance faults are judged in a hard proof.
	HardTries = 20
	// hardHits is the minimum number of these with the expected result.
	hardHits = 19
)

// Run judges the cases, several at a time, and reports each when it is done. If hard is set, chance faults and freedoms are judged
// repeatedly. The outcomes are in the order of the cases. It fails if the context ends.
func (p *Prover) Run(ctx context.Context, cases []Case, hard bool, report func(o Outcome)) ([]Outcome, error) {
	out, clean := make([]Outcome, len(cases)), cleanOutcome(ctx, p, cases, hard)
	queue := make(chan []int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range max(p.Workers, 1) {
		wg.Go(func() {
			for unit := range queue {
				judged := p.judgeUnit(ctx, cases, unit, hard, clean)
				mu.Lock()
				for n, i := range unit {
					out[i] = judged[n]
					if report != nil && ctx.Err() == nil {
						report(judged[n])
					}
				}
				mu.Unlock()
			}
		})
	}
	for _, unit := range units(p, cases, hard) {
		if ctx.Err() != nil {
			break
		}
		queue <- unit
	}
	close(queue)
	wg.Wait()
	return out, ctx.Err()
}

// judgeUnit judges the cases that belong to one service; see [units].
func (p *Prover) judgeUnit(ctx context.Context, cases []Case, unit []int, hard bool, clean func() Outcome) []Outcome {
	if len(unit) > 1 {
		chosen := make([]Case, 0, len(unit))
		for _, i := range unit {
			chosen = append(chosen, cases[i])
		}
		return judgeTogether(ctx, p, chosen, clean)
	}
	if c := cases[unit[0]]; c.Kind != Clean {
		return []Outcome{p.repeat(ctx, c, hard)}
	}
	return []Outcome{clean()}
}

// repeat judges a case as often as necessary.
func (p *Prover) repeat(ctx context.Context, c Case, hard bool) Outcome {
	tries, needed := 1, 1
	switch {
	case hard && c.Kind == Fault && c.Chance:
		tries, needed = HardTries, hardHits
	case hard && c.Kind != Fault:
		tries, needed = HardTries, HardTries
	case c.Kind == Fault && c.Chance:
		tries = softTries
	}
	// Which rule leads is compared over seeds unless it depends on chance.
	if c.Kind == Fault && !c.Chance && p.Seeds > 1 {
		return p.compareLeads(ctx, c)
	}
	var sum Outcome
	hits, missed := 0, 0
	for try := range tries {
		o := p.attempt(ctx, c, try)
		hits += o.Hits
		if o.Hits == 0 {
			missed++
		}
		// Keep the most informative outcome: in a hard proof the first unexpected one, otherwise the first expected one.
		if try == 0 || hard && sum.OK && !o.OK || !hard && !sum.OK {
			sum = o
		}
		sum.Tries, sum.Hits = try+1, hits
		if ctx.Err() != nil || !hard && hits >= needed || missed > tries-needed {
			break
		}
	}
	sum.OK = sum.Hits >= needed
	return sum
}

// compareLeads judges a fault with several seeds. The outcome is that of the first, with all rules that led.
func (p *Prover) compareLeads(ctx context.Context, c Case) Outcome {
	var sum Outcome
	for try := range p.Seeds {
		o := p.attempt(ctx, c, try)
		if try == 0 {
			sum = o
			sum.Hits = 0
		}
		if ctx.Err() != nil {
			break
		}
		if !slices.Contains(sum.Leads, o.Lead) {
			sum.Leads = append(sum.Leads, o.Lead)
		}
		sum.OK = sum.OK && o.OK
		sum.Killed, sum.Diagnosed = sum.Killed && o.Killed, sum.Diagnosed && o.Diagnosed
		sum.Leading = sum.Leading && o.Leading
		if len(o.Causes) > len(sum.Causes) {
			sum.Causes = o.Causes
		}
		sum.Tries, sum.Hits = try+1, sum.Hits+o.Hits
	}
	return sum
}

// runFilled judges the cases on stores with preload resources.
func (p *Prover) runFilled(ctx context.Context, cases []Case, preload int, report func(o Outcome)) (Filled, error) {
	one := *p
	one.Preload, one.Short = preload, true // only the findings are reported
	outcomes, err := one.Run(ctx, cases, false, report)
	f := Filled{Preload: preload, Outcomes: outcomes}
	for _, o := range outcomes {
		switch {
		case o.Kind != Fault:
			f.Freedoms++
			if o.OK {
				f.Accepted++
			}
			continue
		case o.Diagnosed:
			f.Killed++
		case o.Own == verdict.NotExercised:
			f.NotExercised++
		default:
			f.Conform++
		}
		f.Faults++
	}
	return f, err
}
