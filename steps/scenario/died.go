package scenario

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/steps/check"
	"hallmark/steps/client"
)

// A target that dies of a request and is started again breaks the connection each time that it gets that request. A network that breaks
// connections by chance looks the same once or twice, and so does every request that is under way when the target dies of another one. So a
// scenario that is lost again and again is played by itself, with a request before and after it that the target has to answer.

// Death says how a target was lost each time that a scenario was played by itself.
type Death struct {
	// Operation is that of the request by which it was lost.
	Operation string
	// Times is how often the scenario was played by itself, Away after how many of these the target could not be connected to for a while.
	Times, Away int
}

// enoughDeaths is how often a target has to be away after a scenario that is played by itself to be known to die of it, mostAlone how often
// such a scenario is played where it is there again at once.
const enoughDeaths, mostAlone = 2, 4

// Decided reports whether the scenario needs not be played once more.
func (d Death) Decided() bool { return d.Away >= enoughDeaths || d.Times >= mostAlone }

// deaths are what a run knows of requests that the target did not survive. Safe for concurrent use.
type deaths struct {
	mu sync.Mutex
	// control is a read that was answered, and whole reports whether its path names no single resource.
	control client.Call
	whole   bool
	// lost counts how often in a row operations were lost, whoever called them.
	lost map[string]int
	// died are the scenarios that were lost each time, by the operation.
	died map[string]map[string]Death
}

// note keeps that a request was answered.
func (d *deaths) note(call *client.Call, contract *spec.Contract) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.lost, call.Operation)
	if op, known := contract.Operation(call.Operation); !d.whole && known && call.Method == http.MethodGet && !call.Streams {
		d.control, d.whole = *call, !strings.Contains(op.Path, "{")
		d.control.Judge, d.control.Loss = nil, nil
	}
}

// row returns how often in a row an operation was lost, whoever called it.
func (d *deaths) row(operation string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost[operation]
}

// broke notes that the connection of a request broke.
func (d *deaths) broke(operation string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost == nil {
		d.lost = map[string]int{}
	}
	d.lost[operation]++
}

const (
	// mostRow is how often in a row a scenario, or any, may be lost by one operation before it is played by itself.
	mostRow = 3
	// mostDied is how many scenarios of one operation may be lost each time before the operation is not called any more.
	mostDied = 3
)

// ends returns why an operation is not called any more; empty where it is.
func (d *deaths) ends(operation string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.died[operation]) < mostDied {
		return ""
	}
	return operation + " is not called any more: in " + text.Count(mostDied, "scenario") + " of it the connection broke each time"
}

// LostBy returns the operation whose connection broke when the scenario was lost last; empty where it was lost otherwise, or not.
func (s *Scenario) LostBy() string {
	if lost := s.losses(); lost.count > 0 {
		return lost.operation
	}
	return ""
}

// Suspect reports whether the scenario, which was lost, is to be played by itself, rather than once more beside others: see [Death].
func (s *Scenario) Suspect() bool {
	by, row := s.LostBy(), 1
	if s.before != nil && s.before.operation == by {
		row += s.before.inARow
	}
	d := &s.Run.deaths
	d.mu.Lock()
	defer d.mu.Unlock()
	return by != "" && (row >= mostRow || d.lost[by] >= mostRow || len(d.died[by]) > 0)
}

// Insist makes the scenario call operations, too, that are not called any more.
func (s *Scenario) Insist() { s.insists = true }

// mostControls is how often a request is sent that the target has to answer.
const mostControls = 8

// Responds reports whether the target answers a request that it answered before, and whether it was away at first.
func (c *Caller) Responds(ctx context.Context) (away, ok bool) {
	before := c.run.contact.Interruptions().Refused
	for tries, pause := 0, leastSettling; tries < mostControls; tries, pause = tries+1, min(2*pause, MostSettle) {
		ex, err := c.control(ctx)
		if err != nil {
			return false, false
		}
		if ex.Lost == "" {
			return tries > 0 || c.run.contact.Interruptions().Refused > before, true
		}
		if client.Sleep(ctx, pause) != nil {
			return false, false
		}
	}
	return false, false
}

// control sends a request that the target answered before, or asks for the address itself, where any response will do.
func (c *Caller) control(ctx context.Context) (*spec.Exchange, error) {
	d := &c.run.deaths
	d.mu.Lock()
	call := d.control
	d.mu.Unlock()
	if call.Method == "" {
		call = client.Call{Method: http.MethodGet, Path: "/"}
	}
	call.About, call.Scenario, call.Loss = "to see whether the target answers", c.scenario, new(client.Loss)
	ex, err := c.run.Client.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	ex.Scenario = c.scenario
	c.ledger.AddExchange(ex)
	if ex.Lost == "" {
		c.run.contact.Answered()
	}
	return ex, nil
}

// FindDeath notes that the target did not survive the request by which the scenario was lost, and reports whether that is held against it:
// where it was away after it, and where a request that keeps the contract gets no response. A connection that is broken for a request that
// breaks the contract, by a target that lives on, is no more than a server error would be.
func (s *Scenario) FindDeath(d Death) bool {
	all := slices.DeleteFunc(s.Exchanges(), func(ex *spec.Exchange) bool { return ex.Operation != d.Operation || ex.Lost == "" })
	if len(all) == 0 {
		return false
	}
	lost := all[len(all)-1]
	kinds := []promise.Kind{promise.Available, promise.Success, promise.Robust}
	actual := phrase.Of("none: it went away, and had to be started again, each of the {} times that this was asked by itself", phrase.Number(d.Times))
	if d.Away < enoughDeaths {
		actual = phrase.Of("none: the connection broke each of the {} times that this was asked by itself, and other requests were answered before and after", phrase.Number(d.Times))
		if s.Run.Promises == nil {
			return false
		}
		if s.breaks() {
			kinds = []promise.Kind{promise.Robust}
		}
	}
	rule := s.Run.ruleOf(d.Operation, kinds)
	if rule == "" {
		return false
	}
	s.Run.deaths.mu.Lock()
	defer s.Run.deaths.mu.Unlock()
	if s.Run.deaths.died == nil {
		s.Run.deaths.died = map[string]map[string]Death{}
	}
	if s.Run.deaths.died[d.Operation] == nil {
		s.Run.deaths.died[d.Operation] = map[string]Death{}
	}
	s.Run.deaths.died[d.Operation][s.ID()] = d
	s.Find(lost, spec.Finding{
		Rule: rule, Operation: d.Operation, Kind: spec.KindDied, Expected: phrase.Of("a response"), Actual: actual,
		Where: check.Place(lost).In(s.Pickle.Name), Exchanges: []int{lost.Seq}, Cause: rule + ": died",
	})
	return true
}

// FindDeathAgain notes what was noted of the scenario before, where it was lost by the same operation now, and reports whether it did.
func (s *Scenario) FindDeathAgain() bool {
	by := s.LostBy()
	s.Run.deaths.mu.Lock()
	d, known := s.Run.deaths.died[by][s.ID()]
	s.Run.deaths.mu.Unlock()
	return by != "" && known && s.FindDeath(d)
}

// breaks reports whether the scenario asks what the contract does not allow, or leaves open.
func (s *Scenario) breaks() bool {
	for _, aspect := range []promise.Aspect{promise.Open, promise.Breaks, promise.Unauthorized, promise.Forbidden, promise.Unlisted, promise.Elsewhere, promise.LikeGet} {
		for _, st := range s.Pickle.Steps {
			if st.Text == promise.Outcome(aspect) {
				return true
			}
		}
	}
	return false
}

// ruleOf returns the first rule of an operation that there is, of several kinds; empty for none.
func (r *Run) ruleOf(operation string, kinds []promise.Kind) string {
	if r.Promises == nil {
		return spec.RuleStatus
	}
	for _, k := range kinds {
		id := r.Promises.Names.Rule(operation, k)
		if _, known := r.Catalogue.Rule(id); known {
			return id
		}
	}
	return ""
}
