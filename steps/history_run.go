package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"hallmark/spec"
	"hallmark/steps/generate"
)

const (
	// historyClients do historyRounds operations each, of which historyCreations at most create an animal.
	historyClients, historyRounds, historyCreations = 6, 7, 12
)

// move is what one client does in one round of a history.
type move struct {
	kind   commandKind
	which  int
	status string
}

// moves generates the rounds of a history: for each a move of every client.
func moves(statuses []string) *rapid.Generator[[][]move] {
	one := rapid.Custom(func(t *rapid.T) move {
		return move{
			kind:   generate.Evenly([]commandKind{createOne, readOwn, listSome, createOne, readOwn, readNear}).Draw(t, "kind"),
			which:  generate.Evenly([]int{0, 0, 0, 1, 2, 3, 5, 8}).Draw(t, "which"),
			status: generate.Evenly(append(slices.Clip(statuses), "")).Draw(t, "status"),
		}
	})
	rounds := rapid.SliceOfN(rapid.SliceOfN(one, historyClients, historyClients), historyRounds, historyRounds)
	return rapid.Map(rounds, func(all [][]move) [][]move {
		creations := 0
		for i, round := range all {
			for k := range round {
				if i == 0 && k < 3 {
					round[k].kind = createOne // so that the others have something to look at
				}
				if round[k].kind == createOne {
					if creations++; creations > historyCreations {
						round[k].kind = readOwn
					}
				}
			}
		}
		return all
	})
}

// concert is a history while it happens.
type concert struct {
	t       *scenario
	started time.Time

	mu     sync.Mutex
	events []event
	lists  []heard
	made   []animal
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
		if !s.room(historyCreations) {
			return s.cut("histories", n, i)
		}
		rounds := moves(s.run.terms.statuses()).Example(s.run.seedOf("history", i))
		head := fmt.Sprintf("history %d of --seed %d", i+1, s.run.Seed)
		if err := s.playHistory(ctx, rounds, head); err != nil {
			return err
		}
	}
	return nil
}

// playHistory performs a history and judges it.
func (s *scenario) playHistory(ctx context.Context, rounds [][]move, head string) error {
	c := &concert{t: s.trial(), started: time.Now()}
	whole, err := c.play(ctx, rounds)
	events := slices.DeleteFunc(append(c.events, c.listed(whole)...), func(e event) bool {
		if (e.deed == deedNotRead || e.deed == deedNotListed) && s.run.tooYoung(e.id, e.ex.Started) {
			return true // --settle
		}
		return e.deed != deedCreated && s.run.memory.isSpoilt(e.id) // what two animals share contradicts itself
	})
	findings := judgeHistories(events, head+", its smallest part")
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
	s.kept(keptBy(events, findings)...)
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

// keptBy lists the rules that events put to the test and kept: those of ids that were created here, and met again. An id
// whose history is not allowed, or could not be judged, shows none.
func keptBy(events []event, findings []spec.Finding) []string {
	rules := map[string]bool{}
	for _, h := range byID(events) {
		h = h.judgeable()
		if len(h) < 2 || h.verdict() != porcupine.Ok {
			continue
		}
		for _, e := range h {
			if e.deed == deedRead {
				rules["get.created"] = true
			}
			if e.deed == deedListed {
				rules["pet.identity"] = true
				rules["list.complete"] = rules["list.complete"] || e.whole
			}
		}
	}
	for _, f := range findings {
		delete(rules, f.Rule)
	}
	maps.DeleteFunc(rules, func(_ string, kept bool) bool { return !kept })
	return slices.Sorted(maps.Keys(rules))
}

// play performs the rounds: in each all clients begin at once, and wait for each other at the end. Then all that was
// created is read once more. It reports whether the store fitted into a list before and after.
func (c *concert) play(ctx context.Context, rounds [][]move) (bool, error) {
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
	err = c.together(historyClients, func(client int) error {
		for i := client; i < len(made); i += historyClients {
			if err := c.t.anew(ctx, func() error { return c.read(ctx, client, made[i].id, true) }); err != nil {
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

func (c *concert) known() []animal {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made)
}

func (c *concert) note(e event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, e)
}

// do makes a client's move.
func (c *concert) do(ctx context.Context, client int, m move) error {
	made := c.known()
	switch {
	case m.kind == createOne:
		return c.create(ctx, client, m.status)
	case m.kind == readOwn && len(made) > 0:
		return c.read(ctx, client, made[len(made)-1-m.which%len(made)].id, true)
	case m.kind == readNear && len(made) > 0:
		// Many services count their ids: this one may be in the making.
		id, err := strconv.ParseInt(made[len(made)-1].id, 10, 64)
		if next := id + 1 + int64(m.which%3); err == nil && next > id {
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
		c.note(event{client: client, deed: deedCreated, id: made.id, animal: made, begun: begun, ended: ended, ex: a.ex})
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
	e := event{client: client, deed: deedRead, id: id, begun: begun, ended: time.Since(c.started), ex: a.ex}
	rule := "get.extreme"
	if there {
		rule = "get.found"
	}
	if !c.t.expect(a, rule, c.t.run.terms.found, 404) {
		return nil
	}
	is, ok := animalOf(a.value.Tree)
	switch {
	case a.status() == 404:
		e.deed = deedNotRead
	case !ok || is.id != id:
		return nil // the schema's finding, or get.id's
	}
	e.animal = is
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
func (c *concert) listed(whole bool) []event {
	var out []event
	slices.SortFunc(c.made, func(a, b animal) int { return strings.Compare(a.id, b.id) })
	ids := slices.CompactFunc(c.made, func(a, b animal) bool { return a.id == b.id })
	_, below := c.t.run.terms.whole()
	for _, l := range c.lists {
		for _, made := range ids {
			e := event{client: l.client, deed: deedListed, id: made.id, begun: l.begun, ended: l.ended, ex: l.ex}
			at := slices.IndexFunc(l.animals, func(x seenAnimal) bool { return x.id == made.id })
			switch {
			case at >= 0:
				e.animal, e.whole = l.animals[at].animal, whole && l.length < below
			case whole && l.length < below && l.readable():
				e.deed = deedNotListed
			default:
				continue
			}
			out = append(out, e)
		}
	}
	return out
}
