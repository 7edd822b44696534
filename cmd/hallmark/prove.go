package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/prove"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

const proveHelp = `Measure both errors of the suite: what it does not see, and what it wrongly accuses.

The whole suite judges the reference service as it is, with each fault of "hallmark faults", and with each freedom of
"hallmark freedoms". The clean service must be conformant, a fault must be found and its own rule named, a freedom must
have nothing held against it. A fault that survives or is diagnosed as something else, a freedom that is accused, a
must rule without a fault and a scenario that kills nothing are named, and the exit code is 1.

On a store that holds animals already some rules cannot be put to the test. A fault may stay unseen there, but then its rule
must be "not exercised", and never "conforms". A whole proof tries this with one case in four, on stores of 30 and of 3,000
animals; --preload 30,3000 tries all cases.

The figures may only improve: they are compared with those that --update kept in spec/proof.json. --update keeps no
worse ones either. Figures that were kept of another contract, other rules or other features fail too, because every
report states them.

A fault is one bug, so it is to be told as one cause: the proof prints how many are, and fails when a fault that does not
depend on chance is told as more than two. With --seeds N each such fault is judged N times, in another order of the
scenarios each time, and the same rule must lead every time.

Faults that show only when requests meet, or now and then, are tried up to 3 times before they count as survived; which
rule leads and as how many causes a fault is told may depend on chance as well, so that one fault in a hundred may come
out worse than when the figures were kept. Everything else is tried once. With --hard there is no such room: what depends on chance is judged 20 times
and must be found and named 19 times, a freedom must be accepted 20 times of 20.`

const proveExample = `  hallmark prove

  # one fault, one family, or what breaks one rule
  hallmark prove --only limit-one-more
  hallmark prove --only auth,list.limit.honoured

  # everything once more, on stores that hold animals already
  hallmark prove --preload 30,3000

  # after the suite was changed, in the folder of the module
  hallmark prove --update`

// proveOptions are the flags of prove.
type proveOptions struct {
	only                           []string
	hard, update, asJSON, markdown bool
	file                           string
	preload                        []string
	workers, concurrency           int
	seed                           int64
	seeds                          int
}

func (a *app) proveCommand() *cobra.Command {
	o := proveOptions{file: filepath.Join("spec", "proof.json"), workers: runtime.GOMAXPROCS(0), concurrency: 8, seed: 1, seeds: 1}
	cmd := &cobra.Command{
		Use:     "prove",
		Short:   "Measure what the suite finds, with seeded faults and legal freedoms",
		Long:    proveHelp,
		Example: proveExample,
		Args:    cli.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.prove(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(wordsValue(&o.only, "NAME"), "only", "only cases of this name, family, rule or kind; \"*\" matches any text; repeatable")
	cli.AddSwitch(flags, &o.hard, "hard", fmt.Sprintf("judge faults of chance and freedoms %d times in a row", prove.HardTries))
	cli.AddSwitch(flags, &o.asJSON, "json", "write JSON")
	cli.AddSwitch(flags, &o.markdown, "markdown", "write a Markdown page with the matrix of rules, faults and scenarios")
	cli.AddSwitch(flags, &o.update, "update", "keep the figures, unless they are worse")
	flags.Var(cli.FileValue(&o.file, "FILE"), "proof", "where the figures are kept")
	flags.Var(cli.NumberValue(&o.workers, 1, 256), "workers", "how many services are judged at a time")
	flags.Var(wordsValue(&o.preload, "N"), "preload", "judge on stores that hold this many animals from the beginning, and on no others (may be given more than once)")
	flags.Var(cli.NumberValue(&o.seed, 1, 1<<62), "seed", "fixes the order of the scenarios")
	flags.Var(cli.NumberValue(&o.seeds, 1, 100), "seeds", "judge each fault with this many seeds; the same rule must lead with each")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	cmd.MarkFlagsMutuallyExclusive("only", "update")
	cmd.MarkFlagsMutuallyExclusive("preload", "update")
	cmd.MarkFlagsMutuallyExclusive("preload", "hard")
	completeCases(cmd, "only", "")
	cli.CompleteFiles(cmd, "proof", "json")
	cli.CompleteWords(cmd, "preload", "30", "3000")
	cli.CompleteWords(cmd, "workers")
	cli.CompleteWords(cmd, "seed")
	cli.CompleteWords(cmd, "seeds")
	return cmd
}

func (a *app) prove(ctx context.Context, o proveOptions) error {
	contract, catalogue, err := session.LoadContract("")
	if err != nil {
		return err
	}
	suite, err := session.LoadSuite("", catalogue)
	if err != nil {
		return err
	}
	all, err := prove.Cases(contract, catalogue)
	if err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	chosen, err := prove.Find(all, o.only)
	if err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	stores, err := storeSizes(o.preload)
	if err != nil {
		return err
	}
	// Much is allocated and little kept: collecting less often saves a fifth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	prover := &prove.Prover{
		Contract: contract, Catalogue: catalogue, Suite: suite,
		Workers: o.workers, Concurrency: o.concurrency, Seed: o.seed, Seeds: o.seeds, Now: time.Now(),
	}
	if len(o.preload) > 0 {
		proof := prove.Proof{Partial: true, Problems: []string{}}
		if err := a.proveFilled(ctx, prover, &proof, chosen, stores, len(chosen) < len(all)); err != nil {
			return err
		}
		return errors.Join(a.tellProof(proof, o), proofFails(proof))
	}
	outcomes, err := prover.Run(ctx, chosen, o.hard, a.provingProgress(len(chosen)))
	if err != nil {
		return unfinishedProof(ctx)
	}
	proof := prover.Measure(outcomes, len(chosen) < len(all), o.hard)
	if !proof.Partial {
		if err := a.proveFilled(ctx, prover, &proof, prove.Sample(all), prove.FilledStores(), true); err != nil {
			return err
		}
	}
	worse := 0
	if !proof.Partial {
		kept, err := keptProof(o.file)
		if err != nil {
			return err
		}
		for _, s := range prove.Worse(kept, proof.Figures) {
			worse++
			proof.Problems = append(proof.Problems, "worse than in "+text.Printable(o.file)+": "+s)
		}
		if stale := prove.Stale(kept, proof.Figures); stale != "" && !o.update {
			proof.Problems = append(proof.Problems, text.Printable(o.file)+" is of another suite: its "+stale+
				" changed since. Keep the figures of this one: hallmark prove --update")
		}
		proof.Figures = prove.Tighten(kept, proof.Figures)
	}
	if err := a.tellProof(proof, o); err != nil {
		return err
	}
	if worse > 0 && o.update {
		return cli.WithCode(cli.ExitFound, fmt.Errorf("the figures are worse than those in %s, which stays as it is; "+
			"whoever means that changes it by hand", text.Printable(o.file)))
	}
	if o.update {
		var b bytes.Buffer
		if err := prove.Keep(&b, proof.Figures); err != nil {
			return err
		}
		if err := replaceFile(o.file, b.String()); err != nil {
			return fmt.Errorf("--proof %s: the file cannot be written: %w", text.Printable(o.file), cli.Bare(err))
		}
	}
	return proofFails(proof)
}

// proveFilled judges cases on stores that hold so many animals from the beginning, and adds what comes of it to the proof.
func (a *app) proveFilled(ctx context.Context, p *prove.Prover, proof *prove.Proof, cases []prove.Case, stores []int, sample bool) error {
	for _, n := range stores {
		f, err := p.RunFilled(ctx, cases, n, a.provingProgress(len(cases)))
		if err != nil {
			return unfinishedProof(ctx)
		}
		f.Sample = sample
		proof.AddFilled(f)
	}
	return nil
}

// storeSizes reads the values of --preload.
func storeSizes(words []string) ([]int, error) {
	var sizes []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > maxPreload {
			return nil, fmt.Errorf("--preload %s: give a number of animals from 1 to %d", text.Printable(w), maxPreload)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// unfinishedProof is the error of a proof that was interrupted.
func unfinishedProof(ctx context.Context) error {
	why, _ := cli.Interrupted(ctx)
	return cli.WithCode(why.ExitCode(), fmt.Errorf("the proof was not finished: %w", context.Cause(ctx)))
}

// proofFails is the error of a proof with problems; nil without any.
func proofFails(proof prove.Proof) error {
	if len(proof.Problems) == 0 {
		return nil
	}
	return cli.WithCode(cli.ExitFound, errors.New("the proof fails: "+text.Count(len(proof.Problems), "thing")+" not as it must be"))
}

// keptProof reads the figures that were kept: in the file, or else in this program.
func keptProof(file string) (spec.Proven, error) {
	kept, err := spec.Proof()
	data, wrong := os.ReadFile(file)
	switch {
	case wrong == nil:
		kept, err = spec.ReadProof(data)
	case !errors.Is(wrong, os.ErrNotExist):
		return kept, fmt.Errorf("--proof %s: the file cannot be read: %w", text.Printable(file), cli.Bare(wrong))
	}
	if err != nil {
		return kept, fmt.Errorf("--proof %s: %w", text.Printable(file), err)
	}
	return kept, nil
}

func (a *app) tellProof(proof prove.Proof, o proveOptions) error {
	switch {
	case o.asJSON:
		return prove.JSON(a.Stdout, proof)
	case o.markdown:
		return prove.Markdown(a.Stdout, proof)
	}
	return prove.Text(a.Stdout, proof)
}

// provingProgress shows on a terminal how far the proof is, and whatever is not as it must be at once.
func (a *app) provingProgress(total int) func(prove.Outcome) {
	out := a.Output(a.Stderr)
	done, bad := 0, 0
	return func(o prove.Outcome) {
		done++
		clear := ""
		if out.Redraws && out.Terminal {
			clear = "\r\x1b[K"
		}
		if !o.OK {
			bad++
			fmt.Fprintf(a.Stderr, "%s%s %s: %s\n", clear, o.Kind, o.Name, wentWrong(o))
		}
		if clear == "" {
			return
		}
		fmt.Fprintf(a.Stderr, "%s%d of %d judged", clear, done, total)
		if bad > 0 {
			fmt.Fprintf(a.Stderr, ", %d not as it must be", bad)
		}
		if done == total {
			fmt.Fprint(a.Stderr, clear)
		}
	}
}

// wentWrong says in a few words what is not as it must be.
func wentWrong(o prove.Outcome) string {
	switch {
	case o.Failure != "":
		return "could not be judged: " + text.Printable(o.Failure)
	case o.Kind != prove.Fault:
		return "accused: " + text.Printable(o.Example)
	case !o.Killed:
		return "survives; it breaks " + o.Rule
	case o.Diagnosed:
		return fmt.Sprintf("found %d times of %d", o.Hits, o.Tries)
	}
	return "breaks " + o.Rule + ", diagnosed as " + o.Lead
}

// tellProven says what the suite of this program was last proven to see.
func (a *app) tellProven(features string, asJSON bool) error {
	kept, err := spec.Proof()
	if err != nil {
		return err
	}
	if asJSON {
		return prove.Keep(a.Stdout, kept)
	}
	if kept.Faults == 0 {
		_, err = fmt.Fprintln(a.Stdout, "Nothing was proven of this suite yet; \"hallmark prove\" does.")
		return err
	}
	text := kept.Sentence()
	if !kept.Of(features) {
		text += " Its features were changed since; \"hallmark prove\" says what holds now."
	}
	if err := prove.Text(a.Stdout, prove.Proof{Figures: kept}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, "\n"+text)
	return err
}
