package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/drift"
	"hallmark/internal/options"
	"hallmark/internal/session"
)

const deriveHelp = `Write the scenarios that follow from the contract, one file for each operation, and remove feature files in the same
folder that no longer follow from it. With --check nothing is written, and the exit code is 1 when a file is missing,
superfluous or different.

The files of a contract with more than 40 operations stand in a folder for each tag, or for each first segment of a path. Of the
files in such folders only those that derive has written are removed.`

const deriveExample = `  # in the folder of the module, after the contract or the catalogue was changed
  hallmark derive

  # in CI
  hallmark derive --check`

type deriveOptions struct {
	check    bool
	out      string
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
		RunE:    func(*cobra.Command, []string) error { return runDerive(a, o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddSwitch(flags, &o.check, "check", "write nothing, and exit with 1 when a file is not what follows from the contract")
	flags.Var(cli.FileValue(&o.out, "DIR"), "out", "the folder to write to")
	o.contract.AddFlags(flags)
	completeContract(cmd)
	cli.CompleteFolders(cmd, "out")
	return cmd
}

func runDerive(a *app, o deriveOptions) error {
	basis, err := session.Load(o.contract)
	if err != nil {
		return err
	}
	files, err := basis.Folders()
	if err != nil {
		return fmt.Errorf("scenarios could not be derived:\n%w", err)
	}
	folder, err := drift.Read(o.out, files)
	if err != nil {
		return err
	}
	if o.check {
		return folder.Check(a.Stdout)
	}
	return folder.Update(a.Stdout)
}
