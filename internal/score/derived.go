package score

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Derived measures the suite derived from a contract.
type Derived struct {
	Front *front
	// Config is the configuration of the suite. Service returns a service to judge and a function that stops it; each is used by one run at
	// a time.
	Config  steps.Config
	Service func() (service http.Handler, end func(), err error)
	// Workers is the number of faults tried at a time.
	Workers int
	// Progress, if set, is called with the outcome of each fault and freedom.
	Progress func(Outcome)
}

// Fate is the result of trying a fault.
type Fate string

// The fates. A fault is not exercised if no response to the suite showed it.
const (
	Killed       Fate = "killed"
	Survived     Fate = "survived"
	NotExercised Fate = "not exercised"
	Failed       Fate = "failed"
)

// Outcome is the result of trying a fault, or a freedom, which has no rule.
type Outcome struct {
	fault.Fault
	Fate Fate `json:"fate"`
	// Named reports whether one of its own rules was among those found broken. Broken lists these.
	Named  bool     `json:"named,omitempty"`
	Broken []string `json:"broken,omitempty"`
	// Scenario is a scenario that found it. Reason says why it was not tried, or what the findings on a freedom were.
	Scenario string `json:"scenario,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Unused reports whether the operation was not called at all.
	Unused bool `json:"unused,omitempty"`
	// Shown is the number of wrong responses.
	Shown int `json:"shown"`
	// Elapsed is the time that it took.
	Elapsed time.Duration `json:"elapsed"`
}

// clean is the result for the service without a fault.
type clean struct {
	record record.Record
	watch  *watch
	// broken holds the rules that it breaks.
	broken map[string]spec.Finding
	// exchanges holds those of each operation, starting with those of the shortest scenarios.
	exchanges map[string][]*spec.Exchange
}

// play runs a part of the suite against a service behind a front.
func (d *Derived) play(ctx context.Context, selection suite.Selection, front func(http.Handler, string) (*mutate.Handler, error)) (record.Record, error) {
	service, end, err := d.Service()
	if err != nil {
		return record.Record{}, err
	}
	defer end()
	cfg := d.Config
	base, err := url.Parse(cfg.Target.BaseURL)
	if err != nil {
		return record.Record{}, err
	}
	handler, err := front(service, strings.TrimRight(base.EscapedPath(), "/"))
	if err != nil {
		return record.Record{}, err
	}
	cfg.Transport, cfg.Selection = mutate.Transport{Handler: handler}, selection
	cfg.ID = "" // each run has names of its own: a service that keeps what it was sent may reject a name that it has seen
	cfg.Recorder = record.NewRecorder(record.Record{
		Target:        record.Target{BaseURL: cfg.Target.BaseURL, Removed: steps.Removed(cfg.Contract, cfg.Now)},
		NotApplicable: steps.NotApplicable(cfg.Contract, cfg.Catalogue, cfg.Now),
	})
	ending, err := steps.Run(ctx, cfg)
	if err != nil && ctx.Err() != nil {
		return record.Record{}, ctx.Err()
	}
	if away := new(steps.Unreachable); err != nil && !errors.As(err, away) {
		return record.Record{}, err
	}
	return cfg.Recorder.Finish(ending), nil
}

// broken returns the rules that a record found broken, with the first finding about each and its scenario.
func broken(rec *record.Record) (map[string]spec.Finding, map[string]string) {
	findings, scenarios := map[string]spec.Finding{}, map[string]string{}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if _, known := findings[f.Rule]; !known {
				findings[f.Rule], scenarios[f.Rule] = f, s.ID
			}
		}
	}
	return findings, scenarios
}

// clean judges the service as it is.
func (d *Derived) clean(ctx context.Context) (clean, error) {
	c := clean{watch: newWatch(), exchanges: map[string][]*spec.Exchange{}}
	var err error
	c.record, err = d.play(ctx, suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
		return d.Front.plain(next, base, c.watch), nil
	})
	if err != nil {
		return c, err
	}
	if away := c.record.Lost; away != "" {
		return c, fmt.Errorf("the service could not be judged: %s", away)
	}
	c.broken, _ = broken(&c.record)
	scenarios := slices.Clone(c.record.Scenarios)
	slices.SortStableFunc(scenarios, func(x, y record.Scenario) int { return cmp.Compare(len(x.Exchanges), len(y.Exchanges)) })
	exchanges := map[int]*spec.Exchange{}
	for i := range c.record.Exchanges {
		exchanges[c.record.Exchanges[i].Seq] = &c.record.Exchanges[i]
	}
	for _, s := range scenarios {
		if s.Preflight() {
			continue
		}
		for _, seq := range s.Exchanges {
			ex := exchanges[seq]
			if ex == nil || ex.Response == nil || ex.Operation == "" {
				continue
			}
			c.exchanges[ex.Operation] = append(c.exchanges[ex.Operation], ex)
		}
	}
	return c, nil
}

// Measure tries the freedoms and the faults.
func (d *Derived) Measure(ctx context.Context, faults []fault.Fault, freedoms []mutate.Freedom) (Measurement, error) {
	began := time.Now()
	c, err := d.clean(ctx)
	if err != nil {
		return Measurement{}, err
	}
	m := Measurement{Contract: d.Config.Contract.Title(), Suite: "the scenarios derived from the contract", Scenarios: c.record.Played(), Exchanges: len(c.record.Exchanges), Clean: time.Since(began)}
	res := verdict.Draw(&c.record, d.Config.Catalogue.Rules)
	m.Verdict = string(res.Verdict)
	for rule, f := range c.broken {
		if r, known := d.Config.Catalogue.Rule(rule); known && r.Level.Fails() {
			m.Broken = append(m.Broken, fmt.Sprintf("%s: %s: %s", rule, f.Where, f.Actual))
		}
	}
	slices.Sort(m.Broken)
	outcomes := make([]Outcome, len(freedoms)+len(faults))
	forEach(ctx, d.Workers, len(outcomes), func(i int) {
		if i < len(freedoms) {
			outcomes[i] = d.free(ctx, c, freedoms[i])
		} else {
			outcomes[i] = d.try(ctx, c, faults[i-len(freedoms)])
		}
		if d.Progress != nil && ctx.Err() == nil {
			d.Progress(outcomes[i])
		}
	})
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	m.Freedoms, m.Outcomes = outcomes[:len(freedoms)], outcomes[len(freedoms):]
	m.Elapsed = time.Since(began)
	m.count(d.Config.Catalogue)
	return m, nil
}

// forEach calls do with each i from 0 to n-1, several at a time, until the context ends.
func forEach(ctx context.Context, workers, n int, do func(i int)) {
	var wg sync.WaitGroup
	queue := make(chan int)
	for range max(workers, 1) {
		wg.Go(func() {
			for i := range queue {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		queue <- i
	}
	close(queue)
	wg.Wait()
}

// free judges a freedom.
func (d *Derived) free(ctx context.Context, c clean, x mutate.Freedom) Outcome {
	out := Outcome{Fault: fault.Fault{Name: x.Name, Operator: "freedom", Says: x.Says}, Fate: Survived}
	began, w := time.Now(), newWatch()
	rec, err := d.play(ctx, suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
		return d.Front.free(next, base, w, x), nil
	})
	out.Elapsed, out.Shown = time.Since(began), w.appliedCount()
	if err != nil {
		out.Fate, out.Reason = Failed, err.Error()
		return out
	}
	findings, scenarios := broken(&rec)
	for rule, f := range findings {
		if _, before := c.broken[rule]; before {
			continue
		}
		if r, known := d.Config.Catalogue.Rule(rule); known && r.Level.Fails() {
			out.Fate, out.Broken = Killed, append(out.Broken, rule)
			out.Scenario, out.Reason = scenarios[rule], fmt.Sprintf("%s: %s", f.Where, f.Actual)
		}
	}
	slices.Sort(out.Broken)
	return out
}

// try puts a fault in front of the service: first with scenarios that are likely to show it, then with those of
// its operation, then with all.
func (d *Derived) try(ctx context.Context, c clean, x fault.Fault) (out Outcome) {
	out = Outcome{Fault: x, Fate: NotExercised}
	if !c.watch.wasUsed(x.Operation) && !c.usesResource(x) {
		out.Reason, out.Unused = x.Operation+" was not called", true
		return out
	}
	if s := x.Mutation.Status; s != 0 && c.watch.seen[x.Operation][s] == 0 {
		out.Reason = fmt.Sprintf("%s did not answer %d", x.Operation, s)
		return out
	}
	began := time.Now()
	defer func() { out.Elapsed = time.Since(began) }()
	base := ""
	if u, err := url.Parse(d.Config.Target.BaseURL); err == nil {
		base = strings.TrimRight(u.EscapedPath(), "/")
	}
	for _, selection := range d.ladder(c, x, base) {
		w := newWatch()
		rec, err := d.play(ctx, selection, func(next http.Handler, base string) (*mutate.Handler, error) { return d.Front.faulty(next, base, w, x) })
		if err != nil {
			out.Fate, out.Reason = Failed, err.Error()
			return out
		}
		d.judge(&out, c, &rec, w.appliedCount())
		if out.Fate == Killed && out.Named || ctx.Err() != nil {
			break
		}
	}
	return out
}

// usesResource reports whether an operation on the resource of a fault was called.
func (c clean) usesResource(x fault.Fault) bool {
	r := x.Mutation.Resource
	return r != nil && (c.watch.wasUsed(r.Creates) || c.watch.wasUsed(r.Reads) || c.watch.wasUsed(r.Lists))
}

// firstTried is the number of scenarios tried first.
const firstTried = 3

// shownByOneExchange reports whether a single exchange shows a fault, so that the exchanges of the clean run determine whether
// it shows at all.
func shownByOneExchange(x fault.Fault) bool {
	return x.Judged || slices.Contains([]mutate.Act{mutate.ActLenient, mutate.ActStrict, mutate.ActStatus}, x.Mutation.Do)
}

// ladder returns the parts of the suite that are tried one after the other; none if no exchange of the clean run
// shows the fault.
func (d *Derived) ladder(c clean, x fault.Fault, base string) []suite.Selection {
	var all []suite.Selection
	operations := suite.Selection{Operations: []string{x.Operation}}
	if shownByOneExchange(x) {
		var by []string
		whole := true
		for _, ex := range c.exchanges[x.Operation] {
			if ex.Response.Cut() {
				whole = false
				continue
			}
			if !slices.Contains(by, ex.Scenario) && ex.Scenario != "" && d.Front.showsIn(x, ex, base) {
				if by = append(by, ex.Scenario); len(by) == firstTried {
					break
				}
			}
		}
		switch {
		case len(by) == 0 && whole:
			return nil
		case len(by) > 0:
			all = append(all, suite.Selection{Only: by})
		}
		return append(all, operations, suite.Selection{})
	}
	asked := d.Config.Suite.Rules()
	if rules := slices.DeleteFunc(slices.Clone(x.Rules), func(id string) bool { return asked[id] == 0 }); len(rules) > 0 {
		all = append(all, suite.Selection{Rules: rules})
	}
	return append(all, operations, suite.Selection{})
}

// judge records how a run judges a fault.
func (d *Derived) judge(out *Outcome, c clean, rec *record.Record, shown int) {
	out.Shown += shown
	if shown > 0 && out.Fate == NotExercised {
		out.Fate = Survived
	}
	findings, scenarios := broken(rec)
	var all []string
	for rule := range findings {
		r, known := d.Config.Catalogue.Rule(rule)
		_, before := c.broken[rule]
		own := slices.Contains(out.Rules, rule)
		if !known || before || shown == 0 || r.Level == spec.Open || !r.Level.Fails() && !own {
			continue
		}
		all = append(all, rule)
		if own {
			out.Named, out.Scenario = true, scenarios[rule]
		} else if out.Scenario == "" {
			out.Scenario = scenarios[rule]
		}
	}
	if len(all) > 0 {
		slices.Sort(all)
		out.Fate, out.Broken = Killed, all
	}
}
