package petstore

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
	"hallmark/steps/truncate"
	"hallmark/steps/vocabulary"
)

// Steps that read animals one by one.

// readBack judges that an animal is found as it was created, by getPet, or by the list once getPet is removed.
func readBack(ctx context.Context, s *scene, was Creation, rule string) error {
	if s.pets.memory.IsSpoilt(was.ID) {
		return scenario.Stopf("the id %s was given to two animals", was.ID)
	}
	if _, gone := s.Run.Removed["getPet"]; gone {
		return readBackFromList(ctx, s, was)
	}
	a, err := getPet(ctx, s, was.ID)
	if err != nil {
		return err
	}
	statusRule := rule
	if !vocabulary.IsStatusRule(s.Run, rule) {
		statusRule = "get.created"
	}
	if !s.Expect(a, statusRule, s.pets.terms.Found) {
		return nil
	}
	compareAnimals(s, was, a, rule)
	return nil
}

// compareAnimals judges an animal that was read by the one that was created.
func compareAnimals(s *scene, was Creation, a *scenario.Answer, rule string) {
	is, ok := AnimalOf(a.Value.Tree)
	if !ok || is.ID != was.ID {
		return // the schema's finding, or get.id's
	}
	sameName := is.Name == was.Name || s.pets.memory.IsUnforeseen(was.ID)
	if sameName && is.Category == was.Category && is.sameStatus(was.Animal) {
		s.Kept(rule)
		return
	}
	as := ", as it was answered on creation"
	if was.Read {
		as = ", as it was answered before"
	}
	exchanges := []int{was.Seq, a.Exchange.Seq}
	if sent, err := s.Last(); err == nil && rule == "create.id.own" {
		exchanges = []int{was.Seq, sent.Exchange.Seq, a.Exchange.Seq} // what was sent in between is what may have changed it
	}
	differ := func(field string, before, is phrase.Phrase) { // before is told with the name of its field
		s.Find(a.Exchange, spec.Finding{
			Rule: rule, Kind: spec.KindDiffers, Expected: before.With(as), Actual: is,
			Where: check.Place(a.Exchange).At("/" + field), Pointer: "/" + field, Exchanges: exchanges, Cause: rule + " " + field,
			About: spec.About{IDs: []string{was.ID}, Shows: spec.Differs},
			After: whyDiffers(s, was, field, rule),
		})
	}
	value := func(field string, before, is phrase.Value) {
		differ(field, phrase.Of("{} {}", phrase.Field(field), before), phrase.Of("{}", is))
	}
	if !sameName {
		value("name", truncate.String(was.Name), truncate.String(is.Name))
	}
	if is.Category != was.Category {
		value("categoryId", phrase.JSON(was.Category), phrase.JSON(is.Category))
	}
	if !is.sameStatus(was.Animal) {
		differ("status", was.status(), is.status())
	}
}

// whyDiffers names the rule that is broken already where a field differs from an earlier response: that answer was wrong, or
// it was read, and reading twice gives different animals.
func whyDiffers(s *scene, was Creation, field, rule string) string {
	echo := "create.echo." + field
	switch {
	case misreadBefore(s, was.Seq, echo) != "", field == "status" && !was.HasStatus && !was.Read:
		return echo // a response to a creation without a status may lack the one that the animal has
	case was.Read && rule != "get.stable":
		return "get.stable"
	}
	return ""
}

// misreadBefore names the rule by which the creation's answer was wrong already, if it was: then what is read later differs
// from that response, but is not to blame.
func misreadBefore(s *scene, seq int, rule string) string {
	if s.Found(func(f spec.Finding) bool { return f.Rule == rule && slices.Contains(f.Exchanges, seq) }) {
		return rule
	}
	return ""
}

// readBackFromList finds an animal in the list that holds the whole store, if one does.
func readBackFromList(ctx context.Context, s *scene, was Creation) error {
	before, whole, err := wholeStore(ctx, s)
	if err != nil {
		return err
	}
	if !whole {
		return scenario.Excusef("getPet is removed, and no list can hold the whole store")
	}
	after, whole, err := wholeStore(ctx, s)
	if err != nil || !whole {
		return err
	}
	holds(s, before.has(was.ID) || after.has(was.ID), after.Answer, was, "list.complete")
	return nil
}

// thenReadBack is "it is read back as it was answered[, if it was accepted]".
func thenReadBack(ctx context.Context, s *scene, onlyIfAccepted bool) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	made, ok := madeBy(a)
	if !ok {
		if onlyIfAccepted {
			return nil
		}
		return scenario.Stopf("createPet did not answer with an animal")
	}
	return readBack(ctx, s, Creation{Animal: made, Seq: a.Exchange.Seq}, "get.created")
}

// whenOther is "the animal with its id plus 2^32 is asked for".
func whenOther(ctx context.Context, s *scene, how string) error {
	id, ok := new(big.Int).SetString(s.own.ID, 10)
	if !ok {
		return fmt.Errorf("%q is no id", s.own.ID)
	}
	other, err := otherID(id, how)
	if err != nil {
		return err
	}
	if !other.IsInt64() || other.Cmp(id) == 0 {
		return scenario.Excusef("with the id %s there is no such other int64", s.own.ID)
	}
	a, err := getPet(ctx, s, other.String())
	if err != nil {
		return err
	}
	s.ComesFrom(a.Exchange, s.own.Seq)
	s.SetAnswers(a)
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
func thenVeryID(_ context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	expectThatOne(s, a)
	return nil
}

// expectThatOne judges the status of a response to a request for an id that may be somebody's. That nothing is found keeps
// get.id; what is found is judged by it when it comes.
func expectThatOne(s *scene, a *scenario.Answer) {
	if s.Expect(a, "get.extreme", 404, s.pets.terms.Found) && a.Status() == 404 {
		s.Kept("get.id")
	}
}

// thenListedReadable is "its first and last animals can be read and are the same".
func thenListedReadable(ctx context.Context, s *scene) error {
	list, err := s.Last()
	if err != nil {
		return err
	}
	op, err := s.Operation("listPets")
	if err != nil {
		return err
	}
	rule, err := vocabulary.NarrowToParameter(ctx, s.Scenario, op, list, vocabulary.PlainRule(s.Scenario, op, list, s.pets.terms.Listed), s.pets.terms.Listed)
	if err != nil {
		return err
	}
	s.Expect(list, rule, s.pets.terms.Listed)
	seen := AnimalsIn("listPets", list.Value.Tree)
	if len(seen) == 0 {
		return scenario.Excusef("no animal is listed")
	}
	for _, x := range []SeenAnimal{seen[0], seen[len(seen)-1]} {
		if err := readListed(ctx, s, list, x); err != nil {
			return err
		}
	}
	return nil
}

// readListed reads an animal that a list showed. One that is gone from the list meanwhile proves nothing.
func readListed(ctx context.Context, s *scene, list *scenario.Answer, x SeenAnimal) error {
	a, err := getPet(ctx, s, x.ID)
	if err != nil {
		return err
	}
	if a.Status() == 404 {
		again, err := longestList(ctx, s, "")
		if err != nil {
			return err
		}
		if !again.has(x.ID) {
			return scenario.Excusef("the animal left the list while it was read")
		}
	}
	if s.Expect(a, "get.listed", s.pets.terms.Found) {
		if is, ok := AnimalOf(a.Value.Tree); ok && is.ID == x.ID {
			was := Creation{Animal: x.Animal, Seq: list.Exchange.Seq}
			was.Status, was.HasStatus = is.Status, is.HasStatus // others may change it
			compareAnimals(s, was, a, "get.listed")
		}
	}
	return nil
}

// How many of the oldest animals are read again though they are listed and were read before, and one of how many of all is.
const (
	rereadOldest = 16
	rereadOneIn  = 8
)

// whenAllLookedUp is "every animal that this run created is looked for again": in the lists first, and by its id where none holds it. What is
// listed is read all the same where nothing has read it yet, and of the others the oldest, which a service forgets first, and some more.
func whenAllLookedUp(ctx context.Context, s *scene) error {
	all := s.pets.memory.Animals()
	if len(all) == 0 {
		return nothingCreated()
	}
	lists, err := longestLists(ctx, s, s.pets.terms.AllLists())
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for _, l := range lists {
		for _, x := range l.animals {
			listed[x.ID] = true
		}
	}
	nth := 0
	all = slices.DeleteFunc(all, func(c Creation) bool {
		nth++
		return listed[c.ID] && c.Found && nth > rereadOldest && nth%rereadOneIn != 0
	})
	reread := make([]rereading, len(all))
	err = s.Run.Lanes.Do(len(all), func(i int) (err error) {
		reread[i].Creation = all[i]
		reread[i].answer, err = getPet(ctx, s, all[i].ID)
		return err
	})
	s.reread = reread
	return err
}

// missing is the rule that an animal's absence breaks; any other wrong status has nothing to do with this animal.
func missing(a *scenario.Answer, rule string) string {
	if status := a.Status(); status/100 == 2 || status == http.StatusNotFound {
		return rule
	}
	return "get.found"
}

// thenKept is "each is there with the name and the categoryId that it was answered with"; its status may have moved on. What lists show
// of an animal was judged when they came.
func thenKept(_ context.Context, s *scene) error {
	for _, r := range s.reread {
		if r.answer == nil || !s.Expect(r.answer, missing(r.answer, "get.kept"), s.pets.terms.Found) {
			continue
		}
		was := r.Creation
		if is, ok := AnimalOf(r.answer.Value.Tree); ok {
			was.Status, was.HasStatus = is.Status, is.HasStatus
		}
		compareAnimals(s, was, r.answer, "get.kept")
	}
	return nil
}

// whenReadTimes is "it is read 10 times": twice in a row, and then at the same time.
func whenReadTimes(ctx context.Context, s *scene, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	all := make([]*scenario.Answer, n)
	read := func(i int) (err error) {
		if all[i], err = getPet(ctx, s, s.own.ID); err == nil {
			s.Expect(all[i], "get.found", s.pets.terms.Found)
		}
		return err
	}
	inARow := min(2, n)
	for i := range inARow {
		if err := read(i); err != nil {
			return err
		}
	}
	err = s.Run.Lanes.Do(n-inARow, func(i int) error { return read(inARow + i) })
	s.SetAnswers(slices.DeleteFunc(all, func(a *scenario.Answer) bool { return a == nil })...)
	return err
}

// thenSame is "each response is the same": by what is documented, since other fields may tell the time.
func thenSame(_ context.Context, s *scene) error {
	for i, a := range s.Answers() {
		first, ok := AnimalOf(s.Answers()[0].Value.Tree)
		if !ok || i == 0 {
			continue
		}
		compareAnimals(s, Creation{Animal: first, Seq: s.Answers()[0].Exchange.Seq, Read: true}, a, "get.stable")
	}
	return nil
}
