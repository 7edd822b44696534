package scenario

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// A supervised target that dies of a request breaks the connection whenever it receives that request. An unreliable network looks the same
// once or twice, and so does every other request that is in flight when the target dies. A scenario that keeps losing its connection is
// therefore played alone, between control requests that the target is known to answer.

// Death counts what happened when a scenario was played alone.
type Death struct {
	// Operation is the operation whose request lost the connection.
	Operation string
	// Times is how often the scenario was played alone, Away how often the target then refused connections for a while.
	Times, Away int
}

const (
	// enoughDeaths is how often the target must be away to prove that the scenario kills it.
	enoughDeaths = 2
	// mostAlone is how often a scenario is played alone if the target is never away.
	mostAlone = 4
)

// Decided reports whether playing the scenario again would tell nothing new.
func (d Death) Decided() bool { return d.Away >= enoughDeaths || d.Times >= mostAlone }

// deaths records lost connections by operation. Safe for concurrent use.
type deaths struct {
	mu sync.Mutex
	// control is a GET request that was answered; whole reports whether its path has no parameters.
	control client.Call
	whole   bool
	// lost counts consecutive losses by operation.
	lost map[string]int
	// died holds the deaths found so far by operation and scenario id.
	died map[string]map[string]Death
}

// note records that a request was answered.
func (d *deaths) note(call *client.Call, contract *spec.Contract) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.lost, call.Operation)
	if op, known := contract.Operation(call.Operation); !d.whole && known && call.Method == http.MethodGet && !call.Streams {
		d.control, d.whole = *call, !strings.Contains(op.Path, "{")
		d.control.Judge, d.control.Loss = nil, nil
	}
}

// row returns the number of consecutive losses of an operation.
func (d *deaths) row(operation string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost[operation]
}

// broke counts a broken connection.
func (d *deaths) broke(operation string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost == nil {
		d.lost = map[string]int{}
	}
	d.lost[operation]++
}

const (
	// mostRow is the number of consecutive losses after which a scenario is played alone.
	mostRow = 3
	// mostDied is the number of scenarios with a death after which their operation is no longer called.
	mostDied = 3
)

// ends returns the reason why an operation is no longer called, or the empty string.
func (d *deaths) ends(operation string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.died[operation]) < mostDied {
		return ""
	}
	return operation + " is no longer called: the connection broke each time in " + text.Number(mostDied) + " of its scenarios"
}

// LostBy returns the operation whose connection broke last. It is empty if no connection broke, or none was made.
func (s *Scenario) LostBy() string {
	if lost := s.losses(); lost.count > 0 {
		return lost.operation
	}
	return ""
}

// Suspect reports whether a scenario that lost its connection is to be played alone next: see [Death].
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

// Insist makes the scenario call operations that are otherwise no longer called.
func (s *Scenario) Insist() { s.insists = true }

// mostControls is how often a control request is sent before the target counts as gone.
const mostControls = 8

// Responds sends control requests until one is answered, and then, if the target was not away, until as many in a row were as a scenario is
// played alone. ok reports whether they were, away whether the target refused connections first. Where control requests break as well, it is
// the network that breaks them.
func (c *Caller) Responds(ctx context.Context) (away, ok bool) {
	if away, ok = c.returns(ctx); away || !ok {
		return away, ok
	}
	for range mostAlone - 1 {
		if ex, once, err := c.control(ctx); err != nil || ex.Lost != "" || !once {
			return false, false
		}
	}
	return false, true
}

// returns sends control requests until one is answered.
func (c *Caller) returns(ctx context.Context) (away, ok bool) {
	before := c.run.contact.Interruptions().Refused
	for tries, pause := 0, leastSettling; tries < mostControls; tries, pause = tries+1, min(2*pause, MostSettle) {
		ex, _, err := c.control(ctx)
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

// control sends a request that the target answered before, or GET / if there is none yet; any response will do. once reports whether no
// connection broke before it came.
func (c *Caller) control(ctx context.Context) (ex *spec.Exchange, once bool, err error) {
	d := &c.run.deaths
	d.mu.Lock()
	call := d.control
	d.mu.Unlock()
	if call.Method == "" {
		call = client.Call{Method: http.MethodGet, Path: "/"}
	}
	call.About, call.Scenario, call.Loss = "to see whether the target answers", c.scenario, new(client.Loss)
	if ex, err = c.run.Client.Do(ctx, call); err != nil {
		return nil, false, err
	}
	ex.Scenario = c.scenario
	c.ledger.AddExchange(ex)
	if ex.Lost == "" {
		c.run.contact.Answered()
	}
	return ex, !call.Loss.Again, nil
}

// FindDeath adds a finding for the request that lost the connection, and reports whether there is a rule for it. A target that was away
// afterwards breaks the rule about server errors, whatever the request. One that lives on breaks it only if the request keeps the
// contract; closing the connection on a request that breaks the contract is like answering it with a server error.
func (s *Scenario) FindDeath(d Death) bool {
	all := slices.DeleteFunc(s.Exchanges(), func(ex *spec.Exchange) bool { return ex.Operation != d.Operation || ex.Lost == "" })
	if len(all) == 0 {
		return false
	}
	lost := all[len(all)-1]
	kinds := []promise.Kind{promise.Available, promise.Success, promise.Robust}
	actual := phrase.Of("none: the service went away and had to be started again, each of the {} times that this request was sent alone", phrase.Number(d.Times))
	if d.Away < enoughDeaths {
		actual = phrase.Of("none: the connection broke each of the {} times that this request was sent alone; other requests were answered before and after", phrase.Number(d.Times))
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

// FindDeathAgain repeats the finding of an earlier FindDeath if the scenario was lost by the same operation again. It reports whether it
// did.
func (s *Scenario) FindDeathAgain() bool {
	by := s.LostBy()
	s.Run.deaths.mu.Lock()
	d, known := s.Run.deaths.died[by][s.ID()]
	s.Run.deaths.mu.Unlock()
	return by != "" && known && s.FindDeath(d)
}

// breaks reports whether the scenario sends a request that breaks the contract, or that the contract leaves open.
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

// ruleOf returns the first rule of an operation among the given kinds that is in the catalogue, or the empty string.
func (r *Run) ruleOf(operation string, kinds []promise.Kind) string {
	for _, k := range kinds {
		id := r.Promises.Names.Rule(operation, k)
		if _, known := r.Catalogue.Rule(id); known {
			return id
		}
	}
	return ""
}
