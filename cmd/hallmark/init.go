package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/scaffold"
	"github.com/hallmark-kit/hallmark/internal/text"
)

const initHelp = `Write what a team keeps with its sources to judge services by an OpenAPI document.

The folder (default this one) gets hallmark.yaml, which names the contract and the target, with hallmark.schema.json, by which editors
complete its keys; rules.yaml, whose entries change rules once you uncomment them; values.yaml, for values that the contract does not
give; the derived features, and one written feature; scenarios to fill in for sentences of the contract that no rule judges; a job for CI,
which fails where a secret is empty; and a README.md. In that folder "hallmark run", "hallmark doctor", "hallmark rules" and
"hallmark derive" need no flags.

An argument that is a file or an address is the CONTRACT, another one the folder. If no contract is named, openapi.yaml, api.yaml or
swagger.yaml of this folder is taken (or .yml, .json). Where there is none, hallmark.yaml gets targets with the built-in contract,
with comments, and nothing else is needed.

The contract stays where it is, as do a rules.yaml and a values.yaml beside it; hallmark.yaml refers to them. Existing files are kept,
unless --force is given: if there is one, nothing is written. Only a README.md stays as it is, and keeps nothing from being written.`

const initExample = `  hallmark init api.yaml
  hallmark run --base-url https://staging.example.com

  # in a folder of its own, for GitLab
  hallmark init api.yaml conformance --ci gitlab`

// initOptions are the flags and arguments of init.
type initOptions struct {
	contract options.Contract
	folder   string
	ci       string
	force    bool
}

func initCommand(a *app) *cobra.Command {
	o := initOptions{folder: ".", ci: scaffold.GitHub}
	cmd := &cobra.Command{
		Use:     "init [CONTRACT] [DIR]",
		Short:   "Write the files to start from: settings, rules, values, features, CI",
		Long:    initHelp,
		Example: initExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.take(cmd.Flags(), args); err != nil {
				return err
			}
			suite, err := scaffold.New(o.folder, o.contract, o.ci)
			if err != nil {
				return err
			}
			return suite.Write(a.Stdout, o.force)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	o.contract.AddFlags(flags)
	flags.Var(cli.ChoiceValue(&o.ci, "NAME", scaffold.CIs()...), "ci", "what runs the suite: github, gitlab or none")
	cli.AddSwitch(flags, &o.force, "force", "replace existing files")
	completeContract(cmd)
	cmd.ValidArgsFunction = completeDocuments
	cli.CompleteWords(cmd, "ci", scaffold.CIs()...)
	return cmd
}

// take reads the arguments, and looks for a contract if none is named.
func (o *initOptions) take(flags *pflag.FlagSet, args []string) error {
	var folders []string
	for _, arg := range args {
		if !isDocument(arg) {
			folders = append(folders, arg)
		} else if err := cli.TakeContract(flags, []string{arg}); err != nil {
			return err
		}
	}
	switch len(folders) {
	case 0:
	case 1:
		o.folder = folders[0]
	default:
		return fmt.Errorf("hallmark init takes one folder; remove %q", folders[1])
	}
	if o.contract.File == "" {
		found, err := findContract()
		if err != nil {
			return err
		}
		o.contract.File = found
	}
	if o.contract.File == "" && flags.Changed("ci") {
		return errors.New("--ci: a job for CI is written only for a contract of your own; name it, as in hallmark init api.yaml")
	}
	return nil
}

// documentEndings are the extensions of OpenAPI documents.
func documentEndings() []string { return []string{".yaml", ".yml", ".json"} }

// isDocument reports whether an argument is a contract, and not a folder.
func isDocument(arg string) bool {
	if cli.IsURL(arg) || slices.Contains(documentEndings(), strings.ToLower(filepath.Ext(arg))) {
		return true
	}
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

// findContract returns the contract of this folder if it has one of the usual names, or "" if there is none.
func findContract() (string, error) {
	var found []string
	for _, name := range []string{"openapi", "api", "swagger"} {
		for _, ending := range documentEndings() {
			if info, err := os.Stat(name + ending); err == nil && info.Mode().IsRegular() {
				found = append(found, name+ending)
			}
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("this folder has %s; name the one to judge by, as in hallmark init %s", text.Enumerate(found, "and"), found[0])
}
