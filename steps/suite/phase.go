package suite

// A store shows some things only while it is small, others only when it is full. So scenarios run in phases, by the tag
// of their feature; within a phase they run in any order and at the same time.
const (
	// PhaseFirst needs a store that is empty, or small: one at a time, in the order of the files, beside what is answered alike whatever the
	// store holds. What is derived follows, the resources of different families side by side.
	PhaseFirst = "@phase:first"
	// PhaseAny is for what is answered alike whatever the store holds, and writes nothing: beside the other phases, up to the last one. What
	// asks about one resource begins when one was created.
	PhaseAny = "@phase:any"
	// PhaseSmall needs a store that may still fit into one list, after all that the run creates by the way; in order too.
	PhaseSmall = "@phase:small"
	// PhaseFilling creates much, whatever the store holds: before what needs them begins, which so creates few.
	PhaseFilling = "@phase:filling"
	// PhaseStocked needs a store that holds more than a list may show.
	PhaseStocked = "@phase:stocked"
	// PhaseLast looks back at the whole run.
	PhaseLast = "@phase:last"
	// PhaseEnd comes after all others, and asks about what they found.
	PhaseEnd = "@phase:end"

	// AtOnce marks the scenarios of a Gherkin Rule that may be played at the same time in a phase that has an order, and derived scenarios
	// whatever their rule: see [Derived].
	AtOnce = "@at-once"
	// Derived marks the scenarios that follow from the contract.
	Derived = "@derived"
)

// Together returns which of the chosen scenarios are played next in a phase that has an order: all up to the first that may be
// played at the same time as its neighbours, or such neighbours, and then atOnce is true.
func (s *Suite) Together(chosen func(*Scenario) bool) (ids map[string]bool, atOnce bool) {
	ids = map[string]bool{}
	var first *Scenario
	for _, f := range s.Features {
		for _, p := range f.Scenarios {
			switch {
			case !chosen(p):
				continue
			case first == nil:
				first, atOnce = p, p.Has(AtOnce)
			case atOnce && !first.runsWith(p), !atOnce && p.Has(AtOnce):
				return ids, atOnce
			}
			ids[p.ID()] = true
		}
	}
	return ids, atOnce
}

// runsWith reports whether another scenario may be played at the same time as one that may be played so.
func (p *Scenario) runsWith(other *Scenario) bool {
	sameRule := other.URI == p.URI && other.Sentence == p.Sentence
	return other.Has(AtOnce) && (sameRule || p.Has(Derived) && other.Has(Derived))
}

// Phase returns the tag of the phase that a scenario belongs to; empty for none.
func (p *Scenario) Phase() string {
	for _, phase := range []string{PhaseAny, PhaseFirst, PhaseSmall, PhaseFilling, PhaseStocked, PhaseLast, PhaseEnd} {
		if p.Has(phase) {
			return phase
		}
	}
	return ""
}
