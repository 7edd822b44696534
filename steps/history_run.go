package steps

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
	"hallmark/steps/petstore"
)

// concert is a history while it happens.
type concert struct {
	t       *scenario
	started time.Time

	mu     sync.Mutex
	events []petstore.Event
	lists  []heard
	made   []petstore.Animal
}

// heard is a list that some client got.
type heard struct {
	listing
	client       int
	begun, ended time.Duration
}

// whenAnyHistory is "generated operations of several clients are performed at once".
func (s *scenario) whenAnyHistory(ctx context.Context) error {
	n := s.run.histories()
	for i := range n {
		if !s.room(petstore.HistoryCreations) {
			return s.cut("histories", n, i)
		}
		rounds := petstore.Moves(s.run.terms.Statuses()).Example(s.run.seedOf("history", i))
		head := fmt.Sprintf("history %d of --seed %d", i+1, s.run.Seed)
		if err := s.playHistory(ctx, rounds, head); err != nil {
			return err
		}
	}
	return nil
}

// playHistory performs a history and judges it.
func (s *scenario) playHistory(ctx context.Context, rounds [][]petstore.Move, head string) error {
	c := &concert{t: s.trial(), started: time.Now()}
	whole, err := c.play(ctx, rounds)
	events := slices.DeleteFunc(append(c.events, c.listed(whole)...), func(e petstore.Event) bool {
		if (e.Kind == petstore.NotRead || e.Kind == petstore.NotListed) && s.run.tooYoung(e.ID, e.Exchange.Started) {
			return true // --settle
		}
		return e.Kind != petstore.Created && s.run.memory.IsSpoilt(e.ID) // what two animals share contradicts itself
	})
	findings := petstore.JudgeHistories(events, head+", its smallest part")
	s.absorb(c.t)
	told := map[string]bool{}
	for _, f := range c.t.findings {
		if told[f.Cause] {
			continue
		}
		told[f.Cause] = true
		// What the responses showed one by one is not told again beside the history that they are part of.
		if !slices.ContainsFunc(findings, func(g spec.Finding) bool {
			return g.Rule == f.Rule && slices.Contains(g.Exchanges, decisive(f))
		}) {
			if s.run.fails(f) {
				f.Story = s.storyOf(head+", what shows it", f)
			}
			s.report(nil, f)
		}
	}
	s.find(nil, findings...)
	s.kept(petstore.KeptBy(events, findings)...)
	if errors.As(err, new(stop)) {
		err = nil
	}
	return err
}

// decisive is the exchange that shows a finding; 0 when there is none.
func decisive(f spec.Finding) int {
	if len(f.Exchanges) == 0 {
		return 0
	}
	return f.Exchanges[len(f.Exchanges)-1]
}

// play performs the rounds: in each all clients begin at once, and wait for each other at the end. Then all that was
// created is read once more. It reports whether the store fitted into a list before and after.
func (c *concert) play(ctx context.Context, rounds [][]petstore.Move) (bool, error) {
	_, before, err := c.t.wholeStore(ctx)
	if err != nil {
		return false, err
	}
	for _, round := range rounds {
		if err := c.together(len(round), func(client int) error {
			return c.t.anew(ctx, func() error { return c.do(ctx, client, round[client]) })
		}); err != nil {
			return false, err
		}
	}
	made := c.known()
	err = c.together(petstore.HistoryClients, func(client int) error {
		for i := client; i < len(made); i += petstore.HistoryClients {
			if err := c.t.anew(ctx, func() error { return c.read(ctx, client, made[i].ID, true) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	if err := c.list(ctx, 0); err != nil {
		return false, err
	}
	_, after, err := c.t.wholeStore(ctx)
	return before && after, err
}

// together lets n clients begin at once, and waits for them all.
func (c *concert) together(n int, act func(client int) error) error {
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
		if err != nil && !errors.As(err, new(stop)) {
			return err
		}
	}
	return nil
}

func (c *concert) known() []petstore.Animal {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made)
}

func (c *concert) note(e petstore.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, e)
}

// do makes a client's move.
func (c *concert) do(ctx context.Context, client int, m petstore.Move) error {
	made := c.known()
	switch {
	case m.Kind == petstore.CreateOne:
		return c.create(ctx, client, m.Status)
	case m.Kind == petstore.ReadOwn && len(made) > 0:
		return c.read(ctx, client, made[len(made)-1-m.Which%len(made)].ID, true)
	case m.Kind == petstore.ReadNear && len(made) > 0:
		// Many services count their ids: this one may be in the making.
		id, err := strconv.ParseInt(made[len(made)-1].ID, 10, 64)
		if next := id + 1 + int64(m.Which%3); err == nil && next > id {
			return c.read(ctx, client, strconv.FormatInt(next, 10), false)
		}
		return nil
	}
	return c.list(ctx, client)
}

func (c *concert) create(ctx context.Context, client int, status string) error {
	begun := time.Since(c.started)
	a, err := c.t.create(ctx, status)
	if err != nil {
		return err
	}
	ended := time.Since(c.started)
	if made, ok := c.t.made(a); ok {
		c.note(petstore.Event{Client: client, Kind: petstore.Created, ID: made.ID, Animal: made, Begun: begun, Ended: ended, Exchange: a.ex})
		c.mu.Lock()
		c.made = append(c.made, made)
		c.mu.Unlock()
	}
	return nil
}

// read reads an animal, one that must be there or one that may be. Whether 404 is right the history tells.
func (c *concert) read(ctx context.Context, client int, id string, there bool) error {
	if _, gone := c.t.run.removed["getPet"]; gone {
		return c.list(ctx, client)
	}
	begun := time.Since(c.started)
	a, err := c.t.get(ctx, id)
	if err != nil {
		return err
	}
	e := petstore.Event{Client: client, Kind: petstore.Read, ID: id, Begun: begun, Ended: time.Since(c.started), Exchange: a.ex}
	rule := "get.extreme"
	if there {
		rule = "get.found"
	}
	if !c.t.expect(a, rule, c.t.run.terms.Found, 404) {
		return nil
	}
	is, ok := petstore.AnimalOf(a.value.Tree)
	switch {
	case a.status() == 404:
		e.Kind = petstore.NotRead
	case !ok || is.ID != id:
		return nil // the schema's finding, or get.id's
	}
	e.Animal = is
	c.note(e)
	return nil
}

func (c *concert) list(ctx context.Context, client int) error {
	begun := time.Since(c.started)
	l, err := c.t.longestList(ctx, "")
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists = append(c.lists, heard{l, client, begun, time.Since(c.started)})
	return nil
}

// listed turns the lists into events: one for each animal of the history that a list holds, and one for each that it
// lacks, where the lists hold the whole store.
func (c *concert) listed(whole bool) []petstore.Event {
	var out []petstore.Event
	slices.SortFunc(c.made, func(a, b petstore.Animal) int { return strings.Compare(a.ID, b.ID) })
	ids := slices.CompactFunc(c.made, func(a, b petstore.Animal) bool { return a.ID == b.ID })
	_, below := c.t.run.terms.Whole()
	for _, l := range c.lists {
		for _, made := range ids {
			e := petstore.Event{Client: l.client, Kind: petstore.Listed, ID: made.ID, Begun: l.begun, Ended: l.ended, Exchange: l.ex}
			at := slices.IndexFunc(l.animals, func(x petstore.SeenAnimal) bool { return x.ID == made.ID })
			switch {
			case at >= 0:
				e.Animal, e.Whole = l.animals[at].Animal, whole && l.length < below
			case whole && l.length < below && l.readable():
				e.Kind = petstore.NotListed
			default:
				continue
			}
			out = append(out, e)
		}
	}
	return out
}
