package session

import (
	"slices"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Single is what scenarios need that are not played by a run of the suite, but by somebody else's godog suite.
type Single struct {
	// Run is what the scenarios share.
	Run      *scenario.Run
	recorder *record.Recorder
	sources  view.Sources
}

// ForSteps prepares a run like [Prepare], without a suite.
func ForSteps(env *cli.Env, o options.Options) (*Single, error) {
	p := &preparation{env: env, o: o, run: o.Run}
	if err := p.reach(); err != nil {
		return nil, err
	}
	var err error
	if p.Basis, err = Load(o.Contract); err != nil {
		return nil, err
	}
	if err := knownOperations("--allow", p.run.Target.Allowed, p.Contract); err != nil {
		return nil, err
	}
	if !o.Settings.IsGiven("max-created") {
		p.run.Target.MaxCreated = budget.DefaultFor(p.promises.Budget().Created)
	}
	if err := p.unlock(); err != nil {
		return nil, err
	}
	p.begin()
	recorder := record.NewRecorder(record.Record{
		Target:        record.Target{BaseURL: p.run.Target.BaseURL, Connection: p.connection},
		Options:       record.Options{Seed: p.run.Seed},
		Started:       p.started,
		ID:            p.run.ID,
		NotApplicable: steps.NotApplicable(p.Contract, p.Catalogue, p.run.Now),
	})
	sources := view.Sources{Catalogue: p.Catalogue, Contract: p.Contract, ContractFile: p.ContractFile()}
	return &Single{Run: scenario.New(p.config(recorder).Options), recorder: recorder, sources: sources}, nil
}

// Ended records a scenario that ended with the error of a step, or nil.
func (s *Single) Ended(sc *scenario.Scenario, err error) {
	out := sc.Ended(err)
	sc.RecordExchanges()
	sc.Budget.Release()
	s.recorder.ExercisedAll(sc.Exercised())
	s.recorder.AddScenario(out)
}

// View returns what the scenarios showed that have ended. Nothing may be asked afterwards. more are rules that the catalogue lacks.
func (s *Single) View(more ...spec.Rule) *view.View {
	rec, sources := s.recorder.Finish(record.Ending{Complete: true}), s.sources
	all := *sources.Catalogue
	all.Rules = append(slices.Clone(all.Rules), more...)
	sources.Catalogue = &all
	return view.New(&rec, sources)
}
