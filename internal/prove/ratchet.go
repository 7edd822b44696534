package prove

import (
	"fmt"
	"slices"

	"hallmark/spec"
)

// Worse says in what a proof falls behind an earlier one: the figures may only improve, and what was an exception then may
// be one now, but nothing else. Which rule leads may depend on chance, so of these the number counts, with some room.
func Worse(before, now spec.Proven) []string {
	var all []string
	less := func(what string, was, is int) {
		if is < was {
			all = append(all, fmt.Sprintf("%s: %d, and %d before", what, is, was))
		}
	}
	less("faults", before.Faults, now.Faults)
	less("faults killed", before.Killed, now.Killed)
	less("faults diagnosed", before.Diagnosed, now.Diagnosed)
	less("faults whose own rule leads", before.Leading-room(before), now.Leading)
	less("freedoms", before.Freedoms, now.Freedoms)
	less("freedoms accepted", before.Accepted, now.Accepted)
	fresh := func(what string, was, is []string) {
		for _, name := range is {
			if !slices.Contains(was, name) {
				all = append(all, fmt.Sprintf("%s: %s, which was not so before", what, name))
			}
		}
	}
	fresh("survives", before.Survived, now.Survived)
	fresh("is misdiagnosed", before.Misdiagnosed, now.Misdiagnosed)
	fresh("is accused", before.Accused, now.Accused)
	fresh("has no fault", before.Uncovered, now.Uncovered)
	fresh("kills nothing", before.Idle, now.Idle)
	return all
}

// room is how many leading rules may differ from one proof to the next: one in a hundred.
func room(p spec.Proven) int { return (p.Faults + 99) / 100 }
