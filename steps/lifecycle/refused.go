package lifecycle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// Refused creations, and the list around each of them.

func refusedForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.ListedBetween.Pattern(), Do: whenRefusedBetween},
		{Pattern: promise.NothingAdded, Do: thenNothingAdded},
	}
}

// refusedRound is a refused creation, and what a list shows before and after it.
type refusedRound struct {
	refused       *scenario.Answer
	before, after walk
}

// refusedRounds is how often a creation has to leave something behind although it is refused.
const refusedRounds = 3

// added returns what the list shows of a refused creation that it did not show before. What others create meanwhile is left out.
func (r refusedRound) added(s *scenario.Scenario, life resource.Life) []resource.Item {
	return slices.DeleteFunc(r.appeared(s, life), func(item resource.Item) bool { return !r.showsName(s, life, item) && !r.isBlank(life, item) })
}

// appeared returns what the list shows that it did not show before and that no creation of the run made.
func (r refusedRound) appeared(s *scenario.Scenario, life resource.Life) []resource.Item {
	known, creation := r.before.ids(), *r.refused.Request
	return slices.DeleteFunc(r.after.items(), func(item resource.Item) bool {
		return slices.Contains(known, fmt.Sprint(item.Identifier)) || s.Run.HasCreated(scenario.Shown(life.Slot, &creation, item.Identifier))
	})
}

// addsBlanks reports whether items with a blank text appear where nothing was refused.
func (r refusedRound) addsBlanks(s *scenario.Scenario, life resource.Life) bool {
	return slices.ContainsFunc(r.appeared(s, life), func(item resource.Item) bool { return r.isBlank(life, item) })
}

// showsName reports whether an item shows a name that was made up for the refused request.
func (r refusedRound) showsName(s *scenario.Scenario, life resource.Life, item resource.Item) bool {
	sent := sentBy(*r.refused.Request, life)
	return slices.ContainsFunc(life.Settable(r.refused.Request.Operation), func(p spec.Property) bool {
		was, isText := sent[p.Name].(string)
		shown, there := item.Members[p.Name]
		return isText && there && scenario.MadeUp(s.Run, was) && behaviour.Alike(was, truncate.Value(shown), true) <= behaviour.Normal
	})
}

// isBlank reports whether an item shows a text as empty that each creation has to send and that another item shows. Where others
// create such items, they appear without a refusal, too.
func (r refusedRound) isBlank(life resource.Life, item resource.Item) bool {
	isText := func(item resource.Item, name string, empty bool) bool {
		text, is := item.Members[name].(string)
		return is && (text == "") == empty
	}
	return slices.ContainsFunc(life.Settable(r.refused.Request.Operation), func(p spec.Property) bool {
		return p.Required && isText(item, p.Name, true) && slices.ContainsFunc(r.before.items(), func(other resource.Item) bool { return isText(other, p.Name, false) })
	})
}

// refusedList is a list around refused creations.
type refusedList struct {
	life   resource.Life
	rounds []refusedRound
	// again reads the list, refuse sends the creation that has to be refused.
	again  func() (walk, error)
	refuse func() (*scenario.Answer, error)
	// busy reports whether others create items that look like what a refusal left.
	busy bool
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
	life, err := listedBy(s, op)
	if err != nil {
		return err
	}
	r, with, err := listBeside(ctx, s, op, m.Request)
	if err != nil {
		return err
	}
	st := &refusedList{life: life, again: func() (walk, error) { return readAtOnce(ctx, s, life, r, with) }}
	st.refuse = func() (*scenario.Answer, error) {
		return s.Ask(ctx, scenario.Renamed(s, m.Request), m.Credential, s.Pickle.Name)
	}
	before, err := st.again()
	if err != nil {
		return err
	}
	for range refusedRounds {
		if !readWhole(life, before) && !st.isPage(before) {
			st.why = "the list was not read to its end"
			break
		}
		round := refusedRound{before: before}
		if round.refused, err = st.refuse(); err != nil {
			return err
		}
		if !slices.Contains(refusalStatuses, round.refused.Status()) || round.refused.Request == nil {
			return scenario.Excusef("%s does not refuse it: status %d", m.Request.Operation.ID, round.refused.Status())
		}
		if round.after, err = st.again(); err != nil {
			return err
		}
		st.rounds = append(st.rounds, round)
		if before = round.after; len(round.added(s, life)) == 0 {
			break
		}
	}
	if st.busy, err = st.isBusy(s); err != nil {
		return err
	}
	s.Life = st
	if n := len(st.rounds); n > 0 {
		s.SetAnswers(st.rounds[n-1].refused)
	}
	return nil
}

// isPage reports whether a list is a page as long as may be asked for, which may show what is added, and does not have to.
func (st *refusedList) isPage(w walk) bool {
	w.ended, w.full = true, false
	return readWhole(st.life, w)
}

// isBusy lists once more for each round, without a refusal between, and reports whether items appear that look like what the refusals left. It lists
// nothing if the rounds left nothing, or a name that only a refused request had.
func (st *refusedList) isBusy(s *scenario.Scenario) (busy bool, err error) {
	if len(st.rounds) < refusedRounds {
		return false, nil
	}
	quiet := st.rounds[len(st.rounds)-1]
	left := quiet.added(s, st.life)
	if len(left) == 0 || slices.ContainsFunc(left, func(item resource.Item) bool { return quiet.showsName(s, st.life, item) }) {
		return false, nil
	}
	if !readWhole(st.life, quiet.after) {
		return st.varies(s)
	}
	for range refusedRounds {
		quiet.before = quiet.after
		if quiet.after, err = st.again(); err != nil {
			return false, err
		}
		if !readWhole(st.life, quiet.after) || quiet.addsBlanks(s, st.life) {
			return true, nil
		}
	}
	return false, nil
}

// pageRounds is how many refusals, and how many pauses, show that it is the refusals which add to a page. If the page shows new items for
// any other reason, all of them fall behind the refusals with a probability of at most 1 to 2,704,156, the number of orders of 12 among 24.
const pageRounds = 12

// varies refuses and pauses in an order drawn by lot, and reports whether a page shows new items behind a pause, or none behind a refusal.
func (st *refusedList) varies(s *scenario.Scenario) (bool, error) {
	turns := make([]bool, 2*pageRounds)
	for i := range pageRounds {
		turns[i] = true
	}
	rand.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	round := st.rounds[len(st.rounds)-1]
	for _, refuses := range turns {
		var err error
		if refuses {
			if round.refused, err = st.refuse(); err != nil {
				return false, err
			}
		}
		round.before = round.after
		if round.after, err = st.again(); err != nil {
			return false, err
		}
		if round.addsBlanks(s, st.life) != refuses {
			return true, nil
		}
	}
	return false, nil
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

// thenNothingAdded is "the list shows nothing of it". Each of the refusals has to leave something behind.
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
	added := last.added(s, st.life)
	switch {
	case len(added) == 0 && readWhole(st.life, last.after):
		s.Kept(s.Rule.ID)
		return nil
	case len(added) == 0 || len(st.rounds) < refusedRounds:
		observe(s, last.refused, "not each refusal adds to the list, or it was not read to its end")
		return nil
	case st.busy:
		observe(s, last.refused, "the list grows without a refusal, too")
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
	j := wrong(s, at, spec.KindUnexpected, phrase.Of("nothing of what was refused"), phrase.Of("{} in it, and one of each refusal", phrase.JSON(fmt.Sprint(added[0].Identifier))))
	j.finding.Exchanges = []int{last.before.last.Exchange.Seq, last.refused.Exchange.Seq, at.Exchange.Seq}
	if !isSettled(s, j) {
		s.Find(at.Exchange, j.finding)
	}
	return nil
}
