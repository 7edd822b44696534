package suite

// A service shows some things only while its store is small, others only when it is full. So scenarios run in phases, selected by a tag of
// their feature. Within a phase they run in any order and concurrently.
const (
	// PhaseFirst needs a store that is empty or small. Its scenarios run one at a time, in file order, alongside those that do not depend
	// on stored data; those of a Gherkin Rule that only read run concurrently. Derived scenarios follow, concurrently for resources of
	// different families.
	PhaseFirst = "@phase:first"
	// PhaseAny marks read-only scenarios that do not depend on stored data. They run alongside the other phases, except the last. Scenarios
	// about a single resource begin once one was created.
	PhaseAny = "@phase:any"
	// PhaseSmall needs a store that may still fit into one list, after everything that the run creates incidentally. It has an order, too.
	PhaseSmall = "@phase:small"
	// PhaseFilling creates many resources, whatever the store holds. It precedes the scenarios that need them, which then have to create
	// few.
	PhaseFilling = "@phase:filling"
	// PhaseStocked needs a store with more resources than a list may show.
	PhaseStocked = "@phase:stocked"
	// PhaseLast looks back at the whole run.
	PhaseLast = "@phase:last"
	// PhaseEnd comes after all others and examines what they found.
	PhaseEnd = "@phase:end"

	// AtOnce marks scenarios that may run concurrently with their neighbours that have it too, in a phase that has an order.
	AtOnce = "@at-once"
	// Derived marks the scenarios derived from the contract.
	Derived = "@derived"
	// ReadOnly marks the scenarios that create and change nothing.
	ReadOnly = "@read-only"
)

// Together returns the chosen scenarios to be played next in a phase that has an order: either all up to the first that may run
// concurrently with its neighbours, or such neighbours, in which case atOnce is true. Scenarios of a Gherkin Rule that only read may.
func (s *Suite) Together(chosen func(*Scenario) bool) (ids map[string]bool, atOnce bool) {
	ids = map[string]bool{}
	var first *Scenario
	for _, f := range s.Features {
		for _, p := range f.Scenarios {
			switch {
			case !chosen(p):
				continue
			case first == nil:
				first, atOnce = p, p.mayBeAtOnce()
			case atOnce && !first.runsWith(p), !atOnce && p.mayBeAtOnce():
				return ids, atOnce
			}
			ids[p.ID()] = true
		}
	}
	return ids, atOnce
}

// runsWith reports whether another scenario may run concurrently with p, which may run concurrently.
func (p *Scenario) runsWith(other *Scenario) bool {
	if p.Has(AtOnce) || other.Has(AtOnce) { // what may run concurrently only because it reads does not run beside what writes
		return p.Has(AtOnce) && other.Has(AtOnce) && p.Has(Derived) == other.Has(Derived)
	}
	sameRule := other.URI == p.URI && other.Sentence == p.Sentence
	return other.mayBeAtOnce() && (sameRule || p.Has(Derived) && other.Has(Derived))
}

// mayBeAtOnce reports whether the scenario may run concurrently with others in a phase that has an order.
func (p *Scenario) mayBeAtOnce() bool { return p.Has(AtOnce) || p.Has(ReadOnly) }

// Phase returns the tag of the scenario's phase, or "".
func (p *Scenario) Phase() string {
	for _, phase := range []string{PhaseAny, PhaseFirst, PhaseSmall, PhaseFilling, PhaseStocked, PhaseLast, PhaseEnd} {
		if p.Has(phase) {
			return phase
		}
	}
	return ""
}
