package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/suggested"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
)

// finish ends the record, writes the reports and the final text, and returns what was judged and the exit code. ended is why the run ended,
// or nil.
func (s *Session) finish(ctx context.Context, ending record.Ending, ended error) (*view.View, error) {
	unreachable, _ := errors.AsType[steps.Unreachable](ended)
	hook, hookFailed := errors.AsType[steps.HookError](ended)
	rec := s.recorder.Finish(ending)
	closeSpill(s.spill)
	v := view.New(&rec, s.sources)
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
	case hookFailed:
		result.ExitCode, last = verdict.ExitUnjudged, hook
	}
	// The reports first: the reader of the text may have gone.
	unwritten := FinishReports(s.sinks, v)
	kept := s.journal.Close()
	if kept != nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s is incomplete: %v\n", text.Visible(s.journal.Path), cli.Bare(kept))
		fmt.Fprint(s.env.Stderr, leftBehind(&rec))
	}
	if s.journal.Lines.Full() {
		fmt.Fprintf(s.env.Stderr, "hallmark: the journal %s reached its limit (--journal-space) and holds only a part of the run, but all created resources\n", text.Visible(s.journal.Path))
	}
	if (unwritten != nil || wasInterrupted) && s.journal.Path != "" && kept == nil {
		fmt.Fprintf(s.env.Stderr, "hallmark: hallmark report %s makes reports of what there is\n", text.ShellQuote(s.journal.Path))
	}
	s.publish(v)
	v.SuggestedIn = s.suggest(v)
	if unreachable.Reason == "" || wasInterrupted {
		look := s.text.Look(s.detail)
		look.Replayable = s.journal.Path != "" && kept == nil && !s.journal.Lines.Full()
		err := terminal.Write(s.text, v, look)
		if err != nil && !errors.Is(err, syscall.EPIPE) {
			unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
		}
	}
	code := result.ExitCode
	if unwritten != nil && code == verdict.ExitOK {
		code = verdict.ExitHarness // a passing result that nobody could read must not count
	}
	return v, cli.WithCode(code, errors.Join(last, unwritten))
}

// FinishReports writes the reports for the last time, with the scripts that they mention.
func FinishReports(sinks *reports.Sinks, v *view.View) error {
	var unwritten error
	if folder := sinks.Scripts(); folder != "" {
		unwritten = bundle.WriteScripts(folder, v)
	}
	return errors.Join(unwritten, sinks.Finish(v))
}

// leftBehind names what the run created: if the journal is incomplete, this may be the only list of it.
func leftBehind(rec *record.Record) string {
	var all []string
	for _, a := range record.Left(rec.Created) {
		if a.ID != "" {
			all = append(all, a.ID)
		} else {
			all = append(all, "? ("+text.Truncate(text.Visible(a.Name), 60)+")")
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("hallmark: the ids of the resources that it created: %s\n", strings.Join(all, ", "))
}

// suggestedEnding replaces the ending of a journal in the name of the file with suggested values beside it.
const suggestedEnding = ".values.suggested.yaml"

// suggest writes the values that may make operations succeed beside the journal, and returns the name of the file; "" if there is none. It
// replaces no file of other content.
func (s *Session) suggest(v *view.View) string {
	if lines, _, _ := v.SuggestedLines(1); len(lines) == 0 || s.journal.Path == "" {
		return ""
	}
	path := suggestedBeside(s.journal.Path)
	if before, err := os.ReadFile(path); !errors.Is(err, fs.ErrNotExist) && (err != nil || !isSuggested(string(before))) {
		return ""
	}
	if err := files.ReplaceWith(path, func(w io.Writer) error { return suggested.Format().Write(w, v) }); err != nil {
		return ""
	}
	return path
}

// isSuggested reports whether a file is as a run wrote it: its lines are comments until a person has need of one.
func isSuggested(before string) bool {
	for line := range strings.Lines(before) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return strings.HasPrefix(before, suggested.Heading)
}

// suggestedBeside returns the name of the file with suggested values beside a journal.
func suggestedBeside(journal string) string {
	return strings.TrimSuffix(journal, journalEnding) + suggestedEnding
}
