package main

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/history"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const historyHelp = `Follow each rule through the records of many runs, such as those that CI keeps: since when it is broken, when it was fixed, and in how many
runs it was broken now and then (flaky). With --report html:FILE as one page with plots of broken rules, coverage and duration.

Records are those of --report json:FILE, or journals; folders are searched for them. They are put in the order of their runs, whatever their
names are. Runs by a contract that has changed are followed by the ids of rules that stay; those of another interface have a history of
their own. Of several files about the same run one is taken.

Exit codes: 0 when there is a history, whatever it says.`

const historyExample = `  # the folder in which CI keeps the records
  hallmark history records/ -o html:history.html

  # some of them
  hallmark history monday.json tuesday.json --report json:-`

func historyCommand(a *app) *cobra.Command {
	var wanted []string
	var detail cli.DetailFlags
	cmd := &cobra.Command{
		Use:     "history FILE|FOLDER...",
		Short:   "Follow each rule through the records of many runs",
		Long:    historyHelp,
		Example: historyExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the records of runs, or folders of them: hallmark history records/")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := detail.Check(); err != nil {
				return err
			}
			return runHistory(a, args, wanted, detail)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(cli.ReportsValue(&wanted), "report", "o", "write the history as html or json; repeatable, or separated by commas; the path - is standard output")
	detail.Add(flags)
	completeFormats(cmd, "report", func() []reports.Format { return history.Formats(nil) })
	return cmd
}

func runHistory(a *app, args, wanted []string, detail cli.DetailFlags) error {
	var h *history.History
	sinks, err := reports.OpenSinks(wanted, history.Formats(&h), a.Stdout)
	if err != nil {
		return err
	}
	runs, notes, err := session.ReadHistory(args)
	if err != nil {
		return err
	}
	if h, err = history.New(runs); err != nil {
		return err
	}
	h.Notes = slices.Concat(notes, h.Notes)
	text := a.Output(a.Stdout)
	if sinks.Stdout() {
		text = a.Output(a.Stderr)
	}
	unwritten := sinks.Finish(nil)
	if err := history.Terminal(h, text, text.Look(detail.Detail())); err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the history could not be written: %w", cli.Bare(err)))
	}
	if unwritten != nil {
		return cli.WithCode(verdict.ExitHarness, unwritten)
	}
	return nil
}
