package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/doctor"
)

// Session is one run: what the suite is run with, and where its results go.
type Session struct {
	env      *cli.Env
	hooks    *hookRunner
	Config   steps.Config
	sources  view.Sources
	recorder *record.Recorder
	sinks    *reports.Sinks
	// journalPath is the value of --journal, journalSpace that of --journal-space in bytes; journal is opened with
	// the first request.
	journalPath  string
	journalSpace int64
	journal      *Journal
	// spill is the file of the spilled scenarios and exchanges; nil if they stay in memory.
	spill  *os.File
	text   cli.Output // for the final text
	detail terminal.Detail
	total  int // scenarios; 0 when not known
	// warning is what a person has to know before the run.
	warning string
	// publish reports to the CI system, without being requested by a flag.
	publish func(*view.View)
}

// Run runs the suite. Its error carries the exit code, even if there is nothing more to say.
func Run(ctx context.Context, env *cli.Env, o options.Options, rerun string) error {
	_, err := Judge(ctx, env, o, rerun)
	return err
}

// Judge is [Run], and returns what the run showed; nil if it never began.
func Judge(ctx context.Context, env *cli.Env, o options.Options, rerun string) (*view.View, error) {
	loaded := env.Loaded
	if loaded == nil || o.Plan {
		loaded = func(int) {}
	}
	s, err := cli.Heed(ctx, func() (*Session, error) { return prepare(env, o, rerun, loaded) })
	if err != nil {
		return nil, err
	}
	if o.Plan {
		return nil, s.printPlan()
	}
	s.announce()
	s.Config.Notice = s.notice
	begin := &firstRequest{RoundTripper: s.Config.Transport, begin: s.start}
	s.Config.Transport = begin
	fmt.Fprint(env.Stderr, s.warning)

	ending, err := s.ask(ctx)
	s.Config = steps.Config{} // the configuration takes much memory, and so does what is made from the record
	if env.Asked != nil {
		env.Asked()
	}
	_, wasInterrupted := cli.Interrupted(ctx)
	switch {
	case begin.err != nil:
		return nil, cli.WithCode(cli.ExitUsage, begin.err)
	case err == nil, errors.As(err, new(steps.Unreachable)), wasInterrupted:
	case errors.As(err, new(steps.HookError)) && !begin.begun.Load():
		return nil, cli.WithCode(verdict.ExitUnjudged, err)
	case errors.As(err, new(steps.HookError)):
	case !begin.begun.Load():
		return nil, err // the requested run is impossible
	default:
		ending.Failure = err.Error()
	}
	return s.finish(ctx, ending, err)
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
	// Without reports, only a journal shows the steps and exchanges of a run that finds nothing, and its sources: it
	// holds them up to its limit.
	if s.sinks.Empty() && !s.env.OnGitHub() {
		s.recorder.DropSources()
		s.spill = openSpill(s.recorder)
	}
	return nil
}

// ask runs the suite, and shows meanwhile how far it is.
func (s *Session) ask(ctx context.Context) (record.Ending, error) {
	live := s.env.Output(s.env.Stderr)
	look := terminal.ProgressLook{Total: s.total, Width: live.Width, Colour: live.Colour}
	var progress *terminal.Progress
	var to io.Writer = live
	if live.Redraws && s.detail != terminal.Brief {
		progress = terminal.StartProgress(live, s.recorder, look)
		to = progress
	} else {
		progress = terminal.StartProgress(nil, s.recorder, look)
	}
	var lines *scenarioLog
	if s.detail == terminal.Full {
		lines = newScenarioLog(to, s.recorder)
		s.hooks.say = lines.note
		lines.start()
	}
	ending, err := steps.Run(ctx, s.Config)
	if lines != nil {
		lines.stop()
	}
	progress.Stop()
	return ending, err
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

// notice writes a problem that does not stop the run.
func (s *Session) notice(c doctor.Check) {
	line := "hallmark: warning: " + c.Name + ": " + text.Visible(c.Says)
	if c.Remedy != "" {
		line += "; " + text.Visible(c.Remedy)
	}
	fmt.Fprintln(s.env.Stderr, line)
}
