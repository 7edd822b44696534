package steps

import (
	"context"
	"slices"

	"hallmark/spec"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// suspect is a scenario that was lost again and again by one operation, and what is left of it.
type suspect struct {
	scenario *suite.Scenario
	attempts *scenario.Attempts
}

// addSuspect keeps a scenario to be played by itself when all others are done.
func (r *engine) addSuspect(s suspect) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suspects = append(r.suspects, s)
}

// suspected reports whether there are scenarios to be played by themselves.
func (r *engine) suspected() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.suspects) > 0
}

// playSuspects plays each scenario by itself that was lost again and again, and records it: what the target dies of when nothing else is asked
// is a finding. It plays one until it is answered, or it is decided.
func (r *engine) playSuspects(ctx context.Context, v *formSet) error {
	r.mu.Lock()
	all := slices.Clone(r.suspects)
	r.suspects = nil
	r.mu.Unlock()
	for _, one := range all {
		if err := r.playSuspect(ctx, v, one); err != nil {
			return err
		}
	}
	return nil
}

func (r *engine) playSuspect(ctx context.Context, v *formSet, one suspect) error {
	death, attempts := scenario.Death{}, one.attempts
	for {
		over := ctx.Err() != nil
		if over {
			s := r.NewScenario(one.scenario, spec.Rule{})
			s.Skip(scenario.EndedBefore, false)
			r.Recorder.AddScenario(s.Ended(nil))
			return nil
		}
		p := &round{engine: r, forms: v, begun: map[string]int{}, prepare: func(s *scenario.Scenario) {
			s.Insist()
			s.Resume(attempts)
		}}
		p.part = part{turns: oneByOne, chosen: func(s *suite.Scenario) bool { return s == one.scenario }}
		answered := false
		p.part.done = func(ctx context.Context, err error) {
			s := scenario.From(ctx)
			if s == nil {
				over = true
				return
			}
			by := s.LostBy()
			same := by != "" && (death.Operation == "" || by == death.Operation)
			if same && ctx.Err() == nil {
				away, ok := s.Responds(ctx)
				if answered = ok; ok {
					death.Operation = by
					death.Times++
					if away {
						death.Away++
					}
				}
			}
			switch {
			case same && answered && !death.Decided() && ctx.Err() == nil:
				attempts = s.Attempts()
				r.noteGatewayAnswers(s)
				s.RecordExchanges()
				return
			case same && answered && death.Decided():
				s.FindDeath(death)
			}
			over = true
			r.finishScenario(ctx, err)
		}
		err := p.play(ctx)
		r.rounds += p.length()
		if err != nil || over {
			return err
		}
	}
}
