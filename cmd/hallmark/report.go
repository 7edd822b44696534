package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const reportHelp = `Make reports of a run that has ended: from its record, which --report json:FILE wrote, or from its journal, which every run
writes as it goes on, so that a run that was killed has reports, too.

Without a file, the journal of the latest run on this machine is used. Without --report, the text that "hallmark run" prints
at its end is printed. A record holds what its run was judged by, so no contract has to be named. The exit code says whether the reports could be made, not what they say.`

// reportCommand makes any report later.
func reportCommand(a *app) *cobra.Command {
	var wanted []string
	var detail cli.DetailFlags
	var sign options.Signing
	cmd := &cobra.Command{
		Use:   "report [FILE]",
		Short: "Make reports of a run that has ended or was killed",
		Long:  reportHelp + "\n\n" + formatList(),
		Example: `  # what the last run found, also when it was killed
  hallmark report

  # another format, later
  hallmark report record.json --report junit:junit.xml`,
		Args: func(_ *cobra.Command, args []string) error { return oneRecord(args) },
		RunE: func(_ *cobra.Command, args []string) error {
			if err := detail.Check(); err != nil {
				return err
			}
			return runReport(a, args, wanted, sign, detail.Detail())
		},
	}
	cmd.Flags().Var(cli.ReportsValue(&wanted), "report", "write a report; repeatable, or separated by commas; the path - is standard output")
	detail.Add(cmd.Flags())
	completeReports(cmd)
	sign.AddFlags(cmd.Flags())
	completeSigning(cmd)
	return cmd
}

func runReport(a *app, args, wanted []string, sign options.Signing, detail terminal.Detail) error {
	record, path, err := session.ReadRecord(a.Env, args)
	if err != nil {
		return err
	}
	formats, err := session.SignedFormats(a.Env, sign, wanted, record.Target.Implementation, true)
	if err != nil {
		return err
	}
	sinks, err := reports.OpenSinks(wanted, formats, a.Stdout)
	if err != nil {
		return err
	}
	view, err := session.NewView(path, record)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		text := a.Output(a.Stdout)
		look := text.Look(detail)
		look.Replayable = session.Replayable(a.Env, record)
		return terminal.Write(text, view, look)
	}
	if err := session.FinishReports(sinks, view); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	return nil
}

// formatList says what each format is for.
func formatList() string {
	text := "Formats:\n"
	for _, f := range session.Formats() {
		text += fmt.Sprintf("  %-12s %s\n", f.Name, f.Says)
	}
	return strings.TrimSuffix(text, "\n")
}
