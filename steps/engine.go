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
	// Compiled is what runs of Suite may share; nil if there is one run only.
	Compiled  *Compiled
	Selection suite.Selection
	// Interface is the Go code of the interface.
	Interface scenario.Interface
	// Promises are the rules of a contract whose rules follow from it alone; nil for an interface with rules of its
	// own.
	Promises *promise.Promises
	// Seed determines the order of the scenarios, and what is generated; it must not be 0.
	Seed int64
	// Examples is how many generated bodies the scenarios about them try; 0 means DefaultExamples. It also bounds the
	// other generated cases: see vocabulary.NewExploration.
	Examples int
	// Concurrency is how many requests, and how many scenarios, run at a time; client.Auto means as many as the
	// target bears.
	Concurrency int
	// Confirm is how often the scenario that shows a finding is repeated; 0 repeats none.
	Confirm int
	// Timeout bounds one request, including the response's body.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// FailFast ends the run after the first scenario that found a must rule broken, unless Known reports the finding
	// as known or the second judge doubts it.
	FailFast bool
	Known    func(spec.Finding) bool
	// Until ends the run after the first scenario with a finding for which it returns true; nil ends none.
	Until func(spec.Finding) bool
	// Transport carries the requests; see NewTransport.
	Transport http.RoundTripper
	// Agent is the beginning of the User-Agent header; the ids of the run and the scenario follow.
	Agent string
	// ID identifies the run in the target's logs and in made-up names; empty makes one (see NewRunID).
	ID string
	// Correlation is the name of the header with an id for each exchange; empty sends none.
	Correlation string
	// Limits bounds the requests of the run.
	Limits client.Limits
	// Patience says how long to wait.
	Patience scenario.Patience
	// Notice is called with what a person should know before the run begins. May be nil.
	Notice func(doctor.Check)
	// Recorder records the run.
	Recorder *record.Recorder

	// halt, if set, may end a scenario before the step of an index, with the error that it returns. For tests.
	halt func(ctx context.Context, s *scenario.Scenario, step int) error
}

// options returns the options of the scenarios.
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
	// second gives opinions on findings.
	second *second.Judge
	// patience records what was waited for.
	patience record.Patience
	// repeated holds the results of playing scenarios again, by id; mu guards it.
	mu       sync.Mutex
	repeated map[string][]repetition
	// unrepeated holds the scenarios of early phases with too many findings to repeat them at once.
	unrepeated map[string]bool
	// gatewayAnswers holds the requests that were answered 502, 503 or 504, by exchange number.
	gatewayAnswers map[int]gatewayAnswer
	// suspects holds the scenarios that were lost repeatedly; mu guards it.
	suspects []suspect
	// gone reports whether the target was lost for good. A hanging operation does not count.
	gone bool
	// rounds counts the consecutive parts of the run.
	rounds int
}

// newEngine returns an engine that has sent nothing yet.
func newEngine(cfg Config) (*engine, error) {
	r, err := scenario.New(cfg.options())
	if err != nil {
		return nil, err
	}
	e := &engine{Run: r, cfg: cfg, second: second.New(cfg.Contract), repeated: map[string][]repetition{}, unrepeated: map[string]bool{}, gatewayAnswers: map[int]gatewayAnswer{}}
	r.Client.Refused = noticeRefusal(e)
	return e, nil
}

// noticeRefusal returns a function that reports once that the run waits for a connection.
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

// Unreachable says why a target could not be judged at all: no connection, or every operation refused the key.
type Unreachable struct {
	Reason string
	// Remedy says what to do about it; may be empty.
	Remedy string
	// silent reports whether no response arrived in time.
	silent bool
}

func (u Unreachable) Error() string { return u.Reason }

// repetition is the result of playing a scenario again.
type repetition struct {
	outcome   record.Outcome
	reason    string
	findings  []spec.Finding
	exchanges []int
	// cutShort reports whether the budget cut it short.
	cutShort bool
	// observed holds the rules for which it made observations.
	observed []string
}
