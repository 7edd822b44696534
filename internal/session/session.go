package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hallmark/internal/cli"
	"hallmark/internal/options"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/reports/terminal"
	"hallmark/reports/verdict"
	"hallmark/reports/view"
	"hallmark/steps"
)

// Session is one run: what the suite is run with, and where its results go.
type Session struct {
	env      *cli.Env
	Config   steps.Config
	sources  view.Sources
	recorder *record.Recorder
	sinks    *reports.Sinks
	// journalPath is what --journal named, journalSpace --journal-space in bytes; journal is opened with the first request.
	journalPath  string
	journalSpace int64
	journal      *Journal
	text         cli.Output // for the final text
	detail       terminal.Detail
	total        int // scenarios; 0 when not known
	// warning is what a person has to know before the run.
	warning string
	// publish reports to the CI system, where no flag asked for it.
	publish func(*view.View)
}

// Run runs the suite. Its error carries the exit code, also when there is nothing more to say.
func Run(ctx context.Context, env *cli.Env, o options.Options, rerun string) error {
	s, err := Prepare(env, o, rerun)
	if err != nil {
		return err
	}
	if o.Plan {
		return s.printPlan()
	}
	s.announce()
	s.Config.Notice = s.notice
	begin := &firstRequest{RoundTripper: s.Config.Transport, begin: s.start}
	s.Config.Transport = begin
	fmt.Fprint(env.Stderr, s.warning)

	ending, err := s.ask(ctx)
	var unreachable steps.Unreachable
	_, wasInterrupted := cli.Interrupted(ctx)
	switch {
	case begin.err != nil:
		return cli.WithCode(cli.ExitUsage, begin.err)
	case err == nil, errors.As(err, &unreachable), wasInterrupted:
	case !begin.begun.Load():
		return err // what was asked for cannot be run
	default:
		ending.Failure = err.Error()
	}
	return s.finish(ctx, ending, unreachable)
}

// start begins what is written while the run goes on.
func (s *Session) start() error {
	if err := s.sinks.Start(s.recorder, s.sources); err != nil {
		return err
	}
	journal, err := OpenJournal(s.env, s.journalPath, s.journalSpace, time.Now())
	if err != nil {
		return err
	}
	s.journal = journal
	if journal.Lines != nil {
		s.recorder.Keep(journal.Lines)
	}
	return nil
}

// ask runs the suite, and shows meanwhile how far it is.
func (s *Session) ask(ctx context.Context) (record.Ending, error) {
	live := s.env.Output(s.env.Stderr)
	look := terminal.ProgressLook{Total: s.total, Width: live.Width, Colour: live.Colour}
	var progress *terminal.Progress
	lines := newScenarioLog(live, s.recorder)
	if live.Redraws && s.detail != terminal.Brief {
		progress = terminal.StartProgress(live, s.recorder, look)
		lines.to = progress
	} else {
		progress = terminal.StartProgress(nil, s.recorder, look)
	}
	if s.detail == terminal.Full {
		lines.start()
	}
	ending, err := steps.Run(ctx, s.Config)
	if s.detail == terminal.Full {
		lines.stop()
	}
	progress.Stop()
	return ending, err
}

// finish ends the record, writes the reports and the final text, and gives the exit code.
func (s *Session) finish(ctx context.Context, ending record.Ending, unreachable steps.Unreachable) error {
	record := s.recorder.Finish(ending)
	v := view.New(&record, s.sources)
	result := &v.Result
	var last error
	signal, wasInterrupted := cli.Interrupted(ctx)
	switch {
	case wasInterrupted:
		result.ExitCode, last = signal.ExitCode(), fmt.Errorf("%w; the run is incomplete", signal)
	case unreachable.Reason != "":
		result.ExitCode, last = verdict.ExitUnjudged, unreachable
		if unreachable.Remedy != "" {
			last = fmt.Errorf("%w; %s", unreachable, unreachable.Remedy)
		}
	}
	// The reports first: the reader of the text may have gone.
	unwritten := s.sinks.Finish(v)
	kept := s.journal.Close()
	if kept != nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s is not whole: %v\n", text.Printable(s.journal.Path), cli.Bare(kept))
		fmt.Fprint(s.env.Stderr, leftBehind(&record))
	}
	if s.journal.Lines.Full() {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s reached its limit (--journal-space) and holds only a part of the run, but all animals\n", text.Printable(s.journal.Path))
	}
	if (unwritten != nil || wasInterrupted) && s.journal.Path != "" && kept == nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: hallmark report %s makes reports of what the run had\n", text.ShellQuote(s.journal.Path))
	}
	if s.detail != terminal.Brief {
		fmt.Fprint(s.env.Stderr, cutShort(&record, result))
	}
	s.publish(v)
	if unreachable.Reason == "" || wasInterrupted {
		err := terminal.Write(s.text, v, s.text.Look(s.detail))
		if err != nil && !errors.Is(err, syscall.EPIPE) {
			unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
		}
	}
	code := result.ExitCode
	if unwritten != nil && code == verdict.ExitOK {
		code = verdict.ExitHarness // nobody could read that all is well
	}
	return cli.WithCode(code, errors.Join(last, unwritten))
}

// leftBehind names what the run created: where the journal is not whole, this may be the only list of it.
func leftBehind(rec *record.Record) string {
	var all []string
	for _, a := range rec.Animals {
		if a.ID != "" {
			all = append(all, a.ID)
		} else {
			all = append(all, "? ("+text.Truncate(text.Printable(a.Name), 60)+")")
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("hallmark: the ids of the animals that it created: %s\n", strings.Join(all, ", "))
}

// cutShort says that fewer generated cases were tried than were asked for. Where no rule is left unexercised by it, the
// text for people does not say so.
func cutShort(rec *record.Record, res *verdict.Result) string {
	told := map[string]bool{}
	for _, r := range res.Rules {
		told[r.Reason] = true
	}
	var all []string
	for _, s := range rec.Scenarios {
		if tried, cut := steps.CutShort(s); cut && !told[s.Reason] {
			all = append(all, tried)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return fmt.Sprintf("hallmark: the run may create no more than %s (--max-animals), so that fewer examples were tried than were asked for (--examples): %s\n",
		text.Count(rec.Options.MaxAnimals, "animal"), text.Printable(strings.Join(all, ", ")))
}

// agent is the User-Agent of the requests.
func agent(version string) string {
	v := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
			return r
		}
		return -1
	}, version)
	return "hallmark/" + v
}

// firstRequest begins something with the first request. Until then wrong input may still turn up, and must not replace
// the reports of an earlier run.
type firstRequest struct {
	http.RoundTripper
	begin func() error
	once  sync.Once
	begun atomic.Bool
	err   error
}

// Unwrap is the transport that it stands before.
func (f *firstRequest) Unwrap() http.RoundTripper { return f.RoundTripper }

func (f *firstRequest) RoundTrip(r *http.Request) (*http.Response, error) {
	f.once.Do(func() {
		f.begun.Store(true)
		f.err = f.begin()
	})
	if f.err != nil {
		return nil, f.err
	}
	return f.RoundTripper.RoundTrip(r)
}

// notice tells a person what a run can live with.
func (s *Session) notice(c steps.Check) {
	line := "hallmark: warning: " + c.Name + ": " + text.Printable(c.Says)
	if c.Remedy != "" {
		line += "; " + text.Printable(c.Remedy)
	}
	fmt.Fprintln(s.env.Stderr, line)
}

// Record runs the suite without a line for each scenario, and returns the record in place of reports.
func (s *Session) Record(ctx context.Context) (*record.Record, error) {
	s.detail = terminal.Brief // no line for each scenario
	begin := &firstRequest{RoundTripper: s.Config.Transport, begin: s.start}
	s.Config.Transport = begin
	fmt.Fprint(s.env.Stderr, s.warning)
	ending, err := s.ask(ctx)
	if kept := s.journal.Close(); kept != nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s is not whole: %v\n", text.Printable(s.journal.Path), cli.Bare(kept))
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

// RunAgain runs the named scenarios with the seed, the day and the examples of an earlier run, and returns the record.
func RunAgain(ctx context.Context, env *cli.Env, o options.Options, only []string, then record.Options) (*record.Record, error) {
	o.Only, o.Seed, o.Confirm = only, then.Seed, 0
	if at, err := time.Parse(time.RFC3339, then.Now); err == nil && o.Now.IsZero() {
		o.Now = at
	}
	if then.Examples > 0 {
		o.Examples = min(then.Examples, options.MaxExamples)
	}
	s, err := Prepare(env, o, "")
	if err != nil {
		return nil, err
	}
	return s.Record(ctx)
}
