package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/internal/listing"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reference/mutate"
)

const faultsHelp = `List the faults: defects that can be put into the reference service, each of which breaks one rule. Some are written by
hand, others follow from the contract. "hallmark prove" measures whether the suite finds them. To see one at work, run
"hallmark serve --fault NAME" and judge that service.

With --contract, list those that follow from that OpenAPI document: faults that "hallmark proxy --to URL --fault NAME" puts in front of
any service that keeps it, each with the rule that it breaks.`

const freedomsHelp = `List the freedoms: unusual ways of the reference service that the interface allows. "hallmark prove" finds out whether the
suite accepts them; to see one at work, run "hallmark serve --freedom NAME" and judge that service.

With --contract, list those that "hallmark proxy" puts in front of any service.`

func faultsCommand(a *app) *cobra.Command {
	return casesCommand(a, prove.Fault, "faults", "List the faults that can be put into the reference service", faultsHelp)
}

func freedomsCommand(a *app) *cobra.Command {
	return casesCommand(a, prove.Freedom, "freedoms", "List the legal variations of the reference service", freedomsHelp)
}

// casesCommand lists the cases of one kind.
func casesCommand(a *app, kind prove.CaseKind, name, short, long string) *cobra.Command {
	format := listing.Table
	var only []string
	var contract options.Contract
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long,
		Example: fmt.Sprintf("  hallmark %s\n  hallmark %s --only 'list.*' --format markdown\n  hallmark %s --contract api.yaml", name, name, name),
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			cases, err := casesOf(kind)
			if contract.File != "" {
				cases, err = casesBy(kind, contract)
			}
			if err != nil {
				return err
			}
			if cases, err = prove.Find(cases, only); err != nil {
				return fmt.Errorf("--only: %w", err)
			}
			return listing.Cases(a.Stdout, cases, format, a.Output(a.Stdout).Width())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.WordsValue(&only, "NAME"), "only", "only those of this name, family or rule; \"*\" matches any text; repeatable")
	flags.Var(cli.ChoiceValue(&format, "FORMAT", listing.Formats()...), "format", "table, markdown or json")
	contract.AddFlags(flags)
	completeContract(cmd)
	completeCases(cmd, "only", kind)
	cli.CompleteWords(cmd, "format", listing.Formats()...)
	return cmd
}

// casesOf are all cases of a kind.
func casesOf(kind prove.CaseKind) ([]prove.Case, error) {
	builtin, err := session.Builtin()
	if err != nil {
		return nil, err
	}
	all, err := prove.Cases(bundled.Petstore(), builtin.Contract, builtin.Catalogue)
	if err != nil {
		return nil, err
	}
	var cases []prove.Case
	for _, c := range all {
		if kind == "" || c.Kind == kind {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// casesBy are the faults that follow from a contract, by operation, or the freedoms of any service.
func casesBy(kind prove.CaseKind, from options.Contract) ([]prove.Case, error) {
	basis, err := session.Load(from)
	if err != nil {
		return nil, err
	}
	var cases []prove.Case
	if kind == prove.Freedom {
		for _, f := range mutate.Freedoms() {
			cases = append(cases, prove.Case{Kind: kind, Name: f.Name, Family: "any service", Says: f.Says})
		}
		return cases, nil
	}
	return casesOfFaults(fault.Of(basis.Contract, basis.Promises(), basis.Catalogue)), nil
}

// casesOfFaults are faults as lists show them.
func casesOfFaults(all []fault.Fault) []prove.Case {
	cases := make([]prove.Case, 0, len(all))
	for _, f := range all {
		cases = append(cases, prove.Case{Kind: prove.Fault, Name: f.Name, Family: f.Operation, Rule: f.Rule(), Level: f.Level, Says: f.Says})
	}
	return cases
}

// completeCases proposes the names of cases, with their sentences.
func completeCases(cmd *cobra.Command, flag string, kind prove.CaseKind) {
	propose(cmd, flag, contractOfFlags, func(from options.Contract) ([]cobra.Completion, error) {
		if from.File == "" {
			return caseNames(casesOf(kind))
		}
		return caseNames(casesBy(kind, from))
	})
}

func caseNames(cases []prove.Case, err error) ([]cobra.Completion, error) {
	var all []cobra.Completion
	for _, c := range cases {
		all = append(all, cobra.CompletionWithDesc(c.Name, oneLine(c.Says)))
	}
	return all, err
}
