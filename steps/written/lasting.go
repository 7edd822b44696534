package written

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// mostLasting is how many resources "everything that … created" reads.
const mostLasting = 500

// thenLasting is "everything that <operation> created can still be read [with the same <members>]".
func thenLasting(ctx context.Context, name, members string) error {
	s := scenario.From(ctx)
	op, err := operation(s, name)
	if err != nil {
		return err
	}
	life, ok := s.Run.Promises.Life(op)
	if !ok || life.Reader == nil {
		return scenario.Excusef("no operation is known to read what %s creates", op.ID)
	}
	var compared []string
	for one := range strings.SplitSeq(strings.ReplaceAll(members, ", ", " and "), " and ") {
		if one != "" {
			compared = append(compared, unquoted(one))
		}
	}
	all := scenario.Lasting(s.Run, op.ID)
	if len(all) == 0 {
		return scenario.Excusef("%s has created nothing that is still there", op.ID)
	}
	for some := range slices.Chunk(all[:min(len(all), mostLasting)], readTogether) {
		var read []reading
		for _, made := range some {
			read = append(read, reading{&thing{resource: made.Resource, created: &scenario.Answer{Exchange: &spec.Exchange{}}}, life.Reader})
		}
		answers, errs := readAll(ctx, s, read)
		for i, made := range some {
			if errs[i] != nil {
				return errs[i]
			}
			a := answers[i]
			s.SetAnswers(a)
			if status := a.Status(); status == http.StatusNotFound || status == http.StatusGone {
				v := statusVerdict(a, phrase.Of("a success, because the run created it"), false)
				v.kind, v.exchanges = spec.KindLost, citing(made)
				conclude(s, a, v)
				return nil
			}
			if a.Status()/100 != 2 {
				continue // what is wrong with that is no matter of what lasts
			}
			if lost, err := judgeSame(s, a, compared, made); err != nil || lost {
				return err
			}
		}
	}
	return nil
}

// readTogether is how many resources are read concurrently, as far as the run has that many requests in flight.
const readTogether = 64

// reading is what was created, and the operation that reads it.
type reading struct {
	thing  *thing
	reader *spec.Operation
}

// readAll reads resources concurrently, and returns the response or the error of each.
func readAll(ctx context.Context, s *scenario.Scenario, all []reading) ([]*scenario.Answer, []error) {
	calls, answers, errs := make([]call, len(all)), make([]*scenario.Answer, len(all)), make([]error, len(all))
	for i, r := range all {
		calls[i], errs[i] = callAbout(ctx, s, r.thing, r.reader, nil)
	}
	concurrently(len(all), min(readTogether, s.Run.Client.Gate.Most()), func(i int) {
		if errs[i] == nil {
			answers[i], errs[i] = askAbout(ctx, s, all[i].thing, calls[i])
		}
	})
	return answers, errs
}

// citing returns the exchange that created a resource, if it is known.
func citing(made scenario.Lasts) []int {
	if made.Created == 0 {
		return nil
	}
	return []int{made.Created}
}

// judgeSame judges that a response shows members as they were sent; lost reports whether it does not.
func judgeSame(s *scenario.Scenario, a *scenario.Answer, members []string, made scenario.Lasts) (lost bool, err error) {
	body, err := whole(a)
	if err != nil {
		return false, err
	}
	good := verdict{good: true, expected: phrase.Of("a success")}
	for _, member := range members {
		pointer := pointerOf(member)
		want, given := exactjson.Value{Tree: made.Members, Valid: made.Members != nil}.At(pointer)
		if !given {
			continue
		}
		is, there := body.At(inWrapper(body, pointer))
		if !there || !exactjson.Equal(is.Tree, want.Tree) {
			conclude(s, a, verdict{
				kind: missingOr(there, spec.KindDiffers), expected: phrase.Of("{}, as it was created", shownValue(want.Tree)), actual: actual(is.Tree, there), pointer: pointer,
				exchanges: citing(made),
			})
			return true, nil
		}
	}
	conclude(s, a, good)
	return false, nil
}

// whenReadAtOnce is "it is read at once".
func whenReadAtOnce(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	if life.Reader == nil {
		return scenario.Excusef("no operation is known to read what %s creates", t.created.Request.Operation.ID)
	}
	var args []Argument
	for name, value := range t.resource.Named(life.Reader) {
		args = append(args, Argument{name, value, true})
	}
	c, err := prepare(ctx, s, life.Reader, args, nil)
	if err != nil {
		return err
	}
	c.keeps = stateOf(s).letsIn()
	a, err := s.Ask(ctx, c.request, c.with, s.Pickle.Name)
	if a, err = promised(s, c, a, err); err != nil {
		return err
	}
	Forget(s)
	Remember(s, a)
	s.SetAnswers(a)
	return nil
}
