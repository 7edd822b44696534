package steps

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/petstore"
	"hallmark/steps/truncate"
)

// Steps that read animals one by one.

// readBack judges that an animal is found as it was created, by getPet, or by the list once getPet is removed.
func (s *scenario) readBack(ctx context.Context, was petstore.Creation, rule string) error {
	if s.run.memory.IsSpoilt(was.ID) {
		return stopf("the id %s was given to two animals", was.ID)
	}
	if _, gone := s.run.removed["getPet"]; gone {
		return s.readBackFromList(ctx, was)
	}
	a, err := s.get(ctx, was.ID)
	if err != nil {
		return err
	}
	statusRule := rule
	if !s.run.isStatusRule(rule) {
		statusRule = "get.created"
	}
	if !s.expect(a, statusRule, s.run.terms.Found) {
		return nil
	}
	s.compareAnimals(was, a, rule)
	return nil
}

func (s *scenario) get(ctx context.Context, id string) (*answer, error) {
	op, err := s.operation("getPet")
	if err != nil {
		return nil, err
	}
	var args arguments
	args.set("petId", id)
	return s.perform(ctx, op, args, nil, credentials.Right(s.run.target.Key), "")
}

// compareAnimals judges an animal that was read by the one that was created.
func (s *scenario) compareAnimals(was petstore.Creation, a *answer, rule string) {
	is, ok := petstore.AnimalOf(a.value.Tree)
	if !ok || is.ID != was.ID {
		return // the schema's finding, or get.id's
	}
	exact, _ := check.UTF16(a.ex.Response.Body, "name")
	sameName := is.Name == was.Name && (was.ExactName == nil || slices.Equal(exact, was.ExactName))
	if sameName && is.Category == was.Category && is.StatusText() == was.StatusText() {
		s.kept(rule)
		return
	}
	as := ", as it was answered on creation"
	if was.Read {
		as = ", as it was answered before"
	}
	exchanges := []int{was.Seq, a.ex.Seq}
	if sent, err := s.last(); err == nil && rule == "create.id.own" {
		exchanges = []int{was.Seq, sent.ex.Seq, a.ex.Seq} // what was sent in between is what may have changed it
	}
	differ := func(field, before, is string) { // before is told with the name of its field
		s.find(a.ex, spec.Finding{
			Rule: rule, Kind: spec.KindDiffers, Expected: before + as, Actual: is,
			Where: check.Place(a.ex) + ", /" + field, Pointer: "/" + field, Exchanges: exchanges, Cause: rule + " " + field,
			About: spec.About{IDs: []string{was.ID}, Shows: spec.Differs},
			After: s.whyDiffers(was, field, rule),
		})
	}
	if is.Name != was.Name {
		differ("name", "name "+truncate.Quoted(was.Name), truncate.Quoted(is.Name))
	} else if !sameName {
		differ("name", "name "+check.QuoteUTF16(was.ExactName), check.QuoteUTF16(exact))
	}
	if is.Category != was.Category {
		differ("categoryId", "categoryId "+was.Category, is.Category)
	}
	if is.StatusText() != was.StatusText() {
		differ("status", was.StatusText(), is.StatusText())
	}
}

// whyDiffers names the rule that is broken already where a field differs from an earlier response: that answer was wrong, or
// it was read, and reading twice gives different animals.
func (s *scenario) whyDiffers(was petstore.Creation, field, rule string) string {
	echo := "create.echo." + field
	switch {
	case s.misread(was.Seq, echo) != "", field == "status" && !was.HasStatus && !was.Read:
		return echo // a response to a creation without a status may lack the one that the animal has
	case was.Read && rule != "get.stable":
		return "get.stable"
	}
	return ""
}

// misread names the rule by which the creation's answer was wrong already, if it was: then what is read later differs
// from that response, but is not to blame.
func (s *scenario) misread(seq int, rule string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.findings {
		if f.Rule == rule && slices.Contains(f.Exchanges, seq) {
			return rule
		}
	}
	return ""
}

// readBackFromList finds an animal in the list that holds the whole store, if one does.
func (s *scenario) readBackFromList(ctx context.Context, was petstore.Creation) error {
	before, whole, err := s.wholeStore(ctx)
	if err != nil {
		return err
	}
	if !whole {
		return excusef("getPet is removed, and no list can hold the whole store")
	}
	after, whole, err := s.wholeStore(ctx)
	if err != nil || !whole {
		return err
	}
	s.holds(before.has(was.ID) || after.has(was.ID), after.answer, was, "list.complete")
	return nil
}

// whyMissing names the rule to blame when getPet does not find an animal of this run, by which another rule is broken: no
// answer has shown it since its creation, or it was read before.
func (r *run) whyMissing(a *answer, rule string) string {
	if a.ex.Operation != "getPet" || a.status() != http.StatusNotFound {
		return ""
	}
	own, there := r.memory.Own(check.LastSegment(a.ex.Request.URL))
	switch {
	case !there:
	case !own.Shown:
		return "get.created"
	case rule == "get.listed" && own.Found:
		return "get.kept"
	}
	return ""
}

// thenReadBack is "it is read back as it was answered[, if it was accepted]".
func (s *scenario) thenReadBack(ctx context.Context, onlyIfAccepted bool) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	made, ok := s.made(a)
	if !ok {
		if onlyIfAccepted {
			return nil
		}
		return stopf("createPet did not answer with an animal")
	}
	was := petstore.Creation{Animal: made, Seq: a.ex.Seq}
	was.ExactName, _ = check.UTF16(a.ex.Response.Body, "name")
	return s.readBack(ctx, was, "get.created")
}

// whenReadTimes is "it is read 10 times".
func (s *scenario) whenReadTimes(ctx context.Context, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	s.answers = nil
	for range n {
		a, err := s.get(ctx, s.own.ID)
		if err != nil {
			return err
		}
		s.expect(a, "get.found", s.run.terms.Found)
		s.answers = append(s.answers, a)
	}
	return nil
}

// thenSame is "each response is the same": by what is documented, since other fields may tell the time.
func (s *scenario) thenSame(context.Context) error {
	for i, a := range s.answers {
		first, ok := petstore.AnimalOf(s.answers[0].value.Tree)
		if !ok || i == 0 {
			continue
		}
		s.compareAnimals(petstore.Creation{Animal: first, Seq: s.answers[0].ex.Seq, Read: true}, a, "get.stable")
	}
	return nil
}

// whenOther is "the animal with its id plus 2^32 is asked for".
func (s *scenario) whenOther(ctx context.Context, how string) error {
	id, ok := new(big.Int).SetString(s.own.ID, 10)
	if !ok {
		return fmt.Errorf("%q is no id", s.own.ID)
	}
	other, err := otherID(id, how)
	if err != nil {
		return err
	}
	if !other.IsInt64() || other.Cmp(id) == 0 {
		return excusef("with the id %s there is no such other int64", s.own.ID)
	}
	a, err := s.get(ctx, other.String())
	if err != nil {
		return err
	}
	s.comesFrom(a.ex, s.own.Seq)
	s.answers = []*answer{a}
	return nil
}

// otherID makes the id that the words describe; it may lie outside int64.
func otherID(id *big.Int, how string) (*big.Int, error) {
	switch how {
	case "its id negated":
		return new(big.Int).Neg(id), nil
	case "its id with a digit appended":
		return new(big.Int).Mul(id, big.NewInt(10)), nil
	case "its id without its last digit":
		return new(big.Int).Quo(id, big.NewInt(10)), nil
	}
	words := strings.Fields(how)
	if len(words) != 4 || words[0] != "its" || words[1] != "id" {
		return nil, fmt.Errorf("no other id is called %q", how)
	}
	base, power, isPower := strings.Cut(words[3], "^")
	n, ok := new(big.Int).SetString(base, 10)
	if ok && isPower {
		var p *big.Int
		if p, ok = new(big.Int).SetString(power, 10); ok {
			n.Exp(n, p, nil)
		}
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is no number", words[3])
	case words[2] == "plus":
		return n.Add(id, n), nil
	case words[2] == "minus":
		return n.Sub(id, n), nil
	}
	return nil, fmt.Errorf("no other id is called %q", how)
}

// thenVeryID is "the response is 404 or the animal with that very id"; get.id judges the animal.
func (s *scenario) thenVeryID(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	s.expectThatOne(a)
	return nil
}

// expectThatOne judges the status of a response to a request for an id that may be somebody's. That nothing is found keeps
// get.id; what is found is judged by it when it comes.
func (s *scenario) expectThatOne(a *answer) {
	if s.expect(a, "get.extreme", 404, s.run.terms.Found) && a.status() == 404 {
		s.kept("get.id")
	}
}

// thenListedReadable is "its first and last animals can be read and are the same".
func (s *scenario) thenListedReadable(ctx context.Context) error {
	list, err := s.last()
	if err != nil {
		return err
	}
	op, err := s.operation("listPets")
	if err != nil {
		return err
	}
	rule, err := s.blameParameter(ctx, op, list, s.plainRule(op, list, s.run.terms.Listed), s.run.terms.Listed)
	if err != nil {
		return err
	}
	s.expect(list, rule, s.run.terms.Listed)
	seen := petstore.AnimalsIn("listPets", list.value.Tree)
	if len(seen) == 0 {
		return excusef("no animal is listed")
	}
	for _, x := range []petstore.SeenAnimal{seen[0], seen[len(seen)-1]} {
		if err := s.readListed(ctx, list, x); err != nil {
			return err
		}
	}
	return nil
}

// readListed reads an animal that a list showed. One that is gone from the list meanwhile proves nothing.
func (s *scenario) readListed(ctx context.Context, list *answer, x petstore.SeenAnimal) error {
	a, err := s.get(ctx, x.ID)
	if err != nil {
		return err
	}
	if a.status() == 404 {
		again, err := s.longestList(ctx, "")
		if err != nil {
			return err
		}
		if !again.has(x.ID) {
			return excusef("the animal left the list while it was read")
		}
	}
	if s.expect(a, "get.listed", s.run.terms.Found) {
		if is, ok := petstore.AnimalOf(a.value.Tree); ok && is.ID == x.ID {
			was := petstore.Creation{Animal: x.Animal, Seq: list.ex.Seq}
			was.Status, was.HasStatus = is.Status, is.HasStatus // others may change it
			s.compareAnimals(was, a, "get.listed")
		}
	}
	return nil
}

// whenAllRead is "every animal that this run created is read again".
func (s *scenario) whenAllRead(ctx context.Context) error {
	all := s.run.memory.Animals()
	if len(all) == 0 {
		return nothingCreated()
	}
	const readers = 8
	reread := make([]rereading, len(all))
	queue := make(chan int, len(all))
	for i, c := range all {
		reread[i].Creation = c
		queue <- i
	}
	close(queue)
	var wg sync.WaitGroup
	errs := make([]error, readers)
	for r := range readers {
		wg.Go(func() {
			for i := range queue {
				if errs[r] == nil {
					reread[i].answer, errs[r] = s.get(ctx, all[i].ID)
				}
			}
		})
	}
	wg.Wait()
	s.reread = reread
	return errors.Join(errs...)
}

// rereading is an animal of this run and the response to its last reading.
type rereading struct {
	petstore.Creation
	answer *answer
}

// missing is the rule that an animal's absence breaks; any other wrong status has nothing to do with this animal.
func missing(a *answer, rule string) string {
	if status := a.status(); status/100 == 2 || status == http.StatusNotFound {
		return rule
	}
	return "get.found"
}

// thenKept is "each is there with the name and the categoryId that it was answered with"; its status may have moved on.
func (s *scenario) thenKept(context.Context) error {
	for _, r := range s.reread {
		if r.answer == nil || !s.expect(r.answer, missing(r.answer, "get.kept"), s.run.terms.Found) {
			continue
		}
		was := r.Creation
		if is, ok := petstore.AnimalOf(r.answer.value.Tree); ok {
			was.Status, was.HasStatus = is.Status, is.HasStatus
		}
		s.compareAnimals(was, r.answer, "get.kept")
	}
	return nil
}

// nothingCreated ends a scenario that asks about the animals of the run where there is none yet: others that create some may
// be under way, or were stopped, so its rule was not exercised by it.
func nothingCreated() error {
	return stopf("this run has created no animal")
}
