package steps

import (
	"context"
	"fmt"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Config is everything that a run needs.
type Config struct {
	// Options configure the scenarios.
	scenario.Options
	Suite *suite.Suite
	// Compiled may be shared by the runs of Suite; it may be nil for a single run.
	Compiled  *Compiled
	Selection suite.Selection
	// Confirm is how often the scenario that shows a finding is repeated; 0 repeats none.
	Confirm int
	// FailFast ends the run after the first scenario that found a must rule broken, unless Known reports the finding
	// as known or the second judge doubts it.
	FailFast bool
	Known    func(spec.Finding) bool
	// Until ends the run after the first scenario with a finding for which it returns true; nil ends none.
	Until func(spec.Finding) bool
	// Notice is called with what a person should know before the run begins. May be nil.
	Notice func(doctor.Check)
	// Hooks prepare data.
	Hooks Hooks

	// halt, if set, may end a scenario before the step of an index, with the error that it returns. For tests.
	halt func(ctx context.Context, s *scenario.Scenario, step int) error
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
	// underWay are the requests that were under way then.
	underWay []record.Suspect
	// rounds counts the consecutive parts of the run.
	rounds int
	hooks  hookState
}

// newEngine returns an engine that has sent nothing yet.
func newEngine(cfg Config) *engine {
	r := scenario.New(cfg.Options)
	e := &engine{Run: r, cfg: cfg, second: second.New(cfg.Contract), repeated: map[string][]repetition{}, unrepeated: map[string]bool{}, gatewayAnswers: map[int]gatewayAnswer{}}
	r.Client.Refused = noticeRefusal(e)
	return e
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
	// conflicts holds the operations that answered 409.
	conflicts map[string]bool
}
