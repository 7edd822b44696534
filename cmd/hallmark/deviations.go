package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const deviationsHelp = `Write the list of known violations after a run. Each entry has a reason, and a date until which it is accepted.

RECORD is what "hallmark run --report json:RECORD" wrote, for a run of the whole suite; without it, the last run on this
machine is used. Entries that still cover a finding stay, with their reasons; entries whose rule was exercised without a
finding go; every other defect gets a new entry. Its reason and its link say TODO until somebody fills them in, and
until then hallmark run refuses the file.

Without --update the list is printed and no file is changed.

An entry covers the findings of its rule, operation, kind, place and detail; without an operation, a place or a detail, any.
The message is for readers. Entries of earlier versions have no kind and cover findings whose message begins with theirs;
--update renews them.`

const deviationsExample = `  hallmark run --base-url https://pets.example.com/v1 --report json:record.json
  hallmark deviations record.json
  hallmark deviations --update --deviations deviations.yaml record.json
  hallmark run --base-url https://pets.example.com/v1 --deviations deviations.yaml`

// deviationsOptions are the flags of deviations.
type deviationsOptions struct {
	file    string
	update  bool
	expires time.Time
}

// newDeviationDays is how long a new entry counts unless another day is given.
const newDeviationDays = 90

func deviationsCommand(a *app) *cobra.Command {
	var o deviationsOptions
	cmd := &cobra.Command{
		Use:     "deviations [RECORD]",
		Short:   "Write the list of known violations after a run",
		Long:    deviationsHelp,
		Example: deviationsExample,
		Args:    func(_ *cobra.Command, args []string) error { return oneRecord(args) },
		RunE:    func(_ *cobra.Command, args []string) error { return runDeviations(a, o, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.FileValue(&o.file, "FILE"), "deviations", "the existing list; a file that does not exist is an empty list")
	cli.AddSwitch(flags, &o.update, "update", "write the list to that file")
	flags.Var(cli.DateValue(&o.expires), "expires", fmt.Sprintf("the last day on which new entries apply (default %d days from now)", newDeviationDays))
	cli.CompleteFiles(cmd, "deviations", "yaml", "yml")
	cli.CompleteWords(cmd, "expires")
	return cmd
}

func runDeviations(a *app, o deviationsOptions, args []string) error {
	if o.update && o.file == "" {
		return errors.New("--update needs the file that it writes: --deviations FILE")
	}
	record, name, err := session.ReadRecord(a.Env, args)
	if err != nil {
		return err
	}
	catalogue, err := session.CatalogueOf(name, record)
	if err != nil {
		return err
	}
	var before []byte
	if o.file != "" {
		if before, err = os.ReadFile(o.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--deviations %s: the file cannot be read: %w", text.Visible(o.file), cli.Bare(err))
		}
	}
	if o.expires.IsZero() {
		o.expires = time.Now().AddDate(0, 0, newDeviationDays)
	}
	out, changes, err := verdict.UpdateDeviations(before, record, catalogue.Rules, o.expires)
	if err != nil {
		return fmt.Errorf("%s: %w", text.Visible(name), err)
	}
	if !o.update {
		_, err := a.Stdout.Write(out)
		return err
	}
	if !bytes.Equal(out, before) {
		if err := files.Replace(o.file, string(out)); err != nil {
			return cli.WithCode(verdict.ExitHarness, fmt.Errorf("--deviations %s: the file cannot be written: %w", text.Visible(o.file), cli.Bare(err)))
		}
	}
	_, err = fmt.Fprintln(a.Stdout, deviationsTold(changes))
	return err
}

// deviationsTold says what an update changed.
func deviationsTold(changes []string) string {
	if len(changes) == 0 {
		return "nothing deviates, and the list is empty"
	}
	lines := strings.Join(changes, "\n")
	if strings.Contains("\n"+lines, "\nadded: ") {
		lines += "\nwrite the reasons and links of the entries that say TODO; until then the file is refused"
	}
	return lines
}
