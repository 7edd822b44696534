package petstore

import (
	"context"
	"math/big"
	"slices"

	"hallmark/spec"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

const (
	// sequenceLength is how many commands a generated sequence has. Sequences are performed side by side: behind latency five of six take
	// a fifth of the time of one of thirty.
	sequenceLength, sequencesAtOnce = 6, 5
	// examplesEach is for how many examples there are that many sequences, and one history.
	examplesEach = 10
)

// whenAnySequence is "generated sequences of operations are performed", or of reading ones.
func whenAnySequence(ctx context.Context, s *scene, readOnly bool) error {
	cases := sequencesOf(s.pets, readOnly)
	return vocabulary.NewExploration(s.Scenario, vocabulary.Property[[]Command]{
		Noun: "sequence", Plural: "sequences",
		Ask: func(ctx context.Context, t *scenario.Scenario, c []Command) ([]Command, error) {
			return (&model{s: sceneOf(t)}).perform(ctx, c)
		},
		Smaller: FewerCommands,
		Creates: CreationsIn,
	}).Explore(ctx, cases)
}

// sequencesOf generates the sequences of a run.
func sequencesOf(p *pets, readOnly bool) [][]Command {
	var cases [][]Command
	for i := range sequencesAtOnce * max(1, p.ExampleCount()/examplesEach) {
		cases = append(cases, Commands(p.terms, sequenceLength, readOnly).Example(p.SeedOf("sequence", i)))
	}
	return cases
}

// historiesOf is how many concurrent histories a run generates.
func historiesOf(p *pets) int { return max(1, p.ExampleCount()/examplesEach) }

// model is what a sequence knows: the animals that it created, as they were answered, and the last list.
type model struct {
	s    *scene
	own  []*knownAnimal
	last listing
}

// knownAnimal is an animal that has to be there.
type knownAnimal struct {
	Creation
	read bool
	// seen is the exchange that showed it last.
	seen *spec.Exchange
}

// perform does the commands up to the first that shows a breach, and answers with those that it did.
func (m *model) perform(ctx context.Context, all []Command) ([]Command, error) {
	for i, c := range all {
		if err := m.s.Anew(ctx, func() error { return m.do(ctx, c) }); err != nil {
			return all[:i+1], err
		}
		if m.s.Breached() {
			return all[:i+1], nil
		}
	}
	return all, nil
}

func (m *model) do(ctx context.Context, c Command) error {
	_, noReading := m.s.Run.Removed["getPet"]
	if noReading && c.Kind != CreateOne {
		c.Kind = ListSome
	}
	switch c.Kind {
	case CreateOne:
		return m.create(ctx, c.Status)
	case ReadOwn:
		return m.readOwn(ctx, c.Which)
	case ReadListed:
		if n := len(m.last.animals); n > 0 {
			err := readListed(ctx, m.s, m.last.Answer, m.last.animals[c.Which%n])
			return vocabulary.IgnoreStop(err)
		}
		return nil
	case ReadNear:
		return m.readNear(ctx, c.Which, c.Offset)
	case ReadOther:
		ids := []string{"0", "-1", "9223372036854775807", "-9223372036854775808", "4294967296", m.s.Run.FreshID()}
		return m.readAny(ctx, ids[c.Which%len(ids)])
	case ListSome:
		return m.list(ctx, c.Status, c.Limit)
	}
	return nil
}

func (m *model) create(ctx context.Context, status string) error {
	if !slices.Contains(m.s.pets.terms.Statuses(), status) {
		status = "" // it was drawn for a list
	}
	a, err := createPet(ctx, m.s, status)
	if err != nil {
		return err
	}
	if made, ok := madeBy(a); ok && !m.s.pets.memory.IsSpoilt(made.ID) {
		m.own = append(m.own, &knownAnimal{Creation: Creation{Animal: made, Seq: a.Exchange.Seq}, seen: a.Exchange})
	}
	return nil
}

// readOwn reads an animal of the sequence: the first time it has to be as it was answered, later as it was before. Its
// status may have moved on, since transitions are open and others may act: another one counts when nothing came between,
// or when it does not even stay for another reading.
func (m *model) readOwn(ctx context.Context, which int) error {
	if len(m.own) == 0 {
		return nil
	}
	k := m.own[len(m.own)-1-which%len(m.own)]
	atOnce := k.seen == m.s.Latest()
	a, err := m.readKnown(ctx, k)
	if a == nil || err != nil {
		return err
	}
	is, ok := AnimalOf(a.Value.Tree)
	if !ok || is.ID != k.ID {
		return nil // the schema's finding, or get.id's
	}
	moved := !is.sameStatus(k.Animal)
	m.judgeKnown(k, a, atOnce)
	if !moved || atOnce {
		return nil
	}
	k.Status, k.HasStatus, k.Seq = is.Status, is.HasStatus, a.Exchange.Seq
	again, err := m.readKnown(ctx, k)
	if again != nil && err == nil {
		m.judgeKnown(k, again, true)
	}
	return err
}

// readKnown reads an animal that has to be there; nil when it is not.
func (m *model) readKnown(ctx context.Context, k *knownAnimal) (*scenario.Answer, error) {
	a, err := getPet(ctx, m.s, k.ID)
	if err != nil {
		return nil, err
	}
	rule := "get.created"
	if k.read {
		rule = "get.kept"
	}
	if !m.s.Expect(a, missing(a, rule), m.s.pets.terms.Found) {
		return nil, nil
	}
	return a, nil
}

// judgeKnown compares an animal with what is known of it, its status only if it cannot have moved on.
func (m *model) judgeKnown(k *knownAnimal, a *scenario.Answer, withStatus bool) {
	was, rule := k.Creation, "get.created"
	if k.read {
		rule = "get.stable"
	}
	if is, ok := AnimalOf(a.Value.Tree); ok && !withStatus {
		was.Status, was.HasStatus = is.Status, is.HasStatus
	}
	compareAnimals(m.s, was, a, rule)
	k.read, k.seen = true, a.Exchange
}

// readNear reads an id at a distance from a known one, or its negative: nothing is there, or an animal with that very id.
func (m *model) readNear(ctx context.Context, which int, off int64) error {
	id := new(big.Int)
	switch {
	case len(m.own) > 0:
		id.SetString(m.own[which%len(m.own)].ID, 10)
	case len(m.last.animals) > 0:
		id.SetString(m.last.animals[which%len(m.last.animals)].ID, 10)
	}
	if off == 0 {
		id.Neg(id)
	}
	if id.Add(id, big.NewInt(off)); !id.IsInt64() {
		return nil
	}
	return m.readAny(ctx, id.String())
}

// readAny reads an id that may be somebody's.
func (m *model) readAny(ctx context.Context, id string) error {
	a, err := getPet(ctx, m.s, id)
	if err != nil {
		return err
	}
	expectThatOne(m.s, a)
	return nil
}

// list asks for a list. What it holds is judged by the rules of every list; what it lacks only where it can prove that.
func (m *model) list(ctx context.Context, status, limit string) error {
	if !m.s.pets.terms.IsFilter(status) {
		status = "" // it was drawn for a creation
	}
	l, err := listPets(ctx, m.s, status, limit)
	if err != nil || l.length < 0 {
		return err
	}
	m.last = l
	if longest, below := m.s.pets.terms.Whole(); limit != longest || l.length >= below || !l.readable() {
		return nil
	}
	at := slices.IndexFunc(m.own, func(k *knownAnimal) bool {
		return !l.has(k.ID) && (status == "" || k.Status == status) && !m.s.pets.memory.IsSpoilt(k.ID)
	})
	if at < 0 {
		if status == "" && len(m.own) > 0 {
			m.s.Kept("list.complete")
		}
		return nil
	}
	return m.confirm(ctx, *m.own[at], status)
}

// confirm judges an animal that is missing from a list by the lists of the whole store, if there are any.
func (m *model) confirm(ctx context.Context, k knownAnimal, status string) error {
	before, whole, err := wholeStore(ctx, m.s)
	if err != nil || !whole {
		return err
	}
	again := before
	if status != "" {
		if again, err = longestList(ctx, m.s, status); err != nil {
			return err
		}
	}
	after, whole, err := wholeStore(ctx, m.s)
	if err != nil || !whole || !before.readable() || !again.readable() || !after.readable() {
		return err
	}
	switch {
	case status == "":
		holds(m.s, before.has(k.ID) || after.has(k.ID), after.Answer, k.Creation, "list.complete")
	case before.carries(k.ID, status) && after.carries(k.ID, status):
		holds(m.s, again.has(k.ID), again.Answer, k.Creation, "list.status.complete")
	}
	return nil
}
