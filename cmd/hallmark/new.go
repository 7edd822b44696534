package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/scaffold"
)

const newHelp = `Write a suite to start from, for services with an OpenAPI document of your own.

The folder gets hallmark.yaml, which names the contract and the target; rules.yaml, whose entries change rules once you uncomment
them; values.yaml, for values that the contract does not give; the derived features, and one written feature; scenarios to fill in for
sentences of the contract that no rule judges; a job for CI; and a README.md. In that folder "hallmark run", "hallmark doctor", "hallmark rules" and "hallmark derive" need no flags.

The contract stays where it is, as do a rules.yaml and a values.yaml beside it; hallmark.yaml refers to them. Existing files are never
overwritten: if there is one, nothing is written.`

const newExample = `  hallmark new conformance --contract api.yaml
  cd conformance && hallmark run --base-url https://staging.example.com

  # for GitLab
  hallmark new conformance --contract api.yaml --ci gitlab`

func newCommand(a *app) *cobra.Command {
	var contract options.Contract
	ci := scaffold.GitHub
	cmd := &cobra.Command{
		Use:     "new DIR",
		Short:   "Write a suite for a contract of your own: settings, rules, values, features, CI",
		Long:    newHelp,
		Example: newExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one folder for the suite: hallmark new conformance --contract api.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if contract.File == "" {
				return errors.New("name the document that services are judged by: --contract FILE")
			}
			suite, err := scaffold.New(args[0], contract, ci)
			if err != nil {
				return err
			}
			return suite.Write(a.Stdout)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	contract.AddFlags(flags)
	flags.Var(cli.ChoiceValue(&ci, "NAME", scaffold.CIs()...), "ci", "what runs the suite: github, gitlab or none")
	completeContract(cmd)
	cli.CompleteWords(cmd, "ci", scaffold.CIs()...)
	return cmd
}
