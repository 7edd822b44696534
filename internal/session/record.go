package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
)

// record runs the suite without a line for each scenario, and returns the record in place of reports.
func (s *Session) record(ctx context.Context) (*record.Record, error) {
	s.detail = terminal.Brief // no line for each scenario
	begin := &firstRequest{RoundTripper: s.Config.Transport, begin: s.start}
	s.Config.Transport = begin
	fmt.Fprint(s.env.Stderr, s.warning)
	ending, err := s.ask(ctx)
	if kept := s.journal.Close(); kept != nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s is incomplete: %v\n", text.Visible(s.journal.Path), cli.Bare(kept))
	}
	if signal, was := cli.Interrupted(ctx); was {
		return nil, cli.WithCode(signal.ExitCode(), signal)
	}
	var unreachable steps.Unreachable
	switch {
	case begin.err != nil:
		return nil, cli.WithCode(cli.ExitUsage, begin.err)
	case errors.As(err, &unreachable):
		ending.Lost = unreachable.Reason
		if unreachable.Remedy != "" {
			ending.Lost += "; " + unreachable.Remedy
		}
	case err != nil && !begin.begun.Load():
		return nil, err
	case err != nil:
		return nil, cli.WithCode(verdict.ExitHarness, err)
	}
	rec := s.recorder.Finish(ending)
	return &rec, nil
}

// RunAgain runs the named scenarios with the seed and the day of an earlier run, and returns the record.
func RunAgain(ctx context.Context, env *cli.Env, o options.Options, only []string, then record.Options, rerun string) (*record.Record, error) {
	o.Run.Selection.Only, o.Run.Seed, o.Run.Confirm = only, then.Seed, 0
	if at, err := time.Parse(time.RFC3339, then.Now); err == nil && o.Run.Now.IsZero() {
		o.Run.Now = at
	}
	s, err := cli.Heed(ctx, func() (*Session, error) { return Prepare(env, o, rerun) })
	if err != nil {
		return nil, err
	}
	return s.record(ctx)
}
