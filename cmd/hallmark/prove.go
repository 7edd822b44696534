package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/serve"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/steps"
)

const proveHelp = `Measure both kinds of errors of the suite: faults that it misses, and legal services that it accuses.

The suite judges the reference service as it is, with each fault of "hallmark faults", and with each freedom of
"hallmark freedoms". The clean service must be conformant, each fault must be found under the rule that it breaks, and nothing
may be reported for a freedom. A fault that survives or is misdiagnosed, a freedom that is accused, and a must rule without
a fault are named, and the exit code is 1.

A fault is judged until its own rule is found broken: first by the scenario that found it in the last whole proof, then by
those that test its rule, and finally by all. Whether it is killed, diagnosed, survives or is misdiagnosed is exact. The clean
service and the freedoms are judged by the whole suite, since any scenario may accuse them. Freedoms that change different places
are judged in groups; if a group is accused, or if scenarios are skipped that run on the clean service, the group is halved until
single freedoms are left. With --full, the whole suite judges everything, and each freedom separately. Only --full measures how many
causes are reported for a fault, which rule leads, which scenarios kill it and which kill nothing. It also chooses the scenarios of
"hallmark run --quick": a few that find each fault by its own rule, which is checked by judging all faults and freedoms with these
alone. Without --full these figures are those of the last whole proof. --only, --hard, --seeds and --update judge like --full.

On a store that already holds resources, some rules cannot be tested. A fault may stay undetected there, but then its rule must be
"not exercised", and never "conforms". A proof of all cases tries this with one case in four, on stores of 30 and of
3,000 resources; --preload 30,3000 tries all cases.

The figures may only improve: they are compared with those that --update kept in spec/petstore/proof.json, and --update
keeps no worse ones. The proof also fails if the kept figures belong to another contract, other rules, other features or fewer
faults, because every report states them.

A fault is one bug, so it should be reported as one cause. The proof prints how many are, and with --full it fails if a fault that
does not depend on chance is reported as more than two. With --seeds N each such fault is judged N times, each time with another
order of the scenarios, and the same rule must lead every time.

Faults that show only when requests overlap, or only now and then, are tried up to 3 times before they count as survived. Which rule
leads, and as how many causes a fault is reported, may depend on chance as well, so one fault in a hundred may come out worse than
when the figures were kept. Everything else is tried once. --hard has no such tolerance: a fault that depends on chance is judged 20
times and must be found and named 19 times, and a freedom must be accepted 20 times of 20.`

const proveExample = `  hallmark prove

  # by the whole suite, for nightly builds: which rule leads, how many causes, which scenarios suffice
  hallmark prove --full

  # one fault, one family, or what breaks one rule
  hallmark prove --only limit-one-more
  hallmark prove --only auth,list.limit.honoured

  # everything again, on stores that already hold resources
  hallmark prove --preload 30,3000

  # after the suite was changed, in the folder of the module
  hallmark prove --update`

// proveOptions are the flags of prove.
type proveOptions struct {
	only, preload          []string
	full, asJSON, markdown bool
	plan                   prove.Plan
	prover                 prove.Prover
}

func proveCommand(a *app) *cobra.Command {
	o := proveOptions{plan: prove.Plan{Kept: filepath.Join("spec", "petstore", "proof.json")}}
	o.prover = prove.Prover{Interface: bundled.Petstore(), Workers: runtime.GOMAXPROCS(0), Concurrency: 8, Seed: 1, Seeds: 1}
	cmd := &cobra.Command{
		Use:     "prove",
		Short:   "Measure what the suite finds, with seeded faults and legal freedoms",
		Long:    proveHelp,
		Example: proveExample,
		Args:    cli.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runProve(cmd.Context(), a, o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.WordsValue(&o.only, "NAME"), "only", "only cases of this name, family, rule or kind; \"*\" matches any text; repeatable")
	cli.AddSwitch(flags, &o.full, "full", "judge each fault by the whole suite, however soon it is found")
	cli.AddSwitch(flags, &o.plan.Hard, "hard", fmt.Sprintf("judge faults of chance and freedoms %d times in a row", prove.HardTries))
	cli.AddSwitch(flags, &o.asJSON, "json", "write JSON")
	cli.AddSwitch(flags, &o.markdown, "markdown", "write a Markdown page with the matrix of rules, faults and scenarios")
	cli.AddSwitch(flags, &o.plan.Update, "update", "keep the figures, unless they are worse")
	flags.Var(cli.FileValue(&o.plan.Kept, "FILE"), "proof", "where the figures are kept")
	flags.Var(cli.NumberValue(&o.prover.Workers, 1, 256), "workers", "how many services are judged at a time")
	flags.Var(cli.WordsValue(&o.preload, "N"), "preload", "judge on stores that hold this many resources from the beginning, and on no others (may be given more than once)")
	flags.Var(cli.NumberValue(&o.prover.Seed, 1, 1<<62), "seed", "fixes the order of the scenarios")
	flags.Var(cli.NumberValue(&o.prover.Seeds, 1, 100), "seeds", "judge each fault with this many seeds; the same rule must lead with each")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	cmd.MarkFlagsMutuallyExclusive("only", "update")
	cmd.MarkFlagsMutuallyExclusive("preload", "update")
	cmd.MarkFlagsMutuallyExclusive("preload", "hard")
	completeCases(cmd, "only", "")
	cli.CompleteFiles(cmd, "proof", "json")
	cli.CompleteWords(cmd, "preload", "30", "3000")
	for _, flag := range []string{"workers", "seed", "seeds"} {
		cli.CompleteWords(cmd, flag)
	}
	addScore(a, cmd, &o)
	return cmd
}

func runProve(ctx context.Context, a *app, o proveOptions) error {
	builtin, err := session.Builtin()
	if err != nil {
		return err
	}
	contract, catalogue := builtin.Contract, builtin.Catalogue
	suite, err := builtin.Suite("")
	if err != nil {
		return err
	}
	o.prover.Contract, o.prover.Catalogue, o.prover.Promises, o.prover.Suite, o.prover.Now = contract, catalogue, builtin.Promises(), suite, time.Now()
	if o.prover.Compiled, err = steps.Compile(suite); err != nil {
		return err
	}
	if o.plan.Cases, err = prove.Cases(o.prover.Interface, contract, catalogue); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	if o.plan.Chosen, err = prove.Find(o.plan.Cases, o.only); err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	if o.plan.Stores, err = prove.ParseStores(o.preload, serve.MaxPreload); err != nil {
		return err
	}
	o.prover.Short = !o.full && len(o.only) == 0 && !o.plan.Hard && o.prover.Seeds == 1 && !o.plan.Update
	if o.prover.Grouped = o.prover.Short; o.prover.Short {
		if o.prover.Finders, err = o.plan.Finders(o.prover.Interface.Proof); err != nil {
			return err
		}
	}
	// Much is allocated and little kept: collecting less often saves a fifth of the time.
	debug.SetGCPercent(400)
	out := a.Output(a.Stderr)
	o.plan.Progress = prove.NewProgress(a.Stderr, out.Redraws && out.Terminal)
	proof, err := o.prover.Prove(ctx, o.plan)
	switch why, _ := cli.Interrupted(ctx); {
	case err != nil && ctx.Err() != nil:
		return cli.WithCode(why.ExitCode(), fmt.Errorf("the proof was not finished: %w", context.Cause(ctx)))
	case err != nil:
		return err
	}
	write := prove.Text
	switch {
	case o.asJSON:
		write = prove.JSON
	case o.markdown:
		write = prove.Markdown
	}
	if err := write(a.Stdout, proof); err != nil {
		return err
	}
	return proof.Finish(o.plan)
}
