package steps

import (
	"context"
	"math/big"
	"slices"

	"hallmark/spec"
	"hallmark/steps/petstore"
)

const (
	// sequenceLength is how many commands a generated sequence has.
	sequenceLength = 30
	// examplesEach is for how many examples there is one sequence, and one history.
	examplesEach = 10
)

// whenAnySequence is "generated sequences of operations are performed", or of reading ones.
func (s *scenario) whenAnySequence(ctx context.Context, readOnly bool) error {
	cases := s.run.sequences(readOnly)
	return newExploration(s, property[[]petstore.Command]{
		noun: "sequence", plural: "sequences",
		ask: func(ctx context.Context, t *scenario, c []petstore.Command) ([]petstore.Command, error) {
			return (&model{s: t}).perform(ctx, c)
		},
		smaller: petstore.FewerCommands,
		animals: petstore.CreationsIn,
	}).explore(ctx, cases)
}

// sequences generates the sequences of a run.
func (r *run) sequences(readOnly bool) [][]petstore.Command {
	var cases [][]petstore.Command
	for i := range max(1, r.examples()/examplesEach) {
		cases = append(cases, petstore.Commands(r.terms, sequenceLength, readOnly).Example(r.seedOf("sequence", i)))
	}
	return cases
}

// histories is how many concurrent histories a run generates.
func (r *run) histories() int { return max(1, r.examples()/examplesEach) }

// model is what a sequence knows: the animals that it created, as they were answered, and the last list.
type model struct {
	s    *scenario
	own  []*knownAnimal
	last listing
}

// knownAnimal is an animal that has to be there.
type knownAnimal struct {
	petstore.Creation
	read bool
	// seen is the exchange that showed it last.
	seen *spec.Exchange
}

// perform does the commands up to the first that shows a breach, and answers with those that it did.
func (m *model) perform(ctx context.Context, all []petstore.Command) ([]petstore.Command, error) {
	for i, c := range all {
		if err := m.s.anew(ctx, func() error { return m.do(ctx, c) }); err != nil {
			return all[:i+1], err
		}
		if m.s.breached() {
			return all[:i+1], nil
		}
	}
	return all, nil
}

// breached reports whether the scenario has found what makes the run fail.
func (s *scenario) breached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.countSerious() > 0
}

func (m *model) do(ctx context.Context, c petstore.Command) error {
	_, noReading := m.s.run.removed["getPet"]
	if noReading && c.Kind != petstore.CreateOne {
		c.Kind = petstore.ListSome
	}
	switch c.Kind {
	case petstore.CreateOne:
		return m.create(ctx, c.Status)
	case petstore.ReadOwn:
		return m.readOwn(ctx, c.Which)
	case petstore.ReadListed:
		if n := len(m.last.animals); n > 0 {
			err := m.s.readListed(ctx, m.last.answer, m.last.animals[c.Which%n])
			return ignoreStop(err)
		}
		return nil
	case petstore.ReadNear:
		return m.readNear(ctx, c.Which, c.Offset)
	case petstore.ReadOther:
		ids := []string{"0", "-1", "9223372036854775807", "-9223372036854775808", "4294967296", m.s.run.FreshID()}
		return m.readAny(ctx, ids[c.Which%len(ids)])
	case petstore.ListSome:
		return m.list(ctx, c.Status, c.Limit)
	}
	return nil
}

func (m *model) create(ctx context.Context, status string) error {
	if !slices.Contains(m.s.run.terms.Statuses(), status) {
		status = "" // it was drawn for a list
	}
	a, err := m.s.create(ctx, status)
	if err != nil {
		return err
	}
	if made, ok := m.s.made(a); ok && !m.s.run.memory.IsSpoilt(made.ID) {
		m.own = append(m.own, &knownAnimal{Creation: petstore.Creation{Animal: made, Seq: a.ex.Seq}, seen: a.ex})
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
	atOnce := k.seen == m.s.latest()
	a, err := m.readKnown(ctx, k)
	if a == nil || err != nil {
		return err
	}
	is, ok := petstore.AnimalOf(a.value.Tree)
	if !ok || is.ID != k.ID {
		return nil // the schema's finding, or get.id's
	}
	moved := is.StatusText() != k.StatusText()
	m.judgeKnown(k, a, atOnce)
	if !moved || atOnce {
		return nil
	}
	k.Status, k.HasStatus, k.Seq = is.Status, is.HasStatus, a.ex.Seq
	again, err := m.readKnown(ctx, k)
	if again != nil && err == nil {
		m.judgeKnown(k, again, true)
	}
	return err
}

// readKnown reads an animal that has to be there; nil when it is not.
func (m *model) readKnown(ctx context.Context, k *knownAnimal) (*answer, error) {
	a, err := m.s.get(ctx, k.ID)
	if err != nil {
		return nil, err
	}
	rule := "get.created"
	if k.read {
		rule = "get.kept"
	}
	if !m.s.expect(a, missing(a, rule), m.s.run.terms.Found) {
		return nil, nil
	}
	return a, nil
}

// judgeKnown compares an animal with what is known of it, its status only if it cannot have moved on.
func (m *model) judgeKnown(k *knownAnimal, a *answer, withStatus bool) {
	was, rule := k.Creation, "get.created"
	if k.read {
		rule = "get.stable"
	}
	if is, ok := petstore.AnimalOf(a.value.Tree); ok && !withStatus {
		was.Status, was.HasStatus = is.Status, is.HasStatus
	}
	m.s.compareAnimals(was, a, rule)
	k.read, k.seen = true, a.ex
}

// latest is the scenario's last exchange; nil before the first.
func (s *scenario) latest() *spec.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.exchanges) == 0 {
		return nil
	}
	return s.exchanges[len(s.exchanges)-1]
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
	a, err := m.s.get(ctx, id)
	if err != nil {
		return err
	}
	m.s.expectThatOne(a)
	return nil
}

// list asks for a list. What it holds is judged by the rules of every list; what it lacks only where it can prove that.
func (m *model) list(ctx context.Context, status, limit string) error {
	if !m.s.run.terms.IsFilter(status) {
		status = "" // it was drawn for a creation
	}
	l, err := m.s.list(ctx, status, limit)
	if err != nil || l.length < 0 {
		return err
	}
	m.last = l
	if longest, below := m.s.run.terms.Whole(); limit != longest || l.length >= below || !l.readable() {
		return nil
	}
	at := slices.IndexFunc(m.own, func(k *knownAnimal) bool {
		return !l.has(k.ID) && (status == "" || k.Status == status) && !m.s.run.memory.IsSpoilt(k.ID)
	})
	if at < 0 {
		if status == "" && len(m.own) > 0 {
			m.s.kept("list.complete")
		}
		return nil
	}
	return m.confirm(ctx, *m.own[at], status)
}

// readable reports whether every item of a list is an animal: what one that is none stands for nobody knows.
func (l listing) readable() bool { return l.length == len(l.animals) }

// confirm judges an animal that is missing from a list by the lists of the whole store, if there are any.
func (m *model) confirm(ctx context.Context, k knownAnimal, status string) error {
	before, whole, err := m.s.wholeStore(ctx)
	if err != nil || !whole {
		return err
	}
	again := before
	if status != "" {
		if again, err = m.s.longestList(ctx, status); err != nil {
			return err
		}
	}
	after, whole, err := m.s.wholeStore(ctx)
	if err != nil || !whole || !before.readable() || !again.readable() || !after.readable() {
		return err
	}
	switch {
	case status == "":
		m.s.holds(before.has(k.ID) || after.has(k.ID), after.answer, k.Creation, "list.complete")
	case before.carries(k.ID, status) && after.carries(k.ID, status):
		m.s.holds(again.has(k.ID), again.answer, k.Creation, "list.status.complete")
	}
	return nil
}
