package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"hallmark/reports/terminal"
)

// DetailFlags say how much is told of a run.
type DetailFlags struct{ quiet, verbose bool }

// Add adds the flags to a command.
func (d *DetailFlags) Add(flags *pflag.FlagSet) {
	AddSwitch(flags, &d.quiet, "quiet", "print only the verdict, and one line for each failure")
	AddSwitch(flags, &d.verbose, "verbose", "print all observations, too; during a run also each scenario as it ends, on standard error")
}

// Check returns an error where both are given.
func (d *DetailFlags) Check() error {
	if d.quiet && d.verbose {
		return errors.New("--quiet and --verbose exclude each other; give one of them")
	}
	return nil
}

// Detail returns how much the flags ask for.
func (d *DetailFlags) Detail() terminal.Detail {
	switch {
	case d.quiet:
		return terminal.Brief
	case d.verbose:
		return terminal.Full
	}
	return terminal.Usual
}
