package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/explain"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

const explainHelp = `Explain a rule on a page: its sentence, the lines of the contract that encode it, why it matters, how it is asked, what breaks it, and how to
lower it or switch it off. Nothing is sent.

Where hallmark.yaml in this folder or one above names a contract, the rules are those that follow from it.

Explain a finding in the same way, with what was expected, what came, the requests, and what to mend: by its id, which stands beside the rule
in each failure, or by the beginning of the id. It is looked up in the record or journal named after it, else in the journal of the latest
run on this machine.`

const explainExample = `  hallmark explain list.limit.honoured

  # a failure of the last run, by the id beside its rule
  hallmark explain f3ee3ee047

  # one of an earlier run
  hallmark explain f3ee3ee047 record.json

  # a rule that follows from your own OpenAPI document
  hallmark explain addBook.created.kept --contract api.yaml`

func explainCommand(a *app) *cobra.Command {
	var from options.Contract
	cmd := &cobra.Command{
		Use:     "explain RULE | FINDING [FILE]",
		Short:   "Explain a rule or a finding: where it comes from, how it is asked, what breaks it",
		Long:    explainHelp,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 2 && !isFinding(args[0]):
				return fmt.Errorf("%q is no id of a finding, so no record is needed; name one rule or one finding", text.Visible(args[0]))
			case len(args) == 0 || len(args) > 2:
				return fmt.Errorf("name one rule or one finding, as reports do; \"hallmark rules\" lists the rules")
			}
			return nil
		},
		ValidArgsFunction: proposed(a.contractAtHand, ruleNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isFinding(args[0]) {
				return explainFinding(a, args[0], args[1:])
			}
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

// findingID is the form of ids of findings, and of their beginnings. Ids of rules have a dot.
var findingID = regexp.MustCompile(`^f[0-9a-f]{0,9}$`)

func isFinding(id string) bool { return findingID.MatchString(id) }

// explainFinding explains the finding whose id begins with start, from a record or the last journal.
func explainFinding(a *app, start string, file []string) error {
	rec, path, err := session.ReadRecord(a.Env, file)
	if err != nil {
		return err
	}
	v, err := session.NewView(path, rec)
	if err != nil {
		return err
	}
	switch all := view.WithID(v.Findings(), start); len(all) {
	case 0:
		return fmt.Errorf("no finding in %s has the id %s; name the record or the journal of the run that found it: hallmark explain %s record.json",
			text.Visible(path), start, start)
	case 1:
		look := a.Output(a.Stdout).Look(terminal.Usual)
		return explain.WriteFinding(a.Stdout, v, all[0], look.Width, look.Colour, all[0].Leads && session.Replayable(a.Env, rec))
	default:
		var ids []string
		for _, f := range all[:min(len(all), mostProposed)] {
			ids = append(ids, f.ID+" ("+text.Visible(f.Example.Rule)+")")
		}
		if left := len(all) - mostProposed; left > 0 {
			ids = append(ids, text.Number(left)+" more")
		}
		return fmt.Errorf("several findings have ids that begin with %s: %s; add a character", start, text.Enumerate(ids, "and"))
	}
}

// mostProposed is how many findings are named for an id that is too short.
const mostProposed = 5

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
