package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
)

const checkHelp = `Judge a recording of traffic by a contract, without sending anything: each exchange by the rules that hold for every exchange,
and by what it contradicts of earlier ones. A request is judged only if the service accepted it.

RECORDING is an HTTP Archive (HAR) from a browser or a proxy, a record or a journal of hallmark, or a file of JSON lines: exchanges, or
access logs of nginx or Envoy that hold the bodies. docs/traffic.md has their forms. - is standard input.

hallmark.yaml says what is judged by, as for "hallmark run": the contract, rules.yaml, known violations, headers that are secret. Its
address counts if --target names a target.

The service is where --base-url says, else where the recording or the document says; exchanges with other hosts are counted and left out.
Rules that need requests of their own are not exercised; "hallmark run" tests those.

Exit codes:
  0    no must rule is violated, and at least one was exercised
  1    a must rule is violated (with --strict, a should rule too), or an entry of --deviations no longer holds
  2    wrong usage, or a recording that cannot be read
  3    nothing could be judged: no exchange, or none that calls an operation of the contract successfully
  4    with --require-coverage: less of the contract was judged
  70   hallmark itself failed`

const checkExample = `  # what a browser saved
  hallmark check network.har --contract api.yaml

  # recorded at another address than that of the document
  hallmark check network.har --contract api.yaml --base-url https://staging.example.com/v2

  # the log of a gateway, with a report for CI
  hallmark check access.log --contract api.yaml --report junit:traffic.xml`

// checkFlags are the flags of run that check has too: what judges, and what is reported.
func checkFlags(name string) bool {
	return slices.Contains([]string{"target", "config", "contract", "rules-file", "values-file", "allow-remote", "strict", "require-coverage", "deviations", "report", "verbose", "quiet", options.GitHubFlag}, name)
}

// addRunFlags adds those flags of run to a command that the function selects, and returns them.
func addRunFlags(cmd *cobra.Command, o *options.Options, has func(name string) bool) *pflag.FlagSet {
	all, added := pflag.NewFlagSet("run", pflag.ContinueOnError), pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.AddFlags(all)
	cmd.Flags().SortFlags = false
	all.VisitAll(func(f *pflag.Flag) {
		if has(f.Name) {
			cmd.Flags().AddFlag(f)
			added.AddFlag(f)
		}
	})
	return added
}

// takeJudging sets the flags that are not given to the values of their variables, or of hallmark.yaml; those of the network only if the service
// is that of the file.
func takeJudging(a *app, o *session.TrafficOptions, shared *pflag.FlagSet, reach bool) error {
	given, err := a.ApplyVariables(shared)
	if err != nil {
		return err
	}
	o.FromFile, err = options.JudgingFromFile(a.Env, shared, given, reach)
	return err
}

// checkCommand judges a recording.
func checkCommand(a *app) *cobra.Command {
	o := session.TrafficOptions{Options: options.DefaultOptions()}
	var shared *pflag.FlagSet
	cmd := &cobra.Command{
		Use:     "check RECORDING",
		Short:   "Judge a recording of traffic: HAR, records, JSON lines, access logs",
		Long:    checkHelp,
		Example: checkExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one recording: hallmark check network.har --contract api.yaml; - is standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := takeJudging(a, &o, shared, false); err != nil { // HALLMARK_BASE_URL is where to run, which says nothing about a recording
				return err
			}
			if o.FromFile.Named && o.BaseURL == "" {
				o.BaseURL = o.FromFile.BaseURL
			}
			if err := o.Detail.Check(); err != nil {
				return err
			}
			return session.CheckRecording(cmd.Context(), a.Env, o, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []string{"har", "json", "jsonl", "ndjson", "log"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	base := cli.TextValue(&o.BaseURL, "URL")
	base.ArgumentOnly = true
	cmd.Flags().VarP(base, "base-url", "u", "the address of the service in the recording, with the path that precedes those of the contract")
	shared = addRunFlags(cmd, &o.Options, checkFlags)
	completeTraffic(a, cmd)
	cli.CompleteWords(cmd, "base-url")
	return cmd
}

// completeTraffic completes the flags of the commands that judge traffic.
func completeTraffic(a *app, cmd *cobra.Command) {
	completeTargets(a, cmd)
	completeContract(cmd)
	cli.CompleteFiles(cmd, "deviations", "yaml", "yml")
	completeReports(cmd)
	completeCoverage(cmd)
}
