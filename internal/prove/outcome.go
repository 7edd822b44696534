package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Prover judges cases with a suite, which is loaded once.
type Prover struct {
	// Interface provides the service that is judged; contract, promises, catalogue and suite belong to it.
	Interface bundled.Interface
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Suite     *suite.Suite
	// Compiled is shared by all runs of Suite; if nil, each run compiles its own.
	Compiled *steps.Compiled
	Promises *promise.Promises
	// Selection restricts the suite; such a proof says little.
	Selection suite.Selection
	// Workers is how many cases are judged at a time, Concurrency how many scenarios of each.
	Workers, Concurrency int
	// Preload is how many resources each store holds before the first request, besides those of the case itself.
	Preload int
	// Limits limit the requests to each service; the zero value sets no limit.
	Limits client.Limits
	// Short judges a fault only until its own rule is found broken, starting with the part of the suite that is
	// likely to find it; see [parts]. Otherwise the whole suite judges each case.
	Short bool
	// Finders are the scenarios that found faults before, by the names of the faults; only a short proof uses them.
	Finders map[string]string
	// Grouped judges freedoms that change different places in one service, and judges one separately only if that service has findings.
	Grouped bool
	// Seed fixes the order of scenarios; it must not be 0.
	Seed int64
	// Seeds is the number of seeds, from Seed on, with which faults are judged, to see whether the same rule leads; 0
	// means 1.
	Seeds int
	// Now is the day for which cases without a day of their own are judged.
	Now time.Time
}

// key is accepted by all services of a proof. It has letters of both cases, and is not secret.
const key = "keys_5mRhXk2QwZ8vTn4YcLf7BdGs1JpA0eUi"

// atOnce is how long the suite waits for a write to become visible. It is short because the faults last, and the services of the proof show at
// once what is written.
const atOnce = 100 * time.Millisecond

// maxCreated and timeout are those of hallmark run.
const (
	maxCreated = budget.ForScenarios
	timeout    = 10 * time.Second
)

// Outcome is the result of a case.
type Outcome struct {
	Case
	// OK reports whether the case has the expected result: the clean service and freedoms conform, faults are killed
	// and diagnosed.
	OK bool `json:"ok"`
	// Killed: the fault was found at all. Diagnosed: its own rule is named. Leading: its own rule is the first cause.
	Killed    bool `json:"killed,omitempty"`
	Diagnosed bool `json:"diagnosed,omitempty"`
	Leading   bool `json:"leading,omitempty"`
	// Accepted: the freedom, or the clean service, has no findings.
	Accepted bool `json:"accepted,omitempty"`
	// Verdict and Because are those of the run; Lead is the rule of its first cause.
	Verdict verdict.Verdict `json:"verdict"`
	Because string          `json:"because,omitempty"`
	// Own is the verdict of the case's own rule.
	Own  verdict.Verdict `json:"own,omitempty"`
	Lead string          `json:"lead,omitempty"`
	// Causes are the rules of all causes that can fail a run; for the fault of a should rule those of all causes.
	Causes []string `json:"causes,omitempty"`
	// Leads are the rules that led in several runs with different seeds, starting with the first run's; nil if there
	// was only one run.
	Leads []string `json:"leads,omitempty"`
	// Broken are the rules that were found broken, Killers the scenarios that found the fault's own rule broken, or
	// another rule that they exercise.
	Broken  []string `json:"broken,omitempty"`
	Killers []string `json:"killers,omitempty"`
	// Example is the first finding as text.
	Example string `json:"example,omitempty"`
	// Together are the freedoms of the service in which a freedom was judged, including itself; nil if it was judged
	// alone.
	Together []string `json:"together,omitempty"`
	// Failure says why the case could not be judged.
	Failure string `json:"failure,omitempty"`
	// Tries and Hits count how often the case was judged, and how often it had the expected result.
	Tries int `json:"tries"`
	Hits  int `json:"hits"`
	// Elapsed is the time of the last try.
	Elapsed time.Duration `json:"elapsed"`

	scenarios []record.Scenario // of the clean service only
	creations map[string]int    // of the clean service only: how many requests of each scenario created something
	// Of the clean service and of freedoms: the scenarios that were played to a finding or to the end, and the verdicts of the rules.
	played   map[string]bool
	verdicts map[string]verdict.Verdict

	exchanges int
	askers    []string // the scenarios that found a rule broken which they exercise
	finders   []string // those that found the fault's own rule broken
}

// attempt judges a case once.
func (p *Prover) attempt(ctx context.Context, c Case, try int) (out Outcome) {
	began := time.Now()
	for _, part := range parts(p, c) {
		if out = p.judge(ctx, c, try, part); out.Diagnosed || out.Failure != "" {
			break
		}
	}
	out.Elapsed = time.Since(began)
	return out
}

// judge judges a case by a part of the suite.
func (p *Prover) judge(ctx context.Context, c Case, try int, part suite.Selection) Outcome {
	out := Outcome{Case: c, Tries: 1}
	rec, err := p.play(ctx, c, try, part)
	if err != nil {
		out.Failure = err.Error()
		return out
	}
	out.exchanges = len(rec.Exchanges)
	res := verdict.Draw(&rec, p.Catalogue.Rules)
	out.describe(&rec, &res, p.Catalogue, p.Preload > 0)
	if c.Kind == Clean {
		out.scenarios, out.creations = rec.Scenarios, map[string]int{}
		for i := range rec.Exchanges {
			if x := &rec.Exchanges[i]; x.Response != nil && x.Response.Status == http.StatusCreated {
				out.creations[x.Scenario]++
			}
		}
	}
	if out.OK {
		out.Hits = 1
	}
	return out
}

// play runs a part of the suite against the case's service.
func (p *Prover) play(ctx context.Context, c Case, try int, part suite.Selection) (record.Record, error) {
	service, err := openService(ctx, p.Interface.Reference, c, p.Preload)
	if err != nil {
		return record.Record{}, err
	}
	defer service.close()
	now := p.Now
	if c.Now != "" {
		if now, err = time.Parse(time.DateOnly, c.Now); err != nil {
			return record.Record{}, fmt.Errorf("the day of %s cannot be read: %w", c.Name, err)
		}
	}
	cfg := steps.Config{
		Options: scenario.Options{
			Target: scenario.Target{
				BaseURL: service.baseURL, Key: key, MaxCreated: maxCreated, Keyring: scheme.OneSecret(p.Contract.Operations(), key),
			},
			Promises: p.Promises, Contract: p.Contract, Catalogue: p.Catalogue, Seed: p.Seed + int64(try),
			Concurrency: p.Concurrency, Timeout: timeout, Now: now, Transport: service.transport, Limits: p.Limits, Agent: "hallmark/prove",
			Patience: scenario.Patience{Least: atOnce},
			Recorder: record.NewRecorder(record.Record{
				Target:        record.Target{BaseURL: service.baseURL, Removed: steps.Removed(p.Contract, now)},
				NotApplicable: steps.NotApplicable(p.Contract, p.Catalogue, now),
			}),
		},
		Suite: p.Suite, Compiled: p.Compiled, Selection: part,
	}
	if p.Short && c.Kind == Fault {
		cfg.Until = func(f spec.Finding) bool { return f.Rule == c.Rule }
	}
	ending, err := steps.Run(ctx, cfg)
	if err != nil && ctx.Err() != nil {
		return record.Record{}, ctx.Err()
	}
	// A service that could not be judged because of its own fault counts as not killed.
	if away := new(steps.Unreachable); err != nil && !errors.As(err, away) {
		ending.Failure = err.Error()
	}
	return cfg.Recorder.Finish(ending), nil
}

// describe fills in the result of the run for the case; filled reports whether its store was not empty.
func (o *Outcome) describe(rec *record.Record, res *verdict.Result, catalogue *spec.Catalogue, filled bool) {
	o.Verdict, o.Because = res.Verdict, res.Because
	level := func(rule string) spec.Level { r, _ := catalogue.Rule(rule); return r.Level }
	o.played, o.verdicts = map[string]bool{}, map[string]verdict.Verdict{}
	for _, r := range res.Rules {
		o.verdicts[r.Rule] = r.Verdict
		if r.Rule == o.Rule {
			o.Own = r.Verdict
		}
		if r.Findings > 0 {
			o.Broken = append(o.Broken, r.Rule)
		}
	}
	for _, s := range rec.Scenarios {
		o.played[s.ID] = s.Outcome == record.Passed || s.Outcome == record.Failed
		asked := slices.ContainsFunc(s.Findings, func(f spec.Finding) bool {
			return slices.Contains(s.Rules, f.Rule) && level(f.Rule) == spec.Must
		})
		if asked {
			o.askers = append(o.askers, s.ID)
		}
		own := slices.ContainsFunc(s.Findings, func(f spec.Finding) bool { return f.Rule == o.Rule })
		if own {
			o.finders = append(o.finders, s.ID)
		}
		if asked || own {
			o.Killers = append(o.Killers, s.ID)
		}
	}
	slices.Sort(o.Killers)
	if len(res.Causes) > 0 {
		first := res.Causes[0]
		o.Lead, o.Example = first.Rule, first.Lead.Where.String()+": "+first.Lead.Actual.String()
	}
	for _, c := range res.Causes {
		if c.Level == spec.Must || o.Level == spec.Should {
			o.Causes = append(o.Causes, c.Rule)
		}
	}
	named := slices.Contains(o.Broken, o.Rule) || slices.ContainsFunc(res.Causes, func(c verdict.Cause) bool { return c.Rule == o.Rule })
	switch o.Kind {
	case Fault:
		o.Killed = res.ExitCode == verdict.ExitViolated || o.Level == spec.Should && named
		o.Diagnosed = o.Killed && named
		o.Leading = o.Diagnosed && o.Lead == o.Rule
		o.OK = o.Diagnosed
	case Freedom:
		o.Accepted = res.ExitCode == verdict.ExitOK && res.Count(verdict.Violated, "") == 0
		o.OK = o.Accepted
	case Clean:
		// The verdict conformant means that all must rules were exercised; the should rules must be as well.
		o.Accepted = res.Verdict == verdict.Conformant && len(res.Causes) == 0
		if n := res.Count(verdict.NotExercised, spec.Should); o.Accepted && n > 0 {
			o.Accepted, o.Because = false, "not all should rules were exercised: "+strings.Join(unexercised(res, spec.Should), ", ")
		}
		o.OK = o.Accepted
	}
	if filled {
		o.filled(res)
	}
	if res.ExitCode == verdict.ExitHarness || o.Kind == Clean && !o.OK {
		o.Failure = cmp.Or(rec.Failure, o.Because)
	}
}

// unexercised names the rules of a level that were not exercised.
func unexercised(res *verdict.Result, level spec.Level) []string {
	var names []string
	for _, r := range res.Rules {
		if r.Level == level && r.Verdict == verdict.NotExercised {
			names = append(names, r.Rule)
		}
	}
	return names
}
