package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/score"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// runScore measures a suite by a contract.
func runScore(ctx context.Context, a *app, flags *pflag.FlagSet, o scoreOptions, command []string) error {
	var basis score.Basis
	faults, err := cli.Heed(ctx, func() ([]fault.Fault, error) {
		loaded, err := session.Load(o.contract)
		if err != nil {
			return nil, err
		}
		basis = score.Basis{Contract: loaded.Contract, Promises: loaded.Promises(), Catalogue: loaded.Catalogue}
		if basis.Suite, err = loaded.Suite(""); err != nil {
			return nil, err
		}
		return chosenFaults(basis.Faults(), o)
	})
	if err != nil {
		return err
	}
	out := a.Output(a.Stderr)
	progress := func(n int) func(score.Outcome) {
		return score.Progress(a.Stderr, out.Redraws && out.Terminal, n)
	}
	var m score.Measurement
	if len(command) > 0 {
		if len(o.baseURLs) == 0 {
			return errors.New("the command has no service to test; name one with --base-url")
		}
		c := score.Command{Basis: basis, Args: command, Reset: o.reset, BaseURLs: o.baseURLs, Workers: o.workers, Sample: o.most(true), Progress: progress}
		m, err = c.Measure(ctx, faults)
	} else {
		var d *score.Derived
		if d, err = derivedProof(a, flags, basis, o); err != nil {
			return err
		}
		var freedoms []mutate.Freedom
		if len(o.only) == 0 {
			freedoms = mutate.Freedoms()
		}
		faults = score.Choose(faults, o.most(false))
		d.Workers, d.Progress = o.workers, progress(len(faults)+len(freedoms))
		m, err = d.Measure(ctx, faults, freedoms)
	}
	switch why, _ := cli.Interrupted(ctx); {
	case err != nil && ctx.Err() != nil:
		return cli.WithCode(why.ExitCode(), fmt.Errorf("the proof was not finished: %w", context.Cause(ctx)))
	case err != nil:
		return cli.WithCode(verdict.ExitUnjudged, err)
	}
	return writeScore(a, m, basis, o)
}

// chosenFaults returns the requested faults.
func chosenFaults(all []fault.Fault, o scoreOptions) ([]fault.Fault, error) {
	cases, err := prove.Find(casesOfFaults(all), o.only)
	if err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	wanted := map[string]bool{}
	for _, c := range cases {
		wanted[c.Name] = true
	}
	return slices.DeleteFunc(all, func(f fault.Fault) bool { return !wanted[f.Name] }), nil
}

// The default numbers of faults to try: a command may be slow.
const ofCommand, ofDerived = 200, 1000

// most returns the maximum number of faults to try; 0 means all.
func (o scoreOptions) most(command bool) int {
	switch {
	case o.sample >= 0:
		return o.sample
	case command:
		return ofCommand
	}
	return ofDerived
}

// derivedProof is the measurement of the derived scenarios: in front of a service that runs, or of one that is made of the contract.
func derivedProof(a *app, flags *pflag.FlagSet, basis score.Basis, o scoreOptions) (*score.Derived, error) {
	switch {
	case o.reset != "":
		return nil, errors.New("--reset is for a command behind --, which runs once for each fault")
	case len(o.baseURLs) > 1:
		return nil, errors.New("--base-url: give one address; several are for a command behind --")
	case len(o.baseURLs) == 0:
		return score.Made(basis, o.seed)
	}
	run, flagsOfRun := options.DefaultOptions(), pflag.NewFlagSet("run", pflag.ContinueOnError)
	run.AddFlags(flagsOfRun)
	var wrong error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && slices.Contains([]string{"contract", "rules-file", "values-file", "allow-remote", "per-operation", "base-url", "seed"}, f.Name) {
			wrong = errors.Join(wrong, flagsOfRun.Set(f.Name, f.Value.String()))
		}
	})
	if wrong != nil {
		return nil, wrong
	}
	var err error
	if run.Settings, err = options.Resolve(a.Env, flagsOfRun); err != nil {
		return nil, err
	}
	prepared, err := session.Prepare(a.Env, run, "")
	if err != nil {
		return nil, err
	}
	return score.Running(basis, prepared.Config)
}

// writeScore prints a measurement.
func writeScore(a *app, m score.Measurement, basis score.Basis, o scoreOptions) error {
	advice := basis.Advice("hallmark derive --contract " + text.ShellQuote(o.contract.File) + " --rule ")
	if o.html != "" {
		var b strings.Builder
		if err := score.HTML(&b, m, advice); err != nil {
			return err
		}
		if err := files.Replace(o.html, b.String()); err != nil {
			return fmt.Errorf("--html %s: the file cannot be written: %w", text.Visible(o.html), cli.Bare(err))
		}
	}
	if o.asJSON {
		return score.JSON(a.Stdout, m)
	}
	return score.Text(a.Stdout, m, advice)
}
