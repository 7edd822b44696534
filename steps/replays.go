package steps

import (
	"context"
	"sync"

	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// A scenario whose exchange was lost is played again from its beginning, with names of its own. A creation of which nobody
// knows what became is never sent once more by itself.

// playWhole runs the chosen scenarios like play, and plays again what was lost: where the order counts at once, else when
// the others are done.
func (r *engine) playWhole(ctx context.Context, v *formSet, chosen func(*suite.Scenario) bool, ordered bool, done func(context.Context, error)) error {
	var mu sync.Mutex
	left, lost := map[string]bool{}, map[string]*scenario.Attempts{}
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if r.chosen.Run[p.ID()] != nil && chosen(p) {
				left[p.ID()] = true
			}
		}
	}
	for len(left) > 0 {
		interrupted, ended := false, 0
		err := r.play(ctx, v, func(p *suite.Scenario) bool {
			mu.Lock()
			defer mu.Unlock()
			return left[p.ID()] && (!ordered || !interrupted) && chosen(p)
		}, ordered, func(s *scenario.Scenario) {
			mu.Lock()
			defer mu.Unlock()
			s.Resume(lost[s.ID()])
		}, func(ctx context.Context, err error) {
			s := scenario.From(ctx)
			if s == nil {
				return
			}
			again := s.PlaysAgain(ctx)
			mu.Lock()
			ended++
			if again {
				interrupted = true
				lost[s.ID()] = s.Attempts()
			} else {
				delete(left, s.ID())
			}
			mu.Unlock()
			if again {
				s.RecordExchanges()
			} else {
				done(ctx, err)
			}
		})
		if err != nil || ended == 0 {
			return err
		}
	}
	return nil
}
