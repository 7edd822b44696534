package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/spec/derive"
)

// featureExt is the ending of feature files.
const featureExt = ".feature"

const deriveHelp = `Write the scenarios that follow from the contract, one file for each operation, and remove feature files in the same
folder that no longer follow from it. With --check nothing is written, and the exit code is 1 when a file is missing,
superfluous or different.`

const deriveExample = `  # in the folder of the module, after the contract or the catalogue was changed
  hallmark derive

  # in CI
  hallmark derive --check`

type deriveOptions struct {
	check         bool
	out, contract string
}

func (a *app) deriveCommand() *cobra.Command {
	o := deriveOptions{out: filepath.Join("features", "derived")}
	cmd := &cobra.Command{
		Use:     "derive",
		Short:   "Write the scenarios that follow from the contract",
		Long:    deriveHelp,
		Example: deriveExample,
		Args:    cli.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return a.derive(o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddSwitch(flags, &o.check, "check", "write nothing, and exit with 1 when a file is not what follows from the contract")
	flags.Var(cli.FileValue(&o.out, "DIR"), "out", "the folder to write to")
	flags.Var(cli.FileValue(&o.contract, "FILE"), "contract", "an OpenAPI 3.1 document to derive from, instead of the built-in one")
	cli.CompleteFiles(cmd, "contract", "yaml", "yml", "json")
	cli.CompleteFolders(cmd, "out")
	return cmd
}

func (a *app) derive(o deriveOptions) error {
	contract, catalogue, err := session.LoadContract(o.contract)
	if err != nil {
		return err
	}
	files, err := derive.Features(contract, catalogue)
	if err != nil {
		return fmt.Errorf("scenarios could not be derived:\n%w", err)
	}
	want := map[string]string{}
	for _, f := range files {
		want[f.Name] = f.Content
	}
	have, err := readDerived(o.out)
	if err != nil {
		return err
	}
	drift := compareDerived(want, have)
	if o.check {
		return a.checkDerived(o.out, drift, len(files))
	}
	return a.writeDerived(o.out, want, drift, len(files))
}

// readDerived reads the feature files of a folder. A folder that is not there holds none, but the one around it must be
// there: otherwise the command runs in the wrong place.
func readDerived(folder string) (map[string]string, error) {
	parent := filepath.Dir(filepath.Clean(folder))
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no folder %s here; run this in the folder of the module, or name another one with --out", text.Printable(parent))
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be read: %w", text.Printable(folder), cli.Bare(err))
	}
	have := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != featureExt {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", text.Printable(filepath.Join(folder, e.Name())), cli.Bare(err))
		}
		have[e.Name()] = string(content)
	}
	return have, nil
}

func (a *app) checkDerived(folder string, drift []difference, n int) error {
	if len(drift) == 0 {
		_, err := fmt.Fprintf(a.Stdout, "%s in %s: up to date\n", text.Count(n, "derived file"), text.Printable(folder))
		return err
	}
	for _, d := range drift {
		fmt.Fprint(a.Stdout, d.describe(folder))
	}
	return cli.WithCode(cli.ExitFound, fmt.Errorf("%s in %s not what follows from the contract; run \"hallmark derive\"",
		text.Count(len(drift), "file"), text.Printable(folder)+map[bool]string{true: " is", false: " are"}[len(drift) == 1]))
}

// writeDerived writes what differs, each file whole or not at all, and removes what is left over.
func (a *app) writeDerived(folder string, want map[string]string, drift []difference, n int) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", text.Printable(folder), cli.Bare(err))
	}
	for _, d := range drift {
		path := filepath.Join(folder, d.name)
		did := "wrote"
		var err error
		if d.leftOver {
			did, err = "removed", os.Remove(path)
		} else {
			err = replaceFile(path, want[d.name])
		}
		if err != nil {
			return fmt.Errorf("%s cannot be written: %w", text.Printable(path), cli.Bare(err))
		}
		fmt.Fprintf(a.Stdout, "%-8s %s\n", did, text.Printable(path))
	}
	if len(drift) == 0 {
		fmt.Fprintf(a.Stdout, "%s in %s: up to date\n", text.Count(n, "derived file"), text.Printable(folder))
	}
	return nil
}

// replaceFile writes a file whole or not at all: readers find the old content or the new one.
func replaceFile(path, content string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.WriteString(content)
	if err := errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
