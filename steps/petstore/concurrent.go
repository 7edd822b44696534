package petstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hallmark/spec"
	"hallmark/steps/scenario"
)

// concurrentRun is a history while it happens.
type concurrentRun struct {
	t       *scene
	started time.Time

	mu     sync.Mutex
	events []Event
	lists  []listedBy
	made   []Animal
}

// listedBy is a list that some client got.
type listedBy struct {
	listing
	client       int
	begun, ended time.Duration
}

// whenAnyHistory is "generated operations of several clients are performed at once".
func whenAnyHistory(ctx context.Context, s *scene) error {
	n := historiesOf(s.pets)
	for i := range n {
		if !s.Budget.Room(HistoryCreations) {
			return s.CutToBudget("histories", n, i)
		}
		rounds := Moves(s.pets.terms.Statuses()).Example(s.Run.SeedOf("history", i))
		head := fmt.Sprintf("history %d of --seed %d", i+1, s.Run.Seed)
		if err := playHistory(ctx, s, rounds, head); err != nil {
			return err
		}
	}
	return nil
}

// playHistory performs a history and judges it.
func playHistory(ctx context.Context, s *scene, rounds [][]Move, head string) error {
	c := &concurrentRun{t: sceneOf(s.Trial(false)), started: time.Now()}
	whole, err := c.play(ctx, rounds)
	events := slices.DeleteFunc(append(c.events, c.listed(whole)...), func(e Event) bool {
		if (e.Kind == NotRead || e.Kind == NotListed) && s.pets.tooYoung(e.ID, e.Exchange.Started) {
			return true // --settle
		}
		return e.Kind != Created && s.pets.memory.IsSpoilt(e.ID) // what two animals share contradicts itself
	})
	findings := JudgeHistories(events, head+", its smallest part")
	for i, f := range findings {
		if f.Rule == "get.created" && f.About.Shows == spec.Missing && s.pets.droppedFor(f.About.IDs[0]) {
			findings[i].After = "get.kept"
		}
	}
	s.Absorb(c.t.Scenario)
	told := map[string]bool{}
	for _, f := range c.t.Findings() {
		if told[f.Cause] {
			continue
		}
		told[f.Cause] = true
		// What the responses showed one by one is not told again beside the history that they are part of.
		if !slices.ContainsFunc(findings, func(g spec.Finding) bool {
			return g.Rule == f.Rule && slices.Contains(g.Exchanges, f.Decisive())
		}) {
			if s.Run.Fails(f) {
				f.Story = s.Story(head+", what shows it", f)
			}
			s.Report(nil, f)
		}
	}
	s.Find(nil, findings...)
	s.Kept(KeptBy(events, findings)...)
	if errors.As(err, new(scenario.Stop)) {
		err = nil
	}
	return err
}

// play performs the rounds: in each all clients begin at once, and wait for each other at the end. Then all that was
// created is read once more. It reports whether the store fitted into a list before and after.
func (c *concurrentRun) play(ctx context.Context, rounds [][]Move) (bool, error) {
	_, before, err := wholeStore(ctx, c.t)
	if err != nil {
		return false, err
	}
	ctx = scenario.Together(ctx)
	for _, round := range rounds {
		if err := c.together(len(round), func(client int) error {
			return c.t.Anew(ctx, func() error { return c.do(ctx, client, round[client]) })
		}); err != nil {
			return false, err
		}
	}
	made := c.known()
	err = c.together(HistoryClients, func(client int) error {
		for i := client; i < len(made); i += HistoryClients {
			if err := c.t.Anew(ctx, func() error { return c.read(ctx, client, made[i].ID, true) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	if err := c.list(ctx, 0); err != nil || !before {
		return false, err
	}
	_, after, err := wholeStore(ctx, c.t)
	return before && after, err
}

// together lets n clients begin at once, and waits for them all.
func (c *concurrentRun) together(n int, act func(client int) error) error {
	start := make(chan struct{})
	errs := make([]error, n)
	var wg sync.WaitGroup
	for client := range n {
		wg.Go(func() {
			<-start
			errs[client] = act(client)
		})
	}
	close(start)
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.As(err, new(scenario.Stop)) {
			return err
		}
	}
	return nil
}

func (c *concurrentRun) known() []Animal {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made)
}

func (c *concurrentRun) note(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, e)
}

// do makes a client's move.
func (c *concurrentRun) do(ctx context.Context, client int, m Move) error {
	made := c.known()
	switch {
	case m.Kind == CreateOne:
		return c.create(ctx, client, m.Status)
	case m.Kind == ReadOwn && len(made) > 0:
		return c.read(ctx, client, made[len(made)-1-m.Which%len(made)].ID, true)
	case m.Kind == ReadNear && len(made) > 0:
		// Many services count their ids: this one may be in the making.
		id, err := strconv.ParseInt(made[len(made)-1].ID, 10, 64)
		if next := id + 1 + int64(m.Which%3); err == nil && next > id {
			return c.read(ctx, client, strconv.FormatInt(next, 10), false)
		}
		return nil
	}
	return c.list(ctx, client)
}

func (c *concurrentRun) create(ctx context.Context, client int, status string) error {
	begun := time.Since(c.started)
	a, err := createPet(ctx, c.t, status)
	if err != nil {
		return err
	}
	ended := time.Since(c.started)
	if made, ok := madeBy(a); ok {
		c.note(Event{Client: client, Kind: Created, ID: made.ID, Animal: made, Begun: begun, Ended: ended, Exchange: a.Exchange})
		c.mu.Lock()
		c.made = append(c.made, made)
		c.mu.Unlock()
	}
	return nil
}

// read reads an animal, one that must be there or one that may be. Whether 404 is right the history tells.
func (c *concurrentRun) read(ctx context.Context, client int, id string, there bool) error {
	if _, gone := c.t.Run.Removed["getPet"]; gone {
		return c.list(ctx, client)
	}
	begun := time.Since(c.started)
	a, err := getPet(ctx, c.t, id)
	if err != nil {
		return err
	}
	e := Event{Client: client, Kind: Read, ID: id, Begun: begun, Ended: time.Since(c.started), Exchange: a.Exchange}
	rule := "get.extreme"
	if there {
		rule = "get.found"
	}
	if !c.t.Expect(a, rule, c.t.pets.terms.Found, 404) {
		return nil
	}
	is, ok := AnimalOf(a.Value.Tree)
	switch {
	case a.Status() == 404:
		e.Kind = NotRead
	case !ok || is.ID != id:
		return nil // the schema's finding, or get.id's
	}
	e.Animal = is
	c.note(e)
	return nil
}

func (c *concurrentRun) list(ctx context.Context, client int) error {
	begun := time.Since(c.started)
	l, err := longestList(ctx, c.t, "")
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists = append(c.lists, listedBy{l, client, begun, time.Since(c.started)})
	return nil
}

// listed turns the lists into events: one for each animal of the history that a list holds, and one for each that it
// lacks, where the lists hold the whole store.
func (c *concurrentRun) listed(whole bool) []Event {
	var out []Event
	slices.SortFunc(c.made, func(a, b Animal) int { return strings.Compare(a.ID, b.ID) })
	ids := slices.CompactFunc(c.made, func(a, b Animal) bool { return a.ID == b.ID })
	_, below := c.t.pets.terms.Whole()
	for _, l := range c.lists {
		for _, made := range ids {
			e := Event{Client: l.client, Kind: Listed, ID: made.ID, Begun: l.begun, Ended: l.ended, Exchange: l.Exchange}
			at := slices.IndexFunc(l.animals, func(x SeenAnimal) bool { return x.ID == made.ID })
			switch {
			case at >= 0:
				e.Animal, e.Whole = l.animals[at].Animal, whole && l.length < below
			case whole && l.length < below && l.readable():
				e.Kind = NotListed
			default:
				continue
			}
			out = append(out, e)
		}
	}
	return out
}
