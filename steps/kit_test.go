package steps

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// testConfig returns the configuration of a whole run against a service in this process.
func testConfig(t testing.TB, service http.RoundTripper) Config {
	t.Helper()
	o := rehearse.Options(t, service)
	return Config{
		Options: scenario.Options{
			Target: o.Target, Contract: o.Contract, Catalogue: o.Catalogue, Promises: o.Promises, Seed: o.Seed, Concurrency: 4,
			Timeout: o.Timeout, Now: o.Now, Transport: o.Transport, Agent: o.Agent, Recorder: o.Recorder,
		},
		Suite: rehearse.Must(t, rehearse.Suite),
	}
}

// played is a run that has ended.
type played struct {
	rec    record.Record
	res    verdict.Result
	ending record.Ending
	err    error
}

// playRun runs a suite against a service to its end.
func playRun(t *testing.T, ctx context.Context, service http.RoundTripper, changes ...func(*Config)) played {
	t.Helper()
	cfg := testConfig(t, service)
	for _, change := range changes {
		change(&cfg)
	}
	cfg.Recorder = record.NewRecorder(record.Record{NotApplicable: NotApplicable(cfg.Contract, cfg.Catalogue, cfg.Now)})
	var p played
	p.ending, p.err = Run(ctx, cfg)
	p.rec = cfg.Recorder.Finish(p.ending)
	p.res = verdict.Draw(&p.rec, cfg.Catalogue.Rules)
	return p
}

// scenario returns the recorded scenario with a name.
func (p played) scenario(t *testing.T, name string) record.Scenario {
	t.Helper()
	for _, s := range p.rec.Scenarios {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("the record holds no scenario %q", name)
	return record.Scenario{}
}

// outcomes counts the scenarios by outcome, without the preflight.
func (p played) outcomes() map[record.Outcome]int {
	out := map[record.Outcome]int{}
	for _, s := range p.rec.Scenarios {
		if s.ID != "preflight" {
			out[s.Outcome]++
		}
	}
	return out
}

// musts returns the findings on must rules.
func (p played) musts(t *testing.T) []spec.Finding {
	t.Helper()
	var out []spec.Finding
	for _, s := range p.rec.Scenarios {
		for _, f := range s.Findings {
			if r, _ := rehearse.Must(t, rehearse.Catalogue).Rule(f.Rule); r.Level == spec.Must {
				out = append(out, f)
			}
		}
	}
	return out
}

// with returns an option that makes the run use the given features.
func with(t *testing.T, features string) func(*Config) {
	t.Helper()
	suite, err := loadText(t, features)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Suite = suite }
}

// ── What becomes of a scenario ──

func names(scenarios []record.Scenario) string {
	var out []string
	for _, s := range scenarios {
		if s.ID != "preflight" {
			out = append(out, s.Name)
		}
	}
	return strings.Join(out, " ")
}
