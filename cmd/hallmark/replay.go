package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/replay"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

const replayHelp = `Run failures again, and report for each whether it still fails: those of the last run on this machine that the id beside its rule, a
rule or a scenario names, or those of a bundle. A bundle is a file that --report bundle:FILE.zip wrote, or a folder unpacked from one.

For a failure of the last run, the service and the contract are those of that run, unless flags name others. With --script, its requests
are printed as a shell script of curl commands, and nothing is sent.

replay runs the scenarios that showed a failure again, and all other scenarios that judge the same rule, with the seed of that run
and with new resources. So it does not matter that names, ids and the store have changed. A failure that does not show is tried up
to --times times. If this proves nothing (another suite, an intermittent failure, a store that is no longer empty, a service that
cannot be reached), the result is inconclusive, never fixed.

For a bundle, name the service with --base-url or --target: its author must not decide where a key is sent.

Exit codes: 0 nothing fails any more, 1 something still fails, 3 inconclusive; else those of run.`

const replayExample = `  # a failure of the last run, as its text names it
  hallmark replay f07eab0806
  hallmark replay list.limit.honoured --script

  # all failures of a bundle
  hallmark run --base-url https://staging.example.com --report bundle:failures.zip
  hallmark replay failures.zip --base-url https://staging.example.com

  # one of its failures
  hallmark replay failures.zip --rule listTickets.list --target staging

  # of a run that judged by a contract of your own
  hallmark replay failures.zip --contract api.yaml --base-url https://staging.example.com`

// replayFlags are the flags of run that replay has too: what says how the target is reached, and what judges it.
func replayFlags(name string) bool {
	return doctorFlags(name) || slices.Contains(options.HookFlags(), name) || slices.Contains([]string{"features", "max-created", "max-sensitive", "journal", "journal-space", "concurrency", "rate", "settle", "patience", "wait"}, name)
}

// maxTimes bounds --times.
const maxTimes = 100

// replayOptions are the flags of replay beside those of run.
type replayOptions struct {
	run   options.Options
	rules []string
	times int64
	// rerun is the command that judges the service as this replay does.
	rerun string
	// script prints the script of the failure instead.
	script bool
}

// replayCommand asks about failures again.
func replayCommand(a *app) *cobra.Command {
	o := replayOptions{run: options.DefaultOptions(), times: 3}
	var shared *pflag.FlagSet
	cmd := &cobra.Command{
		Use:     "replay ID|BUNDLE",
		Short:   "Run a failure of the last run again, or those of a bundle",
		Long:    replayHelp,
		Example: replayExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one failure of the last run, as its text does, or one bundle: hallmark replay failures.zip --base-url https://staging.example.com")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := failuresNamed(a, args[0])
			if err != nil {
				return err
			}
			if o.script {
				return source.writeScript(a.Stdout)
			}
			if err := source.setFlags(cmd.Flags()); err != nil {
				return err
			}
			if o.run.Settings, err = cli.Heed(cmd.Context(), func() (*options.Settings, error) { return options.Resolve(a.Env, cmd.Flags()) }); err != nil {
				return err
			}
			o.run.Settings.Warn(a.Stderr)
			o.rerun = o.run.Settings.Rerun(a.Env, shared)
			return runReplay(cmd.Context(), a, source, o)
		},
	}
	shared = addRunFlags(cmd, &o.run, replayFlags)
	only, times := cli.ListValue(&o.rules, "ID"), cli.NumberValue(&o.times, 1, maxTimes)
	only.ArgumentOnly, times.ArgumentOnly = true, true
	cmd.Flags().Var(only, "rule", "only the failures of this rule; repeatable")
	cmd.Flags().Var(times, "times", "how often to try a failure that does not show")
	cmd.Flags().BoolVar(&o.script, "script", false, "print the requests of a failure of the last run as a shell script, and send nothing")
	cli.GroupHelp(cmd, options.FlagGroups(), "")
	completeRun(a, cmd)
	cli.CompleteWords(cmd, "times")
	return cmd
}

func runReplay(ctx context.Context, a *app, source replaySource, o replayOptions) error {
	failures, err := replay.Select(source.failures, o.rules)
	if err != nil {
		return fmt.Errorf("%s: %w", text.Visible(source.name), err)
	}
	if t := o.run.Settings.Target; o.run.BaseURL == "" && (t == nil || t.Name == "") {
		return fmt.Errorf("name the service to ask with --base-url or --target; to ask the one where the failures were found:\nhallmark replay %s --base-url %s",
			text.ShellQuote(source.argument), text.ShellQuote(failures[0].Target.BaseURL))
	}
	r := replay.Replayer{ReadOnly: o.run.Run.Target.ReadOnly, Times: o.times}
	r.Suite, err = cli.Heed(ctx, func() (*suite.Suite, error) {
		basis, err := session.Load(o.run.Contract)
		if err != nil {
			return nil, err
		}
		r.Contract, r.Catalogue = basis.Contract, basis.Catalogue
		return basis.Suite(o.run.Features)
	})
	if err != nil {
		return err
	}
	o.run.Recorded.Again = source.name
	r.Run = func(only []string, then record.Options) (*record.Record, error) {
		return session.RunAgain(ctx, a.Env, o.run, only, then, o.rerun)
	}
	results, err := r.Replay(failures)
	if err != nil {
		return err
	}
	if err := replay.Write(a.Stdout, results); err != nil {
		return err
	}
	return cli.WithCode(replay.ExitCode(results), nil)
}
