package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Plan says what a proof judges.
type Plan struct {
	// Cases holds all existing cases, Chosen those to be judged.
	Cases, Chosen []Case
	// Stores are the initial sizes of the stores. Without any, stores are empty, and a whole proof also tries a
	// sample of the cases on the stores of [FilledStores].
	Stores []int
	// Hard repeats cases that depend on chance.
	Hard bool
	// Kept is the file with the figures that a whole proof is compared with. With Update, those of this proof replace
	// them unless they are worse.
	Kept   string
	Update bool
	// Progress reports the outcomes.
	Progress *Progress
}

// Prove judges the planned cases and compares the figures of a whole proof with the kept ones. It fails if the context ends.
func (p *Prover) Prove(ctx context.Context, plan Plan) (Measurement, error) {
	part := len(plan.Chosen) < len(plan.Cases)
	if len(plan.Stores) > 0 {
		proof := Measurement{Partial: true, Problems: []string{}}
		err := p.fill(ctx, &proof, plan, plan.Chosen, plan.Stores, part)
		return proof, err
	}
	outcomes, err := p.Run(ctx, plan.Chosen, plan.Hard, plan.Progress.Of(len(plan.Chosen)))
	if err != nil {
		return Measurement{}, err
	}
	proof := p.measure(outcomes, part, plan.Hard)
	if proof.Partial {
		return proof, nil
	}
	if !p.Short {
		steady, err := oneAtATime(ctx, p, outcomes)
		if err != nil {
			return proof, err
		}
		if proof.Figures.Quick, err = quicken(ctx, p, steady); err != nil {
			return proof, err
		}
	}
	if err := p.fill(ctx, &proof, plan, sample(plan.Cases), filledStores(), true); err != nil {
		return proof, err
	}
	err = proof.compare(plan, p.Interface.Proof)
	return proof, err
}

// fill judges cases on stores with the given initial sizes, and adds the results to the proof.
func (p *Prover) fill(ctx context.Context, proof *Measurement, plan Plan, cases []Case, stores []int, sample bool) error {
	for _, n := range stores {
		f, err := p.runFilled(ctx, cases, n, plan.Progress.Of(len(cases)))
		if err != nil {
			return err
		}
		f.Sample = sample
		proof.addFilled(f)
	}
	return nil
}

// compare compares a whole proof with the kept figures. Figures that are worse become problems and so do, unless
// they are to be replaced, figures of another suite. own loads the figures of this program.
func (proof *Measurement) compare(plan Plan, own func() (spec.Proven, error)) error {
	kept, err := readKept(plan.Kept, own)
	if err != nil {
		return fmt.Errorf("--proof %s: %w", text.Visible(plan.Kept), err)
	}
	if proof.Short {
		proof.Figures = fillIn(proof.Figures, kept)
	}
	for _, s := range worse(kept, proof.Figures) {
		proof.worse = true
		proof.Problems = append(proof.Problems, "worse than in "+text.Visible(plan.Kept)+": "+s)
	}
	if stale := stale(kept, proof.Figures); stale != "" && !plan.Update {
		proof.Problems = append(proof.Problems, text.Visible(plan.Kept)+" belongs to another suite: its "+stale+
			" changed since. Keep the figures of this one: hallmark prove --full --update")
	} else if n := proof.Figures.Faults; proof.Short && n > kept.Faults {
		proof.Problems = append(proof.Problems, fmt.Sprintf("%s has %d faults, but there are %d. Keep the figures of all: hallmark prove --full --update",
			text.Visible(plan.Kept), kept.Faults, n))
	}
	proof.Figures = tighten(kept, proof.Figures)
	return nil
}

// readKept reads the figures from a file, or returns those of this program.
func readKept(file string, own func() (spec.Proven, error)) (spec.Proven, error) {
	data, err := os.ReadFile(file)
	switch {
	case err == nil:
		return spec.ReadProof(data)
	case errors.Is(err, os.ErrNotExist):
		return own()
	}
	return spec.Proven{}, fmt.Errorf("the file cannot be read: %w", cli.Bare(err))
}

// Finders returns the scenarios that found faults when the figures were kept, by the names of the faults. own
// loads the figures of this program, which are used if there is no file.
func (plan Plan) Finders(own func() (spec.Proven, error)) (map[string]string, error) {
	kept, err := readKept(plan.Kept, own)
	if err != nil {
		return nil, fmt.Errorf("--proof %s: %w", text.Visible(plan.Kept), err)
	}
	return kept.Finders(), nil
}

// Finish writes the figures to the file if planned, and returns an error with an exit code if the proof fails.
func (proof *Measurement) Finish(plan Plan) error {
	if proof.worse && plan.Update {
		return cli.WithCode(cli.ExitFound, fmt.Errorf("the figures are worse than those in %s, which stays as it is; "+
			"edit the file by hand if that is intended", text.Visible(plan.Kept)))
	}
	if plan.Update {
		var b bytes.Buffer
		if err := Keep(&b, proof.Figures); err != nil {
			return err
		}
		if err := files.Replace(plan.Kept, b.String()); err != nil {
			return fmt.Errorf("--proof %s: the file cannot be written: %w", text.Visible(plan.Kept), cli.Bare(err))
		}
	}
	if len(proof.Problems) > 0 {
		return cli.WithCode(cli.ExitFound, errors.New("the proof fails: "+text.Count(len(proof.Problems), "thing")+" not as expected"))
	}
	return nil
}
