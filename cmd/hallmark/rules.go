package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/listing"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

const rulesHelp = `List the catalogue: every rule by which hallmark judges, with its level and the number of scenarios that judge it.

A must rule is stated by the interface; a service that breaks one is violated. A should rule comes from a general
standard; a broken one is a warning. An inferred rule follows from the shape of the document and the meaning of HTTP; it
fails a run like a must, and a line in rules.yaml lowers it or switches it off. An open rule leaves the choice to the service: its behaviour is recorded, never
judged. Some rules are judged on every response, whatever the request was.

Where hallmark.yaml in this folder or one above names a contract, the rules are those that follow from it.

With --uncovered, only testable rules without a scenario are listed; the exit code is 1 when a must rule is among them.

With --prose, the sentences of the document are listed instead that state behaviour: in the descriptions of the document, its operations,
parameters, bodies, responses, headers and schemas. Each has its line, and the rules that judge it. A sentence in a known form makes an
inferred rule a must, which is said, too. A sentence that nothing judges is open; a rule of your own that quotes it in its source judges
it. With --uncovered, only the open ones are listed, and the exit code is 1 if there are any.`

const rulesExample = `  hallmark rules
  hallmark rules --level must --format markdown > rules.md
  hallmark rules --format json | jq -r '.[].id'
  hallmark rules --uncovered

  # those that follow from your own OpenAPI document
  hallmark rules --contract api.yaml

  # what it says in words, and what judges that
  hallmark rules --contract api.yaml --prose`

// rulesOptions are the flags of rules.
type rulesOptions struct {
	format, level string
	uncovered     bool
	prose         bool
	contract      options.Contract
}

func rulesCommand(a *app) *cobra.Command {
	levels := []string{string(spec.Must), string(spec.Should), string(spec.Inferred), string(spec.Open)}
	o := rulesOptions{format: listing.Table}
	cmd := &cobra.Command{
		Use:     "rules",
		Short:   "List the rules, and how many scenarios judge each",
		Long:    rulesHelp,
		Example: rulesExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			features, err := o.contract.FromFile(a.Env, cmd.Flags())
			if err != nil {
				return err
			}
			return listRules(a, o, features)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.ChoiceValue(&o.format, "FORMAT", listing.Formats()...), "format", "table, markdown or json")
	flags.Var(cli.ChoiceValue(&o.level, "LEVEL", levels...), "level", "only rules of this level: must, should, inferred or open")
	cli.AddSwitch(flags, &o.uncovered, "uncovered", "only testable rules without a scenario; exit with 1 if a must rule is among them")
	cli.AddSwitch(flags, &o.prose, "prose", "the sentences of the document that state behaviour, and what judges each; with --uncovered only the open ones")
	o.contract.AddFlags(flags)
	completeContract(cmd)
	cli.CompleteWords(cmd, "format", listing.Formats()...)
	cli.CompleteWords(cmd, "level", levels...)
	return cmd
}

func listRules(a *app, o rulesOptions, features string) error {
	basis, err := session.Load(o.contract)
	if err != nil {
		return err
	}
	if o.prose {
		return listSentences(a, o, basis)
	}
	suite, err := basis.Suite(features)
	if err != nil {
		return err
	}
	chosen, musts := chooseRules(basis.Catalogue, suite.Rules(), o)
	if err := listing.Rules(a.Stdout, chosen, o.format, a.Output(a.Stdout).Width()); err != nil {
		return err
	}
	if o.uncovered && musts > 0 {
		return cli.WithCode(cli.ExitFound, errors.New("no scenario tests "+text.Count(musts, "must rule")))
	}
	return nil
}

// listSentences lists the sentences of the document.
func listSentences(a *app, o rulesOptions, basis *session.Basis) error {
	switch {
	case o.level != "":
		return errors.New("--level chooses rules, and --prose lists sentences; use one of the two")
	case basis.IsBundled():
		return errors.New("--prose needs a contract of your own (--contract FILE)")
	}
	open, err := listing.Sentences(a.Stdout, basis.Sentences(), o.uncovered, o.format, a.Output(a.Stdout).Width())
	if err == nil && o.uncovered && open > 0 {
		return cli.WithCode(cli.ExitFound, errors.New("no rule judges "+text.Count(open, "sentence")))
	}
	return err
}

// chooseRules picks the rules to list, and counts the must rules among them.
func chooseRules(catalogue *spec.Catalogue, scenarios map[string]int, o rulesOptions) (chosen []listing.Rule, musts int) {
	chosen = []listing.Rule{}
	for _, r := range catalogue.Rules {
		l := listing.Rule{Rule: r, Scenarios: scenarios[r.ID]}
		for _, id := range session.JudgedWith(r.ID, catalogue, scenarios) {
			l.Scenarios += scenarios[id]
		}
		if o.level != "" && string(r.Level) != o.level || o.uncovered && l.Covered() {
			continue
		}
		chosen = append(chosen, l)
		if r.Level == spec.Must {
			musts++
		}
	}
	return chosen, musts
}
