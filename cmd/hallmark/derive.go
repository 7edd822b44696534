package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/drift"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

const deriveHelp = `Write the scenarios that follow from the contract, one file for each operation, and remove feature files in the same
folder that no longer follow from it. With --check nothing is written, and the exit code is 1 when a file is missing,
superfluous or different.

With more than 40 operations, the files are in a folder for each tag, or for each first segment of a path. In such folders only
files that derive wrote are removed.

With --rule, the scenarios about one rule are written to standard output, and no file is written. For a rule that is judged on every
response, they are the scenarios of its operation.

If a hallmark.yaml in this folder or one above names a contract and a folder of features, as "hallmark init" writes it, the derived
features are in its subfolder derived.`

const deriveExample = `  # in the folder of the module, after the contract or the catalogue was changed
  hallmark derive

  # in CI
  hallmark derive --check

  # in the folder of a suite that "hallmark init" wrote
  hallmark derive
  hallmark derive --check

  # of your own contract: written once, kept beside it, checked in CI, and run as they are
  hallmark derive --contract api.yaml --out features
  hallmark derive --contract api.yaml --out features --check
  hallmark run --contract api.yaml --features features --base-url https://staging.example.com`

type deriveOptions struct {
	check bool
	out   string
	// rule is the one whose scenarios are shown; empty for all, which are written.
	rule string
	// named reports whether out was given.
	named bool
	// features is the folder that hallmark.yaml names, where it names the contract too.
	features string
	contract options.Contract
}

func deriveCommand(a *app) *cobra.Command {
	o := deriveOptions{out: filepath.Join("features", "petstore", "derived")}
	cmd := &cobra.Command{
		Use:     "derive",
		Short:   "Write the scenarios that follow from the contract",
		Long:    deriveHelp,
		Example: deriveExample,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.named = cmd.Flags().Changed("out")
			var err error
			if o.features, err = o.contract.FromFile(a.Env, cmd.Flags()); err != nil {
				return err
			}
			return runDerive(a, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddSwitch(flags, &o.check, "check", "write nothing, and exit with 1 when a file is out of date")
	flags.Var(cli.FileValue(&o.out, "DIR"), "out", "the folder to write to")
	flags.Var(cli.TextValue(&o.rule, "ID"), "rule", "write the scenarios about this rule to standard output, and no file")
	o.contract.AddFlags(flags)
	cmd.MarkFlagsMutuallyExclusive("rule", "check")
	cmd.MarkFlagsMutuallyExclusive("rule", "out")
	completeRules(a, cmd, "rule")
	completeContract(cmd)
	cli.CompleteFolders(cmd, "out")
	return cmd
}

// update is the command line that writes what was checked.
func (o *deriveOptions) update() string {
	line := "hallmark derive"
	if o.contract.File != "" && o.features == "" {
		line += " --contract " + text.ShellQuote(o.contract.File)
	}
	if o.contract.PerOperation > 0 && o.features == "" {
		line += " --per-operation " + strconv.Itoa(o.contract.PerOperation)
	}
	if o.named {
		line += " --out " + text.ShellQuote(o.out)
	}
	return line
}

func runDerive(a *app, o deriveOptions) error {
	basis, err := session.Load(o.contract)
	if err != nil {
		return err
	}
	if o.rule != "" {
		return showDerived(a, basis, o.rule)
	}
	switch {
	case basis.IsBundled() || o.named:
	case o.features != "":
		o.out = filepath.Join(o.features, "derived")
	default:
		return errors.New("name the folder of the features of this contract: --out DIR")
	}
	folder, err := drift.Read(o.out, basis.Folders())
	if err != nil {
		return err
	}
	if o.check {
		return folder.Check(a.Stdout, o.update())
	}
	return folder.Update(a.Stdout)
}

// showDerived writes the scenarios about a rule.
func showDerived(a *app, basis *session.Basis, id string) error {
	features := basis.Features()
	rule, known := basis.Catalogue.Rule(id)
	if !known {
		var ids []string
		for _, r := range basis.Catalogue.Rules {
			ids = append(ids, r.ID)
		}
		return fmt.Errorf("--rule: no rule is called %q; %s", text.Visible(id), cli.Suggest(id, ids, "\"hallmark rules\" lists them"))
	}
	shown := feature.About(features, rule.ID)
	if shown == "" && len(rule.Operations) > 0 { // every response is judged by it
		for _, r := range basis.Catalogue.Rules {
			if len(r.Operations) > 0 && r.Operations[0] == rule.Operations[0] {
				shown += feature.About(features, r.ID)
			}
		}
	}
	if shown == "" {
		return fmt.Errorf("--rule %s: no scenario follows from it", text.Visible(id))
	}
	_, err := io.WriteString(a.Stdout, shown)
	return err
}
