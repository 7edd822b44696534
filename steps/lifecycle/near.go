package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Identifiers that are like that of a resource, or that a client made up.

func nearForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.ReadsNear.Pattern(), Do: movedBy(readsNear)},
		{Pattern: promise.NoneIsAnother, Do: then(noneIsAnother)},
		{Pattern: promise.CreatesByItsID, Do: moved(createsByID)},
		{Pattern: promise.HasItsOwnID, Do: then(hasOwnID)},
	}
}

// nearIdentifier is a value that a path names in the place of a resource's own identifier, and in what it is like that.
type nearIdentifier struct {
	value any
	like  string
}

// nearRead is a response to a read by such a value.
type nearRead struct {
	nearIdentifier
	answer *scenario.Answer
}

// noNumber is a text that is part of no name of a run, so that services that also find resources by name find none.
const noNumber = "qqvwxz"

// nearIdentifiers returns values that services mistake for a number when they read it as another type, or by a part of it.
func nearIdentifiers(id *big.Int) []nearIdentifier {
	const (
		ten        = 10
		short      = 16
		wide       = 32
		exactFloat = 53
		second     = -2
	)
	var all []nearIdentifier
	add := func(n *big.Int, like string) {
		if n.Sign() == 0 || n.Cmp(id) == 0 || n.IsInt64() && n.Int64() == -1 {
			return // by 0 and -1 services name what is current, or the last
		}
		all = append(all, nearIdentifier{json.Number(n.String()), like})
	}
	add(new(big.Int).Neg(id), "with another sign")
	add(big.NewInt(second), "negative")
	add(new(big.Int).Add(id, new(big.Int).Lsh(big.NewInt(1), short)), "16 bits above")
	add(new(big.Int).Add(id, new(big.Int).Lsh(big.NewInt(1), wide)), "32 bits above")
	add(new(big.Int).Quo(id, big.NewInt(ten)), "without its last digit")
	add(new(big.Int).Mul(id, big.NewInt(ten)), "with one more digit")
	if new(big.Int).Abs(id).BitLen() > exactFloat {
		add(new(big.Int).Add(id, big.NewInt(1)), "one above")
		add(new(big.Int).Sub(id, big.NewInt(1)), "one below")
	}
	return append(all, nearIdentifier{noNumber, "no number"})
}

// readsNear is "<operation> is asked for identifiers near its own".
func readsNear(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		a, err := lastRead(in)
		if err != nil {
			return err
		}
		if a.Status()/100 != 2 {
			return scenario.Excusef("what was created cannot be read: status %d", a.Status())
		}
		shown, ok := in.story.life.Identifier(a.Value.Tree)
		own, whole := wholeNumber(in.resource.Identifier())
		if n, is := wholeNumber(shown); !ok || !whole || !is || n.Cmp(own) != 0 {
			return scenario.Excusef("%s does not show the number that it is asked for", op.ID)
		}
		plain, with, err := requestAbout(ctx, s, in, op)
		if err != nil {
			return err
		}
		schema := in.story.life.Slot.Parameter.Schema
		in.near = nil
		for _, near := range nearIdentifiers(own) {
			_, number := near.value.(json.Number)
			if number && !s.Run.Promises.Valid(schema, near.value) {
				continue
			}
			a, err := s.Ask(ctx, in.resource.As(near.value).In(plain), with, s.Pickle.Name)
			if err != nil {
				return err
			}
			if number {
				judgeStatusOf(s, op, a, []string{promise.PartUnknown, in.story.life.Slot.Parameter.Pointer})
			}
			in.near = append(in.near, nearRead{near, a})
		}
		return nil
	}
}

// wholeNumber returns an identifier as a number; false where it is none.
func wholeNumber(id any) (*big.Int, bool) {
	text := fmt.Sprint(id)
	if n, is := id.(json.Number); is {
		text, _ = exactjson.CanonicalInt(n)
	}
	if len(text) > longNumber {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}

// noneIsAnother is "each is answered with itself or not at all". For a number, only a resource of this run counts as another one: others may
// have merged theirs, so that an identifier leads to what it became. The text is no identifier, and part of no name that one could be found by.
func noneIsAnother(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.near) == 0 {
		return judgement{}, fmt.Errorf("nothing near an identifier was asked for before this step")
	}
	for _, near := range in.near {
		a := near.answer
		shown, ok := in.story.life.Identifier(a.Value.Tree)
		is, number := wholeNumber(shown)
		if a.Status()/100 != 2 || !ok || !number {
			continue
		}
		if asked, also := wholeNumber(near.value); also && (asked.Cmp(is) == 0 || !s.Run.HasCreated(in.resource.As(shown))) {
			continue
		}
		in.note(a)
		j := wrong(s, a, spec.KindAnother, phrase.Of("{} or nothing, as was asked for", phrase.JSON(fmt.Sprint(near.value))), phrase.Of("{}", phrase.JSON(fmt.Sprint(shown))))
		j.finding.Cause += " " + near.like
		if near.value == noNumber && s.Pickle.Covered != "" {
			j.finding.Rule, j.finding.Parts = s.Pickle.Covered, []string{promise.PartNotAllowed}
		}
		return j, nil
	}
	return judgement{at: in.near[len(in.near)-1].answer, kept: true}, nil
}

// createsByID is "another one is created with its identifier". A service may refuse that.
func createsByID(ctx context.Context, s *scenario.Scenario, in *instance) error {
	if err := requireOwned(in); err != nil {
		return err
	}
	name, ok := in.story.life.Identifying()
	if !ok {
		return scenario.Excusef("it is in doubt which member holds the identifier")
	}
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return err
	}
	if r, err = r.WithBodyAt(jsonpointer.Join("", name), in.resource.Identifier()); err != nil {
		return scenario.Excusef("the request to %s has no place for an identifier", in.asked.Operation.ID)
	}
	if !allowsBody(s, r.Operation, &r) {
		return scenario.Excusef("the contract does not allow a request to %s with an identifier", r.Operation.ID)
	}
	a, err := s.Ask(ctx, r, in.story.making.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	judgeStatus(s, r.Operation, a)
	in.others = append(in.others, in.note(a))
	s.SetAnswers(a)
	return nil
}

// unchangedByOther judges that a creation did not change what was created before it.
func unchangedByOther(s *scenario.Scenario, in *instance, other *scenario.Answer) (judgement, error) {
	if len(in.reads) < 2 {
		return judgement{}, fmt.Errorf("it was not read twice before this step")
	}
	before, a := in.reads[len(in.reads)-2], in.reads[len(in.reads)-1]
	was, ok := in.story.life.Read(before.Value.Tree)
	is, also := in.story.life.Read(a.Value.Tree)
	if before.Status()/100 != 2 || a.Status()/100 != 2 || !ok || !also {
		return judgement{at: other, meaning: fmt.Sprintf("status %d to a read", a.Status())}, nil
	}
	kept, _ := behaviour.Compare(in.sent(), was)
	later, _ := behaviour.Compare(sentBy(*other.Request, in.story.life), is)
	for _, d := range noLongerShown(kept, is) {
		if _, others := later[d.Pointer]; others && another(d) && judged(in.story.life, d.Pointer, d.Was) {
			return differs(s, a, d), nil
		}
	}
	return judgement{at: a, kept: len(kept) > 0}, nil
}

// hasOwnID is "that one has an identifier of its own".
func hasOwnID(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.others) == 0 {
		return judgement{}, fmt.Errorf("no other one was created before this step")
	}
	a := in.others[len(in.others)-1]
	if a.Status()/100 == 4 {
		return judgement{at: a, kept: true}, nil
	}
	made := a.Made()
	if in.created.Status() != http.StatusCreated || a.Status() != http.StatusCreated || made == nil {
		return judgement{at: a, meaning: unsaid}, nil
	}
	if !sameIdentifier(in.resource, made) {
		return unchangedByOther(s, in, a)
	}
	return wrong(s, a, spec.KindDuplicate, phrase.Of("an identifier that nothing else has"), phrase.Of("{}, which the one before has", phrase.JSON(fmt.Sprint(made.Identifier())))).withIdentifier(made.Identifier()), nil
}
