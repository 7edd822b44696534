package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/bundle"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps/suite"
)

const replayHelp = `Run the failures of a bundle again, and report for each whether it still fails. A bundle is a file that --report
bundle:FILE.zip wrote, or a folder unpacked from one.

replay runs the scenarios that showed a failure again, with the seed of that run and with animals of their own, and so it does
all scenarios that judge the same rule. So it does not matter that names, ids and the store have changed. A failure that does
not show is tried up to --times times. Where this proves nothing (another suite, an intermittent failure, a store that is no
longer empty, a service that cannot be reached), the result is inconclusive, never fixed.

Name the service with --base-url or --target: the author of a bundle must not decide where a key is sent.

Exit codes: 0 nothing fails any more, 1 something still fails, 3 inconclusive; else those of run.`

const replayExample = `  hallmark run --base-url https://pets.example.com/v1 --report bundle:failures.zip
  hallmark replay failures.zip --base-url https://pets.example.com/v1

  # one of its failures
  hallmark replay failures.zip --rule list.limit.honoured --target staging`

// replayFlags are the flags of run that replay has too: what says how the target is reached, and what judges it.
func replayFlags(name string) bool {
	return doctorFlags(name) || slices.Contains([]string{"features", "max-animals", "journal", "journal-space", "concurrency", "rate", "settle", "patience", "wait"}, name)
}

// maxTimes bounds --times.
const maxTimes = 100

// replay are the flags of replay beside those of run.
type replay struct {
	run   session.Options
	rules []string
	times int64
}

// replayCommand asks about failures again.
func (a *app) replayCommand() *cobra.Command {
	r := replay{run: session.DefaultOptions(), times: 3}
	cmd := &cobra.Command{
		Use:     "replay BUNDLE",
		Short:   "Run the failures of a bundle again",
		Long:    replayHelp,
		Example: replayExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one bundle: hallmark replay failures.zip --base-url https://pets.example.com/v1")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.run.Settings, err = session.Resolve(a.Env, cmd.Flags()); err != nil {
				return err
			}
			r.run.Settings.Warn(a.Stderr)
			return a.replay(cmd.Context(), args[0], r)
		},
	}
	all := pflag.NewFlagSet("run", pflag.ContinueOnError)
	r.run.AddFlags(all)
	cmd.Flags().SortFlags = false
	all.VisitAll(func(f *pflag.Flag) {
		if replayFlags(f.Name) {
			cmd.Flags().AddFlag(f)
		}
	})
	only, times := cli.ListValue(&r.rules, "ID"), cli.NumberValue(&r.times, 1, maxTimes)
	only.ArgumentOnly, times.ArgumentOnly = true, true
	cmd.Flags().Var(only, "rule", "only the failures of this rule; repeatable")
	cmd.Flags().Var(times, "times", "how often to ask for what does not show")
	a.completeRun(cmd)
	cli.CompleteWords(cmd, "times")
	return cmd
}

// told is what came of asking about a failure again.
type told struct {
	bundle.Failure
	// state is one of the following; empty when nothing is known yet.
	state string
	says  string
	tries int
}

const (
	stillFails    = "still fails"
	failsOtherway = "fails in another way"
	noLongerFails = "no longer fails"
	inconclusive  = "inconclusive"
)

func (a *app) replay(ctx context.Context, name string, r replay) error {
	failures, err := bundle.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", text.Printable(name), err)
	}
	if failures, err = r.wanted(failures); err != nil {
		return fmt.Errorf("%s: %w", text.Printable(name), err)
	}
	if t := r.run.Settings.Target; r.run.BaseURL == "" && (t == nil || t.Name == "") {
		return fmt.Errorf("name the service to ask with --base-url or --target; to ask the one where the failures were found:\nhallmark replay %s --base-url %s",
			text.ShellQuote(name), text.ShellQuote(failures[0].Target.BaseURL))
	}
	all := make([]*told, 0, len(failures))
	for _, f := range failures {
		all = append(all, &told{Failure: f})
	}
	// Each has the seed and the options of its own run; most bundles are of one.
	for len(undecided(all)) > 0 {
		if err := a.replayAll(ctx, name, undecided(all), r); err != nil {
			return err
		}
	}
	return a.tellReplay(all)
}

// wanted are the failures of the rules that were named; all without any.
func (r replay) wanted(all []bundle.Failure) ([]bundle.Failure, error) {
	if len(r.rules) == 0 {
		return all, nil
	}
	var wanted []bundle.Failure
	for _, f := range all {
		if slices.ContainsFunc(f.Broken, func(rule string) bool { return slices.Contains(r.rules, rule) }) {
			wanted = append(wanted, f)
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("it holds no failure of %s", text.Printable(strings.Join(r.rules, ", ")))
	}
	return wanted, nil
}

func undecided(all []*told) []*told {
	return slices.DeleteFunc(slices.Clone(all), func(t *told) bool { return t.state != "" })
}

// replayAll decides about those failures that belong to the run of the first of them.
func (a *app) replayAll(ctx context.Context, name string, all []*told, r replay) error {
	first := all[0].Failure
	all = slices.DeleteFunc(all, func(t *told) bool {
		return t.Run != first.Run || t.Suite.Other(first.Suite.Contract, first.Suite.Catalogue, first.Suite.Features) != "" || t.Options.Seed != first.Options.Seed
	})
	contract, catalogue, err := session.LoadContract(r.run.Contract)
	if err != nil {
		return err
	}
	loaded, err := session.SuiteFor(r.run.Features, r.run.Contract, contract, catalogue)
	if err != nil {
		return err
	}
	if what := first.Suite.Other(contract.Digest(), catalogue.Digest(), loaded.Digest()); what != "" {
		decide(all, inconclusive, "the run judged by another "+what+" than this hallmark has; use hallmark "+text.Printable(first.Suite.Version)+", or run the whole suite")
		return nil
	}
	for range r.times {
		open := undecided(all)
		if len(open) == 0 {
			return nil
		}
		only := scenariosOf(open, loaded)
		selection := suite.Selection{Only: only, ReadOnly: r.run.ReadOnly}
		if _, _, err := loaded.Selected(selection, catalogue, contract); err != nil {
			why := "it was found before the first scenario, and not by one of its own; run the whole suite"
			if r.run.ReadOnly && len(only) > 0 {
				why = "the run is read-only, and the scenarios that show it create animals"
			}
			decide(open, inconclusive, why)
			return nil
		}
		rec, err := a.replayOnce(ctx, r, name, only, first.Options)
		if err != nil {
			return err
		}
		for _, t := range open {
			t.judge(rec, catalogue)
		}
		if rec.Lost != "" {
			decide(undecided(all), inconclusive, rec.Lost)
		}
	}
	for _, t := range undecided(all) {
		t.settle()
	}
	return nil
}

func decide(all []*told, state, says string) {
	for _, t := range all {
		t.state, t.says = state, says
	}
}

// scenariosOf are the scenarios to be run: those that showed the failures, and all that ask about the rules that lead them,
// since the store is another one by now, and may hold too little for the first to show anything.
func scenariosOf(all []*told, loaded *suite.Suite) []string {
	rules := map[string]bool{}
	for _, t := range all {
		rules[t.Rule], rules[t.Broken[0]] = true, true
	}
	only := loaded.Again(verdict.Again{Rules: rules})
	for _, t := range all {
		for _, id := range t.Scenarios {
			if loaded.Has(id) && !slices.Contains(only, id) {
				only = append(only, id)
			}
		}
	}
	return only
}

// replayOnce runs scenarios as they were run, and gives the record.
func (a *app) replayOnce(ctx context.Context, r replay, name string, only []string, then record.Options) (*record.Record, error) {
	o := r.run
	o.Again, o.Only, o.Seed, o.Confirm = name, only, then.Seed, 0
	if at, err := time.Parse(time.RFC3339, then.Now); err == nil && o.Now.IsZero() {
		o.Now = at
	}
	if then.Examples > 0 {
		o.Examples = min(then.Examples, session.MaxExamples)
	}
	t, err := session.Prepare(a.Env, o, "")
	if err != nil {
		return nil, err
	}
	return t.Record(ctx)
}

// judge looks for the failure in a record of its scenarios.
func (t *told) judge(rec *record.Record, catalogue *spec.Catalogue) {
	view := reports.NewView(rec, reports.Sources{Catalogue: catalogue})
	if harness := view.Result.Failures; len(harness) > 0 {
		t.state, t.says = inconclusive, "hallmark itself failed: "+text.Printable(harness[0])
		return
	}
	ran, other, why := false, "", ""
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		found := view.Sort(sc)
		for _, f := range slices.Concat(found.Failing, found.Warning) {
			if slices.Contains(t.Broken, f.Rule) {
				t.tries++
				t.state, t.says = stillFails, f.Rule+": "+record.Message(f)
				return
			}
		}
		if other == "" && len(found.Failing) > 0 && slices.Contains(t.Scenarios, sc.ID) {
			other = reports.Headline(found.Failing)
		}
		if sc.ID != t.Scenarios[0] {
			continue // the others only help to find it
		}
		switch {
		case len(found.Failing) > 0, sc.Outcome == record.Passed:
			ran = true
		default:
			why = text.Printable(sc.Reason)
		}
	}
	switch {
	case other != "":
		t.tries++
		t.state, t.says = failsOtherway, other
	case ran && view.Verdict(t.Broken[0]).Verdict == verdict.Conforms:
		t.tries++
	case ran:
		t.state, t.says = inconclusive, t.Broken[0]+" was not exercised: "+text.Printable(view.Verdict(t.Broken[0]).Reason)
	case rec.Lost == "" && t.tries == 0: // else an earlier try counts, which may have left another store behind
		t.state, t.says = inconclusive, why
		if why == "" {
			t.says = "its scenarios were not run"
		}
	}
}

// settle says what it means that a failure did not show.
func (t *told) settle() {
	switch c := t.Confirmation; {
	case c != nil && c.Intermittent():
		t.state = inconclusive
		t.says = fmt.Sprintf("asked %s, it did not show; but it was intermittent when it was found: it showed again in %d of %d", text.Count(t.tries, "time"), c.Shown, c.Tries)
	case c != nil && c.Tries > 0:
		t.state, t.says = noLongerFails, "asked "+text.Count(t.tries, "time")+", it did not show; when it was found, it did, by itself"
	default:
		t.state = inconclusive
		t.says = "asked " + text.Count(t.tries, "time") + ", it did not show; but it was never seen to show by itself, so run the whole suite"
	}
}

// tellReplay says what came of each failure, and gives the exit code.
func (a *app) tellReplay(all []*told) error {
	var out strings.Builder
	counts := map[string]int{}
	for _, t := range all {
		counts[t.state]++
		fmt.Fprintf(&out, "%-20s  %s  %s\n", t.state, text.Printable(t.Rule), text.Printable(t.Says))
		fmt.Fprintf(&out, "%22s%s\n", "", text.Printable(t.says))
	}
	code := verdict.ExitOK
	switch {
	case counts[stillFails]+counts[failsOtherway] > 0:
		code = verdict.ExitViolated
	case counts[inconclusive] > 0:
		code = verdict.ExitUnjudged
	}
	var parts []string
	for _, state := range []string{stillFails, failsOtherway, noLongerFails, inconclusive} {
		words := state
		if counts[state] > 1 {
			words = strings.Replace(words, "fails", "fail", 1)
		}
		if counts[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[state], words))
		}
	}
	fmt.Fprintf(&out, "\n%s: %s\n", text.Count(len(all), "failure"), strings.Join(parts, ", "))
	if _, err := fmt.Fprint(a.Stdout, out.String()); err != nil {
		return err
	}
	return cli.WithCode(code, nil)
}
