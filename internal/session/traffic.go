package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// trafficSession judges exchanges that others made, and reports on them as on a run.
type trafficSession struct {
	env   *cli.Env
	o     options.Options
	basis *Basis
	judge *traffic.Judge
	known []record.Deviation
	sinks *reports.Sinks
	began time.Time
}

// newTrafficSession reads what exchanges are judged by. most is the maximum length of a body that is judged.
func newTrafficSession(env *cli.Env, o options.Options, most int) (*trafficSession, error) {
	s := &trafficSession{env: env, o: o, began: time.Now()}
	var err error
	if s.basis, err = Load(o.Contract); err != nil {
		return nil, err
	}
	place := traffic.Documented(s.basis.Contract)
	if o.BaseURL != "" {
		base, err := scenario.ParseBaseURL(o.BaseURL)
		if err != nil {
			return nil, err
		}
		place = traffic.At(s.basis.Contract, base)
	}
	s.judge = traffic.New(s.basis.Traffic(), traffic.Options{Place: place, Most: most})
	if s.known, err = knownViolations(o.Deviations, s.basis.Catalogue); err != nil {
		return nil, err
	}
	if hint := renewal(o.Deviations, s.known); hint != "" {
		fmt.Fprintln(env.Stderr, "hallmark: "+hint)
	}
	s.sinks, err = reports.OpenSinks(o.Reports, Formats(), env.Stdout)
	return s, err
}

// CheckRecording judges a recording, and reports on it. The name - is standard input.
func CheckRecording(ctx context.Context, env *cli.Env, o options.Options, name string) error {
	s, err := cli.Heed(ctx, func() (*trafficSession, error) {
		s, err := newTrafficSession(env, o, traffic.LongestBody)
		if err != nil {
			return nil, err
		}
		return s, s.read(name)
	})
	if err != nil {
		return err
	}
	return s.finish(ctx, shownRecording(name))
}

// shownRecording is how a recording is named.
func shownRecording(name string) string {
	if name == "-" {
		return "standard input"
	}
	return text.Visible(name)
}

// read judges a recording.
func (s *trafficSession) read(name string) error {
	var from io.Reader = os.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", text.Visible(name), cli.Bare(err))
		}
		defer file.Close() //nolint:errcheck // only read
		from = file
	}
	err := traffic.Read(from, traffic.Recording{
		Base: func(url string) {
			if s.o.BaseURL == "" {
				s.judge.SetPlace(traffic.At(s.basis.Contract, url))
			}
		},
		Exchange: s.judge.Add, Other: s.judge.Skip,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", shownRecording(name), cli.Bare(err))
	}
	return nil
}

// finish writes the reports and the text, and returns an error with the exit code.
func (s *trafficSession) finish(ctx context.Context, source string) error {
	rec, err := s.record(source)
	if err != nil {
		return err
	}
	if len(rec.Exchanges) > 0 {
		rec.Opinions = steps.Opinions(ctx, second.New(s.basis.Contract), rec, s.basis.Catalogue)
	}
	v := view.New(rec, view.Sources{Catalogue: s.basis.Catalogue, Contract: s.basis.Contract, ContractFile: s.basis.contractFile()})
	unwritten := s.sinks.Finish(v)
	ReportToGitHub(s.env, v, s.o.NoGitHub, placeOf(s.env, s.o, v))
	out := s.env.Output(s.env.Stdout)
	if s.sinks.Stdout() {
		out = s.env.Output(s.env.Stderr)
	}
	if err := terminal.Write(out, v, out.Look(s.o.Detail.Detail())); err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
	}
	code := v.Result.ExitCode
	if unwritten != nil && code == verdict.ExitOK {
		code = verdict.ExitHarness // a passing result that nobody could read must not count
	}
	return cli.WithCode(code, unwritten)
}

// record returns what was judged as a record.
func (s *trafficSession) record(source string) (*record.Record, error) {
	rec := &record.Record{
		Suite:   record.Suite{Version: s.env.Version, Contract: s.basis.Contract.Digest(), Catalogue: s.basis.Catalogue.Digest()},
		Options: s.o.Recorded, Started: s.began.Round(0), Deviations: s.known,
	}
	rec.Options.AcceptPartial = true // nobody chose the operations that were called
	if s.o.BaseURL != "" {
		rec.Target.BaseURL = s.o.BaseURL
	}
	if !s.basis.IsBundled() {
		rec.Suite.Foreign = []string{"contract"}
		sources := record.Sources{Rules: s.basis.Catalogue.Rules, ContractFile: s.basis.contractFile()}
		sources.Own, sources.Contract = s.basis.Contract.Texts()
		var err error
		if rec.Sources, err = sources.Pack(); err != nil {
			return nil, err
		}
	}
	s.judge.Fill(rec, source)
	return rec, nil
}
