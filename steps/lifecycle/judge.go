package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
)

// judgement is what one instance shows of a rule.
type judgement struct {
	// finding is what is broken; its expectation is zero where nothing is.
	finding spec.Finding
	// at is the decisive response.
	at *scenario.Answer
	// meaning says why nothing is concluded though it looks broken; empty for no reason.
	meaning string
	// kept reports whether the rule could have been broken, and was not.
	kept bool
}

func (j judgement) broken() bool { return !j.finding.Expected.IsZero() }

// under puts what is broken under the rule of another kind; false where that is not judged.
func (j *judgement) under(s *scenario.Scenario, k promise.Kind, operation string) bool {
	rule, ok := s.Run.Catalogue.Rule(s.Run.Promises.Names.Rule(operation, k))
	if !ok || rule.Level == spec.Open || rule.Off != "" {
		return false
	}
	j.finding.Rule = rule.ID
	return true
}

// judging judges an instance. It may ask for more to learn what the service makes of values.
type judging func(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error)

// Conclusions about other instances: how many are tried until a second one shows what the first did.
const mostInstances = 3

// then returns a step that judges the story by what its instance shows, and tells what a second one confirms.
func then(judge judging) func(context.Context) error {
	return func(ctx context.Context) error {
		s := scenario.From(ctx)
		st, err := begun(s)
		if err != nil {
			return err
		}
		first, err := judge(ctx, s, st.now)
		if err == nil && first.broken() && first.meaning == "" && first.finding.Kind == spec.KindLost {
			first.meaning = ended(st.now)
		}
		if err != nil || settled(s, first) {
			return err
		}
		for range mostInstances {
			other, err := st.again(ctx, s)
			if ends(err) {
				continue
			}
			if err != nil {
				return err
			}
			second, err := judge(ctx, s, other)
			if err != nil {
				return err
			}
			if second.broken() && second.meaning == "" && second.finding.Cause == first.finding.Cause {
				// Only what was done with the first instance is cited: a reader who repeats it needs one of them.
				f := first.finding
				f.Exchanges = append(slices.DeleteFunc(slices.Clone(st.now.all), func(seq int) bool { return seq == first.at.Exchange.Seq }), first.at.Exchange.Seq)
				s.Find(first.at.Exchange, f)
				return nil
			}
		}
		observe(s, first.at, first.finding.Actual.String()+", and not so of another one")
		return nil
	}
}

// ended says why an instance that is not there any more may have ended by itself; empty where nothing says so.
func ended(in *instance) string {
	if in.created == nil || in.created.Exchange == nil {
		return ""
	}
	life, ex := in.story.life, in.created.Exchange
	shown, _ := life.Created(in.created.Value.Tree)
	seen := in.shown || slices.ContainsFunc(in.reads, func(a *scenario.Answer) bool { return a.Status()/100 == 2 })
	now := time.Now()
	return promise.Ended(life, shown, now, now.Sub(ex.Started), seen)
}

// settled notes what a judgement says where it accuses nobody; false for one that is to be confirmed.
func settled(s *scenario.Scenario, j judgement) bool {
	switch {
	case j.meaning != "":
		observe(s, j.at, j.meaning)
	case !j.broken():
		if j.kept {
			s.Kept(s.Rule.ID)
		}
	case s.Rule.Level == spec.Open:
		observe(s, j.at, j.finding.Actual.String())
	default:
		return false
	}
	return true
}

// observe notes what a service does of which nothing is concluded.
func observe(s *scenario.Scenario, a *scenario.Answer, what string) {
	s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: what, Reading: what, Exchange: a.Exchange.Seq})
}

// wrong returns the finding that a response is not as it is to be.
func wrong(s *scenario.Scenario, a *scenario.Answer, kind spec.Kind, expected, actual phrase.Phrase) judgement {
	return judgement{at: a, finding: spec.Finding{
		Rule: s.Rule.ID, Operation: a.Exchange.Operation, Kind: kind, Expected: expected, Actual: actual, Where: placeOf(s, a),
		Cause: fmt.Sprintf("%s: %s", s.Rule.ID, kind),
	}}
}

// placeOf returns the place of a response in a scenario. The title of a scenario says what has to be, so it is quoted: "→ 200, what is
// deleted is gone" would read as if it were so.
func placeOf(s *scenario.Scenario, a *scenario.Answer) phrase.Place {
	return check.Place(a.Exchange).In("in the scenario " + strconv.Quote(s.Pickle.Name))
}

// wrongStatus returns the finding that a response has not the status that it is to have.
func wrongStatus(s *scenario.Scenario, a *scenario.Answer, expected string) judgement {
	j := wrong(s, a, spec.KindStatus, phrase.Of(expected), phrase.Of("status {}", phrase.Status(a.Status())))
	j.finding.Status = a.Status()
	j.finding.Cause += fmt.Sprintf(" %d", a.Status())
	return j
}
