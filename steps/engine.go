package steps

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/judge/second"
	"hallmark/spec/promise"
	"hallmark/steps/client"
	"hallmark/steps/doctor"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Config is everything that a run needs.
type Config struct {
	Target    scenario.Target
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Suite     *suite.Suite
	// Compiled is what runs of Suite may share; nil where there is one run only.
	Compiled  *Compiled
	Selection suite.Selection
	// Interface is the Go code of the interface.
	Interface scenario.Interface
	// Promises are those of a contract whose rules follow from it alone; nil for an interface with rules of its own.
	Promises *promise.Promises
	// Seed fixes the order of the scenarios, and what is generated; it must not be 0.
	Seed int64
	// Examples is how many bodies the scenarios on generated ones try; 0 stands for DefaultExamples. It bounds the other
	// generated cases too: see vocabulary.NewExploration.
	Examples int
	// Concurrency is how many requests are under way at a time, and how many scenarios; client.Auto stands for as many as the target
	// bears.
	Concurrency int
	// Confirm is how often the scenario that shows a finding is repeated; 0 repeats none.
	Confirm int
	// Timeout bounds one request, its response's body included.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// FailFast ends the run after the first scenario that found a must rule broken, other than Known says was known or the second judge doubts.
	FailFast bool
	Known    func(spec.Finding) bool
	// Until ends the run after the first scenario with a finding of which it is true; nil ends none.
	Until func(spec.Finding) bool
	// Transport carries the requests; NewTransport makes one.
	Transport http.RoundTripper
	// Agent is what the User-Agent header begins with; the run and the scenario follow.
	Agent string
	// ID names the run in the target's logs and in the names of its animals; empty makes one (see NewRunID).
	ID string
	// Correlation is the header that carries an id of each exchange; empty sends none.
	Correlation string
	// Limits bound what is asked.
	Limits client.Limits
	// Patience is for how long is waited.
	Patience scenario.Patience
	// Notice is told what a person should know before the run begins; may be nil.
	Notice func(doctor.Check)
	// Recorder takes what happens.
	Recorder *record.Recorder

	// halt may end a scenario before its step of that index, with the error that it returns; nil ends none. Tests set it.
	halt func(ctx context.Context, s *scenario.Scenario, step int) error
}

// options are those of the scenarios.
func (cfg Config) options() scenario.Options {
	return scenario.Options{
		Target: cfg.Target, Contract: cfg.Contract, Catalogue: cfg.Catalogue, Interface: cfg.Interface, Promises: cfg.Promises, Seed: cfg.Seed, Examples: cfg.Examples, Concurrency: cfg.Concurrency,
		Timeout: cfg.Timeout, Now: cfg.Now, Transport: cfg.Transport, Agent: cfg.Agent, ID: cfg.ID, Correlation: cfg.Correlation,
		Limits: cfg.Limits, Patience: cfg.Patience, Recorder: cfg.Recorder,
	}
}

// engine plays the scenarios of a run.
type engine struct {
	*scenario.Run
	cfg    Config
	chosen suite.Chosen
	// second is asked about what is found.
	second *second.Judge
	// patience is what was waited for.
	patience record.Patience
	// repeated is what came of playing scenarios again, by their ids; mu guards it while several are being played.
	mu       sync.Mutex
	repeated map[string][]repetition
	// unrepeated are the scenarios of early phases of which too much was found to repeat them at once.
	unrepeated map[string]bool
	// gatewayAnswers are the requests that were answered 502, 503 or 504, by the numbers of their exchanges.
	gatewayAnswers map[int]gatewayAnswer
	// suspects are the scenarios that were lost again and again, guarded by mu.
	suspects []suspect
	// gone reports whether the target was lost for good. An operation that hangs is no such loss.
	gone bool
	// rounds counts the parts of the run that were played one after another.
	rounds int
}

// newEngine is an engine that has asked nothing yet.
func newEngine(cfg Config) (*engine, error) {
	r, err := scenario.New(cfg.options())
	if err != nil {
		return nil, err
	}
	e := &engine{Run: r, cfg: cfg, second: second.New(cfg.Contract), repeated: map[string][]repetition{}, unrepeated: map[string]bool{}, gatewayAnswers: map[int]gatewayAnswer{}}
	r.Client.Refused = noticeRefusal(e)
	return e, nil
}

// noticeRefusal says once that the run waits for a connection.
func noticeRefusal(r *engine) func(string) {
	var once sync.Once
	return func(reason string) {
		once.Do(func() {
			if r.cfg.Notice != nil {
				r.cfg.Notice(doctor.Check{
					Name: "connection", State: doctor.Warned, Says: r.Client.Redactor.Text(reason),
					Remedy: fmt.Sprintf("trying again for %v (--patience)", r.Patience.Reconnect),
				})
			}
		})
	}
}

// Unreachable says why a target could not be judged at all: no connection, or the key refused by every operation.
type Unreachable struct {
	Reason string
	// Remedy says what to do about it; may be empty.
	Remedy string
	// silent reports whether no response came in time.
	silent bool
}

func (u Unreachable) Error() string { return u.Reason }

// repetition is what came of playing a scenario again.
type repetition struct {
	outcome   record.Outcome
	reason    string
	findings  []spec.Finding
	exchanges []int
	// cutShort reports whether it created less than the first time.
	cutShort bool
	// observed are the rules of which it observed something.
	observed []string
}
