package prove

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// cover chooses few scenarios such that for each fault that was diagnosed, one of them finds the fault's own rule
// broken, and returns them with the faults that each is the first to find. The given scenarios are among them. It is
// greedy: it takes the scenario that finds most of the remaining faults for its requests, and in the end removes
// those that the others made superfluous. Faults that show before the first scenario need none.
func cover(outcomes []Outcome, asks map[string]work, given ...string) map[string][]string {
	finders, found := map[string][]string{}, map[string][]string{}
	for _, o := range outcomes {
		if o.Kind != Fault || !o.Diagnosed {
			continue
		}
		for _, id := range o.finders {
			if _, is := asks[id]; is {
				finders[o.Name], found[id] = append(finders[o.Name], id), append(found[id], o.Name)
			}
		}
	}
	chosen, left := slices.Clone(given), maps.Clone(finders)
	for _, id := range given {
		for _, name := range found[id] {
			delete(left, name)
		}
	}
	for len(left) > 0 {
		finds := func(id string) (n int) {
			for _, name := range found[id] {
				if _, open := left[name]; open {
					n++
				}
			}
			return n
		}
		best := slices.MinFunc(slices.Collect(maps.Keys(found)), func(a, b string) int {
			return cmp.Or(cmp.Compare(finds(b)*asks[a].requests, finds(a)*asks[b].requests), cmp.Compare(finds(b), finds(a)), cmp.Compare(a, b))
		})
		chosen = append(chosen, best)
		for _, name := range found[best] {
			delete(left, name)
		}
	}
	for _, id := range slices.Clone(chosen[len(given):]) { // the first were chosen when nothing else was
		others := slices.DeleteFunc(slices.Clone(chosen), func(other string) bool { return other == id })
		if !slices.ContainsFunc(found[id], func(name string) bool {
			return !slices.ContainsFunc(finders[name], func(f string) bool { return slices.Contains(others, f) })
		}) {
			chosen = others
		}
	}
	all := map[string][]string{}
	for _, id := range given {
		all[id] = []string{}
	}
	for _, name := range slices.Sorted(maps.Keys(finders)) {
		ids := finders[name]
		first := slices.IndexFunc(chosen, func(id string) bool { return slices.Contains(ids, id) })
		all[chosen[first]] = append(all[chosen[first]], name)
	}
	return all
}

// work is what a scenario cost on the clean service: its requests, and how many of them created something.
type work struct{ requests, creations int }

// workOf returns the work of each scenario on the clean service.
func workOf(outcomes []Outcome) map[string]work {
	all := map[string]work{}
	for _, o := range outcomes {
		for _, s := range o.scenarios {
			if !s.Preflight() {
				all[s.ID] = work{len(s.Exchanges), o.creations[s.ID]}
			}
		}
	}
	return all
}

// createdShare is how much of all that the whole suite creates the quick part has to create, in percent.
const createdShare = 70

// creators returns scenarios that together create their share. Those that create most for their requests come first.
func creators(all map[string]work) []string {
	whole := 0
	var ids []string
	for id, w := range all {
		if whole += w.creations; w.creations > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b].creations*all[a].requests, all[a].creations*all[b].requests), cmp.Compare(a, b))
	})
	created := 0
	for i, id := range ids {
		if 100*created >= createdShare*whole {
			return ids[:i]
		}
		created += all[id].creations
	}
	return ids
}

// oneAtATime judges the clean service and the diagnosed faults again, running one scenario at a time. Such a run finds
// the same each time, so the quick part that is chosen from it does not depend on which of several scenarios meets a
// fault first. A fault that is not diagnosed this way keeps its outcome.
func oneAtATime(ctx context.Context, p *Prover, outcomes []Outcome) ([]Outcome, error) {
	one := *p
	one.Concurrency, one.Seeds = 1, 1
	all := slices.Clone(outcomes)
	var places []int
	var cases []Case
	for i, o := range outcomes {
		if o.Kind == Clean || o.Kind == Fault && o.Diagnosed {
			places, cases = append(places, i), append(cases, o.Case)
		}
	}
	judged, err := one.Run(ctx, cases, false, nil)
	if err != nil {
		return nil, err
	}
	for i, o := range judged {
		if o.OK {
			all[places[i]] = o
		}
	}
	return all, nil
}

// maxRounds is how often the quick part is extended for what it does not find.
const maxRounds = 10

// quickRounds is how often the quick part has to find a fault, each time with the scenarios in another order: a
// fault that is found only sometimes, because a run happens to create enough, counts as missed. The scenarios run
// one at a time, so that the figures do not depend on chance.
const quickRounds = 3

// quicken finds the part of the suite that [cover] chooses, and verifies it: all faults and freedoms are judged by
// that part alone. It holds the scenarios that create most with few requests, since some faults show only in a store
// that holds much. For a fault that shows only together with other scenarios, another scenario that found it is
// added, starting with the last, since most of the run preceded it. Scenarios that do not help are removed again,
// and the fault is named.
func quicken(ctx context.Context, p *Prover, outcomes []Outcome) (*spec.Quick, error) {
	costs := workOf(outcomes)
	quick := &spec.Quick{Finds: cover(outcomes, costs, creators(costs)...)}
	finders := map[string][]string{} // by the names of the faults, in the order in which they ended
	var cases []Case
	for _, o := range outcomes {
		if o.Kind == Freedom && o.OK || o.Kind == Fault && o.Diagnosed {
			cases = append(cases, o.Case)
		}
		finders[o.Name] = o.finders
	}
	one := *p
	one.Short, one.Concurrency = true, 1
	play := func(cases []Case) (missed []Case, err error) {
		one.Selection = suite.Selection{Quick: slices.Sorted(maps.Keys(quick.Finds))}
		quick.Found, quick.Accepted = 0, 0
		for round := 0; round < quickRounds && len(cases) > 0 && err == nil; round++ {
			one.Seed = p.Seed + int64(round)
			var judged []Outcome
			judged, err = one.Run(ctx, cases, false, nil)
			var found []Case
			for i, o := range judged {
				switch {
				case o.OK && o.Kind == Fault:
					found = append(found, cases[i])
				case o.OK:
					quick.Accepted++
				case o.Kind == Fault:
					missed = append(missed, cases[i])
				}
			}
			cases, quick.Found = found, len(found)
		}
		return missed, err
	}
	missed, err := play(cases)
	found, accepted, extended, left := quick.Found, quick.Accepted, false, missed
	for round := 0; round < maxRounds && len(left) > 0 && err == nil; round++ {
		before, added := len(left), map[string]string{}
		for _, c := range left {
			for _, id := range slices.Backward(finders[c.Name]) {
				if _, asked := costs[id]; asked && quick.Finds[id] == nil {
					quick.Finds[id], added[c.Name] = []string{c.Name}, id
					break
				}
			}
		}
		left, err = play(left)
		extended = extended || len(left) < before
		for _, c := range left {
			delete(quick.Finds, added[c.Name])
			finders[c.Name] = slices.DeleteFunc(slices.Clone(finders[c.Name]), func(id string) bool { return id == added[c.Name] })
		}
	}
	if quick.Found, quick.Accepted = found, accepted; extended && err == nil {
		missed, err = play(cases)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range missed {
		quick.Missed = append(quick.Missed, c.Name)
	}
	return quick, weigh(ctx, p, outcomes, quick)
}

// weigh measures the cost of the whole suite and of the part that was found, on the clean service, one after the
// other.
func weigh(ctx context.Context, p *Prover, outcomes []Outcome, quick *spec.Quick) error {
	i := slices.IndexFunc(outcomes, func(o Outcome) bool { return o.Kind == Clean })
	if i < 0 {
		return nil
	}
	for _, of := range []struct {
		part suite.Selection
		work *spec.Work
	}{{suite.Selection{Quick: slices.Sorted(maps.Keys(quick.Finds))}, &quick.Part}, {p.Selection, &quick.Whole}} {
		began := time.Now()
		rec, err := p.play(ctx, outcomes[i].Case, 0, of.part)
		if err != nil {
			return err
		}
		*of.work = spec.Work{Scenarios: rec.Played(), Exchanges: len(rec.Exchanges), Milliseconds: time.Since(began).Milliseconds()}
	}
	return nil
}
