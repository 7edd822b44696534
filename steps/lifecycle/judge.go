package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// judgement is what one instance shows about a rule.
type judgement struct {
	// finding is the violation; its Expected is zero if there is none.
	finding spec.Finding
	// at is the decisive response.
	at *scenario.Answer
	// meaning is why nothing is concluded from an apparent violation, or empty.
	meaning string
	// kept reports whether the rule could have been broken and was not.
	kept bool
}

func (j judgement) broken() bool { return !j.finding.Expected.IsZero() }

// under attributes the violation to the rule of another kind. It returns false if that rule is not judged.
func (j *judgement) under(s *scenario.Scenario, k promise.Kind, operation string) bool {
	rule, ok := s.Run.Catalogue.Rule(s.Run.Promises.Names.Rule(operation, k))
	if !ok || rule.Level == spec.Open || rule.Off != "" {
		return false
	}
	j.finding.Rule = rule.ID
	return true
}

// judgeFunc judges an instance. It may send further requests to learn what the service does with values.
type judgeFunc func(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error)

// mostInstances is how many further instances are tried until a second one confirms a violation.
const mostInstances = 3

// then returns a step that judges the instance of the story, and reports a violation that a second instance
// confirms.
func then(judge judgeFunc) func(context.Context) error {
	return func(ctx context.Context) error {
		s := scenario.From(ctx)
		st, err := storyOf(s)
		if err != nil {
			return err
		}
		first, err := judge(ctx, s, st.now)
		if err == nil && first.broken() && first.meaning == "" && first.finding.Kind == spec.KindLost {
			first.meaning = ended(st.now)
		}
		if err == nil && first.broken() && first.meaning == "" && st.now.mayBeReplaced(s) {
			first.meaning = first.finding.Actual.String() + ", and another request named the same identifier, so it may have replaced the resource"
		}
		if err != nil || isSettled(s, first) {
			return err
		}
		for range mostInstances {
			other, err := st.replay(ctx, s)
			if endsScenario(err) {
				continue
			}
			if err != nil {
				return err
			}
			second, err := judge(ctx, s, other)
			if err != nil {
				return err
			}
			if second.broken() && second.meaning == "" && !other.mayBeReplaced(s) && second.finding.Cause == first.finding.Cause {
				// Only requests about the first instance are cited: one is enough to reproduce the violation.
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

// ended returns why a missing resource may have ended by itself, or "".
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

// isSettled records a judgement that accuses nobody; it returns false for a violation that needs confirmation.
func isSettled(s *scenario.Scenario, j judgement) bool {
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

// keptPart counts the rule that covers a part of the rule which the scenario tries as exercised.
func keptPart(s *scenario.Scenario, part string) {
	if s.Pickle.Covered != "" {
		s.Kept(s.Run.Catalogue.Resolve(s.Pickle.Covered, part))
	}
}

// observe records behaviour from which nothing is concluded.
func observe(s *scenario.Scenario, a *scenario.Answer, what string) {
	s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: what, Reading: what, Exchange: a.Exchange.Seq})
}

// wrong returns a judgement with the finding of an unexpected response.
func wrong(s *scenario.Scenario, a *scenario.Answer, kind spec.FindingKind, expected, actual phrase.Phrase) judgement {
	return judgement{at: a, finding: spec.Finding{
		Rule: s.Rule.ID, Operation: a.Exchange.Operation, Kind: kind, Expected: expected, Actual: actual, Where: placeOf(s, a),
		Cause: fmt.Sprintf("%s: %s", s.Rule.ID, kind),
	}}
}

// withIdentifier adds the identifier of the resource that a finding is about to it. Where the path of the request names the resource, that says it.
func (j judgement) withIdentifier(identifier any) judgement {
	j.finding.About.IDs = []string{fmt.Sprint(identifier)}
	return j
}

// placeOf returns the place of a response in a scenario. It quotes the title, which says what should be: "→ 200,
// what is deleted is gone" would read as a fact.
func placeOf(s *scenario.Scenario, a *scenario.Answer) phrase.Place {
	return check.Place(a.Exchange).In("in the scenario " + strconv.Quote(s.Pickle.Name))
}

// wrongStatus returns a judgement with the finding of an unexpected status.
func wrongStatus(s *scenario.Scenario, a *scenario.Answer, expected string) judgement {
	j := wrong(s, a, spec.KindStatus, phrase.Of(expected), phrase.Of("status {}", phrase.Status(a.Status())))
	j.finding.Status = a.Status()
	j.finding.Cause += fmt.Sprintf(" %d", a.Status())
	return j
}
