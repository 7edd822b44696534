package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/explain"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

const explainHelp = `Explain a rule on a page: its sentence, the lines of the contract that encode it, why it matters, how it is asked, what breaks it, and how to
lower it or switch it off. Nothing is sent.

Where hallmark.yaml in this folder or one above names a contract, the rules are those that follow from it.`

const explainExample = `  hallmark explain list.limit.honoured

  # a rule that follows from your own OpenAPI document
  hallmark explain addBook.created.kept --contract api.yaml`

func explainCommand(a *app) *cobra.Command {
	var from options.Contract
	cmd := &cobra.Command{
		Use:     "explain RULE",
		Short:   "Explain a rule: where it comes from, how it is asked, what breaks it",
		Long:    explainHelp,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one rule, as reports do; \"hallmark rules\" lists them")
			}
			return nil
		},
		ValidArgsFunction: proposed(a.contractAtHand, ruleNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			features, err := from.FromFile(a.Env, cmd.Flags())
			if err != nil {
				return err
			}
			return explainRule(a, from, features, args[0])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	from.AddFlags(flags)
	completeContract(cmd)
	return cmd
}

func explainRule(a *app, from options.Contract, features, id string) error {
	basis, err := session.Load(from)
	if err != nil {
		return err
	}
	rule, known := basis.Catalogue.Rule(id)
	if !known {
		var ids []string
		for _, r := range basis.Catalogue.Rules {
			ids = append(ids, r.ID)
		}
		return fmt.Errorf("no rule is called %q; %s", text.Visible(id), cli.Suggest(id, ids, "\"hallmark rules\" lists them"))
	}
	suite, err := basis.Suite(features)
	if err != nil {
		return err
	}
	scenarios := suite.Rules()
	page := explain.Rule{
		Rule: rule, Contract: basis.Contract, File: basis.ContractFile(), Scenarios: scenarios[rule.ID], Derived: feature.About(basis.Features(), rule.ID), Again: contractArguments(from),
	}
	for _, other := range session.JudgedWith(rule.ID, basis.Catalogue, scenarios) {
		page.Scenarios += scenarios[other]
	}
	faults, err := faultsOf(basis, from)
	if err != nil {
		return err
	}
	for _, f := range faults {
		if f.Rule == rule.ID {
			page.Faults = append(page.Faults, f.Says)
		}
	}
	return explain.Write(a.Stdout, page, a.Output(a.Stdout).Width())
}

// faultsOf returns the faults that are known of a contract.
func faultsOf(basis *session.Basis, from options.Contract) ([]prove.Case, error) {
	if basis.IsBundled() {
		return casesOf(prove.Fault)
	}
	return casesBy(prove.Fault, from)
}

// contractArguments is how a command line names a contract.
func contractArguments(from options.Contract) string {
	if from.File == "" {
		return ""
	}
	return " --contract " + text.ShellQuote(cli.ShowURL(from.File))
}
