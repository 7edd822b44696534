package petstore

import (
	"context"
	"fmt"
	"strconv"

	"hallmark/steps/scenario"
)

// Steps that need a store of some size. Only what is missing is created.

// givenStock is "the store holds more than 20 animals[ with status sold]".
func givenStock(ctx context.Context, s *scene, than, status string) error {
	n, err := strconv.Atoi(than)
	if err != nil {
		return err
	}
	r := s.pets
	enough := func() bool {
		all, byStatus := r.memory.Known()
		if status == "" {
			return all > n
		}
		return byStatus[status] > n
	}
	if enough() {
		return nil
	}
	select {
	case r.stocking <- struct{}{}: // so that scenarios which need the same do not each create it
		defer func() { <-r.stocking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if enough() {
		return nil
	}
	look := r.terms.AllLists()
	if status != "" {
		look = []string{status}
	}
	for _, st := range look {
		if _, err := longestList(ctx, s, st); err != nil {
			return err
		}
		if enough() {
			return nil
		}
	}
	what := fmt.Sprintf("more than %d animals", n)
	if status != "" {
		what += " with status " + status
	}
	if r.Target.ReadOnly {
		return scenario.Stopf("the run is read-only, and the store is not known to hold %s", what)
	}
	for tries := 0; !enough(); tries++ {
		if tries > n+1 {
			return scenario.Stopf("%d creations did not bring the store to %s", tries, what)
		}
		var a *scenario.Answer
		if err := s.Anew(ctx, func() (err error) {
			a, err = createPet(ctx, s, scarcestStatus(r, status))
			return err
		}); err != nil {
			return err
		}
		if _, ok := madeBy(a); !ok {
			return scenario.Stopf("createPet did not answer with an animal")
		}
	}
	return nil
}

// scarcestStatus is the status to create next: the one that was asked for, or the one that the fewest animals carry, so that
// what one scenario creates serves the others.
func scarcestStatus(p *pets, status string) string {
	if status != "" {
		return status
	}
	_, byStatus := p.memory.Known()
	best := ""
	for i, st := range p.terms.Statuses() {
		if i == 0 || byStatus[st] < byStatus[best] {
			best = st
		}
	}
	return best
}
