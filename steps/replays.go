package steps

import (
	"context"
	"errors"
	"slices"
	"sync"

	"hallmark/spec"
	"hallmark/steps/suite"
)

// A scenario whose exchange was lost is played again from its beginning, with names of its own. A creation of which nobody
// knows what became is never sent once more by itself.

// maxReplays is how often a scenario, or a part of one, is played again, maxSilentReplays the same where a response took too
// long.
const maxReplays, maxSilentReplays = 6, 1

// attempts are what is left of a scenario that was lost, perhaps several times.
type attempts struct {
	times     int
	exchanges []int
	// findings were made before the loss: they stand, whether the next time shows them again or not.
	findings []spec.Finding
	lost     string
}

// playWhole runs the chosen scenarios like play, and plays again what was lost: where the order counts at once, else when
// the others are done.
func (r *run) playWhole(ctx context.Context, v *vocabulary, chosen func(*suite.Scenario) bool, ordered bool, done func(context.Context, error)) error {
	var mu sync.Mutex
	left, lost := map[string]bool{}, map[string]*attempts{}
	for _, f := range r.Suite.Features {
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
		}, ordered, func(s *scenario) {
			mu.Lock()
			defer mu.Unlock()
			s.before = lost[s.id()]
		}, func(ctx context.Context, err error) {
			s := from(ctx)
			if s == nil {
				return
			}
			again := r.playsAgain(ctx, s)
			mu.Lock()
			ended++
			if again {
				interrupted = true
				lost[s.id()] = s.attempts()
			} else {
				delete(left, s.id())
			}
			mu.Unlock()
			if again {
				s.recordExchanges()
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

// playsAgain reports whether a scenario that ended is to be played again.
func (r *run) playsAgain(ctx context.Context, s *scenario) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := 0
	if s.before != nil {
		times = s.before.times
	}
	return s.losses > 0 && ctx.Err() == nil && times < s.mostReplays() && r.contact.Replay()
}

// mostReplays is how often what was lost is played again: a request that is never answered holds up the rest. The caller
// holds the lock.
func (s *scenario) mostReplays() int {
	if s.silent {
		return maxSilentReplays
	}
	return maxReplays
}

// attempts is what is left of a scenario that was lost now, and may have been before.
func (s *scenario) attempts() *attempts {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.joinAttempts()
	all := &attempts{times: 1, findings: s.findings, lost: s.lost}
	if s.before != nil {
		all.times += s.before.times
		all.exchanges = slices.Clone(s.before.exchanges)
	}
	for _, ex := range s.exchanges {
		all.exchanges = append(all.exchanges, ex.Seq)
	}
	return all
}

// joinAttempts adds the findings of the times before that did not show again. The caller holds the lock.
func (s *scenario) joinAttempts() {
	if s.before == nil {
		return
	}
	if s.lost == "" {
		s.lost = s.before.lost
	}
	for _, f := range s.before.findings {
		if !slices.ContainsFunc(s.findings, func(g spec.Finding) bool { return g.Rule == f.Rule && g.Cause == f.Cause }) {
			s.findings = append(s.findings, f)
		}
	}
}

// recordExchanges puts the scenario's exchanges into the record.
func (s *scenario) recordExchanges() {
	for _, ex := range s.exchanges {
		s.run.Recorder.AddExchange(s.run.masked(*ex))
	}
	s.letGo()
}

// anew plays a part of a scenario, and plays it again from its beginning when an exchange of it was lost. The part must
// not rest on what the scenario did before, but for what is noted of the run.
func (s *scenario) anew(ctx context.Context, part func() error) error {
	for times := 0; ; times++ {
		err := part()
		if !errors.Is(err, errLost) || ctx.Err() != nil {
			return err
		}
		s.mu.Lock()
		most := s.mostReplays()
		s.mu.Unlock()
		if times >= most || !s.run.contact.Replay() {
			return err
		}
		s.mu.Lock()
		s.losses--
		s.mu.Unlock()
	}
}
