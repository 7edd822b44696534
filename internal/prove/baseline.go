package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// worse says where a proof falls behind an earlier one: the figures may only improve, and earlier exceptions may
// still be exceptions, but nothing else. Which rule leads, and the number of causes that a fault is reported as,
// may depend on chance, so only LedAtLeast and OneCauseAtLeast of these are required.
func worse(before, now spec.Proven) []string {
	var all []string
	less := func(what string, was, is int) {
		if is < was {
			all = append(all, fmt.Sprintf("%s: %d, and %d before", what, is, was))
		}
	}
	less("faults", before.Faults, now.Faults)
	less("faults killed", before.Killed, now.Killed)
	less("faults diagnosed", before.Diagnosed, now.Diagnosed)
	less("faults whose own rule leads", before.LedAtLeast, now.Leading)
	less("faults reported as one cause", before.OneCauseAtLeast, now.OneCause)
	less("freedoms", before.Freedoms, now.Freedoms)
	less("freedoms accepted", before.Accepted, now.Accepted)
	if before.Quick != nil && now.Quick != nil {
		less("faults that the quick part finds", before.Quick.Found, now.Quick.Found)
		less("freedoms that the quick part accepts", before.Quick.Accepted, now.Quick.Accepted)
	}
	fresh := func(what string, was, is []string) {
		for _, name := range is {
			if !slices.Contains(was, name) {
				all = append(all, fmt.Sprintf("%s: %s, unlike before", what, name))
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

// tolerance is by how many faults two proofs of one suite may differ in the leading rules and in those reported as one
// cause: one in a hundred.
func tolerance(p spec.Proven) int { return (p.Faults + 99) / 100 }

// tighten returns the figures to keep after an earlier proof: the minimum for leading rules never decreases.
func tighten(before, now spec.Proven) spec.Proven {
	now.LedAtLeast = max(before.LedAtLeast, now.Leading-tolerance(now))
	now.OneCauseAtLeast = max(before.OneCauseAtLeast, now.OneCause-tolerance(now))
	return now
}

// fillIn returns the figures of a short proof, with the kept values for those that it does not measure.
func fillIn(now, kept spec.Proven) spec.Proven {
	now.Leading, now.LedAtLeast, now.Misled = kept.Leading, kept.LedAtLeast, kept.Misled
	now.OneCause, now.OneCauseAtLeast, now.Several = kept.OneCause, kept.OneCauseAtLeast, kept.Several
	now.Idle, now.Quick = kept.Idle, kept.Quick
	return now
}

// stale returns the part of a kept proof that does not belong to the present suite, or "".
func stale(kept, now spec.Proven) string {
	var changed []string
	for _, x := range []struct{ what, was, is string }{
		{"contract", kept.Contract, now.Contract}, {"rules", kept.Catalogue, now.Catalogue}, {"features", kept.Features, now.Features},
	} {
		if x.was != x.is {
			changed = append(changed, x.what)
		}
	}
	return strings.Join(changed, " and ")
}
