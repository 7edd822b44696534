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

	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/spec"
)

const deviationsHelp = `Write the list of known violations after a run. Each entry has a reason, and a date until which it is accepted.

RECORD is what "hallmark run --report json:RECORD" wrote, for a run of the whole suite; without it, the last run on this
machine is used. Entries that still cover a finding stay, with their reasons; entries whose rule was exercised without a
finding go; every other finding gets a new entry. Its reason and its link say TODO until somebody fills them in, and
until then hallmark run refuses the file.

Without --update the list is printed and no file is changed.

An entry covers the findings of its rule whose message begins with the entry's message. The message is the one in every
report: "expected status 400, actual status 201". Where its values differ from run to run, cut it off before them.`

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

func (a *app) deviationsCommand() *cobra.Command {
	var o deviationsOptions
	cmd := &cobra.Command{
		Use:     "deviations [RECORD]",
		Short:   "Write the list of known violations after a run",
		Long:    deviationsHelp,
		Example: deviationsExample,
		Args:    func(_ *cobra.Command, args []string) error { return oneRecord(args) },
		RunE:    func(_ *cobra.Command, args []string) error { return a.deviations(o, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(fileValue(&o.file, "FILE"), "deviations", "the existing list; a file that does not exist is an empty list")
	addSwitch(flags, &o.update, "update", "write the list to that file")
	flags.Var(dateValue(&o.expires), "expires", fmt.Sprintf("the last day on which new entries apply (default %d days from now)", newDeviationDays))
	completeFiles(cmd, "deviations", "yaml", "yml")
	completeWords(cmd, "expires")
	return cmd
}

func (a *app) deviations(o deviationsOptions, args []string) error {
	if o.update && o.file == "" {
		return errors.New("--update needs the file that it writes: --deviations FILE")
	}
	catalogue, err := spec.DefaultCatalogue()
	if err != nil {
		return err
	}
	record, name, err := a.readRecord(args)
	if err != nil {
		return err
	}
	if err := sameRules(name, record, catalogue); err != nil {
		return err
	}
	var before []byte
	if o.file != "" {
		if before, err = os.ReadFile(o.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--deviations %s: the file cannot be read: %w", visible(o.file), bare(err))
		}
	}
	if o.expires.IsZero() {
		o.expires = time.Now().AddDate(0, 0, newDeviationDays)
	}
	text, changes, err := reports.UpdateDeviations(before, record, catalogue.Rules, o.expires)
	if err != nil {
		return fmt.Errorf("%s: %w", visible(name), err)
	}
	if !o.update {
		_, err := a.stdout.Write(text)
		return err
	}
	if !bytes.Equal(text, before) {
		if err := reports.Replace(o.file, text); err != nil {
			return failure{reports.ExitHarness, fmt.Errorf("--deviations %s: the file cannot be written: %w", visible(o.file), bare(err))}
		}
	}
	_, err = fmt.Fprintln(a.stdout, deviationsTold(changes))
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

// readDeviations reads the list that a run takes.
func readDeviations(file string, catalogue *spec.Catalogue) ([]record.Deviation, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--deviations %s: the file cannot be read: %w", visible(file), bare(err))
	}
	all, err := reports.ReadDeviations(data, catalogue.Rules)
	if err != nil {
		text := err.Error()
		if strings.Contains(text, "\n") {
			return nil, fmt.Errorf("--deviations %s:\n%w", visible(file), err)
		}
		return nil, fmt.Errorf("--deviations %s: %w", visible(file), err)
	}
	return all, nil
}
