package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/changes"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
)

const diffHelp = `Compare two versions of an OpenAPI document: what changes for clients of the service, and which rules and scenarios come, go and change.

A change is breaking if a client that follows the old document fails with the new one. It may break clients if those fail that use
what was removed. All other changes are compatible. Rules and scenarios are those that follow from the documents alone, without rules.yaml
and values.yaml. If oasdiff cannot read a document, one line says so, and rules and scenarios are compared anyway.

Entries of rules.yaml and written scenarios that name a removed rule are listed; they are those of a hallmark.yaml in this folder or one
above, or of --rules-file and --features.

Exit codes: 0 the documents were compared; with --check, 1 if a change is breaking, or if that could not be determined; 2 wrong usage, or a
document that cannot be read.`

const diffExample = `  git show main:api.yaml > old.yaml
  hallmark diff old.yaml api.yaml

  # as a gate in CI
  hallmark diff old.yaml api.yaml --check

  # for scripts
  hallmark diff old.yaml api.yaml --json | jq -r '.rules.added[].id'`

func diffCommand(a *app) *cobra.Command {
	var check, asJSON bool
	var contract options.Contract
	var own changes.Files
	cmd := &cobra.Command{
		Use:     "diff OLD NEW",
		Short:   "Compare two versions of a contract: breaking changes, rules, scenarios",
		Long:    diffHelp,
		Example: diffExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name two versions of a document: hallmark diff old.yaml api.yaml")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			before, after := contract, contract
			before.File, after.File = args[0], args[1]
			files, err := ownFiles(a, own, cmd.Flags())
			if err != nil {
				return err
			}
			all, err := changes.Between(before, after, files)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(a, all)
			} else {
				err = all.Write(a.Guarded(a.Stdout))
			}
			if err != nil || !check {
				return err
			}
			return gate(all)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddSwitch(flags, &check, "check", "exit with 1 when a change is breaking")
	cli.AddSwitch(flags, &asJSON, "json", "write JSON")
	flags.Var(cli.FileValue(&own.Rules, "FILE"), "rules-file", "a file of rules whose entries must keep their rules, or none (default that of hallmark.yaml, or rules.yaml beside NEW or OLD)")
	flags.Var(cli.FileValue(&own.Features, "DIR"), "features", "a folder of features whose written scenarios must keep their rules (default that of hallmark.yaml)")
	contract.AddReading(flags)
	cli.CompleteWords(cmd, "per-operation")
	cli.CompleteFiles(cmd, "rules-file", "yaml", "yml")
	cli.CompleteFolders(cmd, "features")
	return cmd
}

// gate is the error for what must not pass.
func gate(all *changes.Changes) error {
	switch n := all.Breaking(); {
	case all.Unread != "":
		return cli.WithCode(cli.ExitFound, errors.New("could not determine whether a change is breaking: "+all.Unread))
	case n > 0:
		return cli.WithCode(cli.ExitFound, fmt.Errorf("%s between %s and %s", text.Count(n, "breaking change"), text.Visible(all.Old), text.Visible(all.New)))
	}
	return nil
}

// ownFiles returns the files of a team that name rules: those of the flags, else those of hallmark.yaml.
func ownFiles(a *app, given changes.Files, flags *pflag.FlagSet) (changes.Files, error) {
	var known options.Contract
	own := pflag.NewFlagSet("own", pflag.ContinueOnError)
	known.AddFlags(own)
	features, err := known.FromFile(a.Env, own)
	if err != nil {
		return given, err
	}
	if !flags.Changed("rules-file") {
		given.Rules = known.Rules
	}
	if !flags.Changed("features") {
		given.Features = features
	}
	return given, nil
}
