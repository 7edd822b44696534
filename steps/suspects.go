package steps

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// suspect is a scenario that keeps losing its connection in one operation, with what is known from its attempts.
type suspect struct {
	scenario *suite.Scenario
	attempts *scenario.Attempts
}

// addSuspect queues a scenario to be played alone at the end of the round.
func (r *engine) addSuspect(s suspect) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suspects = append(r.suspects, s)
}

// suspected reports whether scenarios are queued to be played alone.
func (r *engine) suspected() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.suspects) > 0
}

// playSuspects plays the queued scenarios alone, one after the other, and records them. If a target crashes when nothing else is in flight,
// that scenario crashes it, which is a finding.
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

// playSuspect plays one scenario alone until it keeps its connection or [scenario.Death.Decided].
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
