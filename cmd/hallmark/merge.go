package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const mergeHelp = `Join the records of all shards of a suite into one verdict: the verdict that one run of the whole suite would have.

Each RECORD is what "hallmark run --shard I/N --report json:RECORD" wrote, and all N are required. Records that do not belong
together are refused: a shard that is missing, given twice or ended early, or that differs in suite, target or options.

Records of traffic (check, watch) are joined, too, any number of them that were judged by the same contract and rules: those of several
proxies, or of several days. One that is given twice is refused, and so are those of services at different base URLs.

The text, the reports and the exit code are those of the whole run. --strict, --require-complete, --require-prose and --require-coverage are those of
the shards.

` + exitCodes

const mergeExample = `  hallmark run --base-url https://pets.example.com/v1 --shard 1/2 --report json:1.json
  hallmark run --base-url https://pets.example.com/v1 --shard 2/2 --report json:2.json
  hallmark merge 1.json 2.json --report junit:hallmark.xml --report json:merged.json

  # what several proxies saw
  hallmark merge watched-1.json watched-2.json --report html:traffic.html`

func mergeCommand(a *app) *cobra.Command {
	var wanted []string
	var detail cli.DetailFlags
	var noGitHub bool
	cmd := &cobra.Command{
		Use:     "merge RECORD...",
		Short:   "Join the records of all shards into one verdict",
		Long:    mergeHelp,
		Example: mergeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name the records of all shards: hallmark merge 1.json 2.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := detail.Check(); err != nil {
				return err
			}
			return runMerge(a, args, wanted, detail.Detail(), noGitHub)
		},
	}
	cmd.Flags().Var(cli.ReportsValue(&wanted), "report", "write a report; repeatable, or separated by commas; the path - is standard output")
	detail.Add(cmd.Flags())
	options.AddGitHub(cmd.Flags(), &noGitHub)
	completeReports(cmd)
	return cmd
}

func runMerge(a *app, files, wanted []string, detail terminal.Detail, noGitHub bool) error {
	var all []record.Named
	for _, file := range files {
		rec, _, err := session.ReadRecord(a.Env, []string{file})
		if err != nil {
			return err
		}
		if _, err := session.CatalogueOf(file, rec); err != nil {
			return err
		}
		all = append(all, record.Named{Name: file, Record: rec})
	}
	rec, err := record.Merge(all)
	if err != nil {
		return fmt.Errorf("the records cannot be merged:\n%w", err)
	}
	sinks, err := reports.OpenSinks(wanted, session.Formats(), a.Stdout)
	if err != nil {
		return err
	}
	text := a.Output(a.Stdout)
	if sinks.Stdout() {
		text = a.Output(a.Stderr)
	}
	view, err := session.NewView(files[0], rec)
	if err != nil {
		return err
	}
	result := &view.Result
	unwritten := session.FinishReports(sinks, view)
	session.ReportToGitHub(a.Env, view, noGitHub, session.PlaceOf(a.Env, "", view))
	err = terminal.Write(text, view, text.Look(detail))
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
	}
	if unwritten != nil && result.ExitCode == verdict.ExitOK {
		result.ExitCode = verdict.ExitHarness // a passing result that nobody could read must not count
	}
	return cli.WithCode(result.ExitCode, unwritten)
}
