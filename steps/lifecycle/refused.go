package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
)

// Refused creations, and the list around each of them.

func refusedForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.ListedBetween.Pattern(), Do: whenRefusedBetween},
		{Pattern: promise.NothingAdded, Do: thenNothingAdded},
	}
}

// refusedRound is a refused creation, and what a list shows before it, after it, and once more.
type refusedRound struct {
	refused             *scenario.Answer
	before, after, last walk
}

// refusedRounds is how often a creation is refused before anything is concluded: what others create comes at other times.
const refusedRounds = 3

// added returns what the list shows after a refusal that it did not show before.
func (r refusedRound) added() []resource.Item { return addedBetween(r.before, r.after) }

func addedBetween(before, after walk) []resource.Item {
	known := before.ids()
	return slices.DeleteFunc(after.items(), func(item resource.Item) bool { return slices.Contains(known, fmt.Sprint(item.Identifier)) })
}

// refusals are such rounds.
type refusedList struct {
	life   resource.Life
	rounds []refusedRound
	// why says why nothing is concluded; empty for no reason.
	why string
}

// refusalStatuses are those by which a request is refused for what it holds, or for who sends it.
var refusalStatuses = []int{
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
}

// whenRefusedBetween is "it is refused three times, and <operation> lists what there is around each". It ends with the first that adds nothing.
func whenRefusedBetween(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, err := s.Making()
	if err != nil {
		return err
	}
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	life, ok := promise.LifeListed(s.Run.Promises, op)
	if !ok {
		return scenario.Excusef("it is in doubt what %s lists", op.ID)
	}
	r, with, err := listBeside(ctx, s, op, m.Request)
	if err != nil {
		return err
	}
	list := func() (walk, error) { return wholeWithin(ctx, s, life, r, with, fewPages) }
	st := &refusedList{life: life}
	before, err := list()
	if err != nil {
		return err
	}
	for range refusedRounds {
		if !readWhole(life, before) {
			st.why = "the list was not read to its end"
			break
		}
		round := refusedRound{before: before}
		if round.refused, err = s.Ask(ctx, scenario.Renamed(s, m.Request), m.Credential, s.Pickle.Name); err != nil {
			return err
		}
		if !slices.Contains(refusalStatuses, round.refused.Status()) {
			return scenario.Excusef("%s does not refuse it: status %d", m.Request.Operation.ID, round.refused.Status())
		}
		if round.after, err = list(); err != nil {
			return err
		}
		round.last = round.after
		if len(round.added()) > 0 {
			if round.last, err = list(); err != nil {
				return err
			}
		}
		st.rounds = append(st.rounds, round)
		if before = round.last; len(round.added()) == 0 || len(addedBetween(round.after, round.last)) > 0 {
			break
		}
	}
	s.Life = st
	if n := len(st.rounds); n > 0 {
		s.SetAnswers(st.rounds[n-1].refused)
	}
	return nil
}

// listBeside returns a request for the list of what another request creates, and the credential for it.
func listBeside(ctx context.Context, s *scenario.Scenario, op *spec.Operation, asked request.Request) (r request.Request, with credential, err error) {
	all, err := s.Run.Promises.Requests(op)
	if err != nil {
		return r, with, scenario.Stopf("%v", err)
	}
	if with, err = s.Entitled(ctx, op); err != nil {
		return r, with, scenario.Stopf("%v", err)
	}
	r = fewestParameters(all)
	for _, slot := range resource.SlotsOf(op) {
		for _, same := range resource.SlotsOf(asked.Operation) {
			if value, ok := asked.Value(request.PlaceOf(same.Parameter)); ok && same.Key == slot.Key {
				r = r.With(request.PlaceOf(slot.Parameter), value)
			}
		}
	}
	return r, with, nil
}

// thenNothingAdded is "the list shows nothing of it": each refusal, and nothing else, has to add to a list for that to be held against a service.
func thenNothingAdded(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*refusedList)
	if !ok {
		return fmt.Errorf("nothing was refused before this step")
	}
	if len(st.rounds) == 0 {
		return scenario.Excusef("%s", st.why)
	}
	last := st.rounds[len(st.rounds)-1]
	added := last.added()
	switch {
	case len(added) == 0 && readWhole(st.life, last.after):
		s.Kept(s.Rule.ID)
		return nil
	case len(added) == 0 || len(st.rounds) < refusedRounds || len(addedBetween(last.after, last.last)) > 0:
		observe(s, last.refused, "the list changes for other reasons, or was not read to its end")
		return nil
	}
	for _, item := range added {
		for name, value := range item.Members {
			if text, is := value.(string); is && resource.StateLike(name) && refusedWords.MatchString(text) {
				observe(s, last.refused, "it is kept as one that was refused, by "+name)
				return nil
			}
		}
	}
	at := last.after.last
	j := wrong(s, at, spec.KindUnexpected, phrase.Of("nothing of what was refused"), phrase.Of("{} in it, and one more after each refusal", phrase.JSON(fmt.Sprint(added[0].Identifier))))
	j.finding.Exchanges = []int{last.before.last.Exchange.Seq, last.refused.Exchange.Seq, at.Exchange.Seq}
	if !isSettled(s, j) {
		s.Find(at.Exchange, j.finding)
	}
	return nil
}
