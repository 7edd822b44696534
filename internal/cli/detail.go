package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/reports/terminal"
)

// DetailFlags are the flags that control how much is printed about a run.
type DetailFlags struct{ quiet, verbose bool }

// Add adds the flags to a command.
func (d *DetailFlags) Add(flags *pflag.FlagSet) {
	AddShortSwitch(flags, &d.quiet, "quiet", "q", "print only the verdict, and one line for each failure")
	AddSwitch(flags, &d.verbose, "verbose", "print all observations, too; during a run also each scenario as it ends, on standard error")
}

// Check returns an error if both flags are given.
func (d *DetailFlags) Check() error {
	if d.quiet && d.verbose {
		return errors.New("--quiet and --verbose exclude each other; give one of them")
	}
	return nil
}

// Detail returns the level of detail selected by the flags.
func (d *DetailFlags) Detail() terminal.Detail {
	switch {
	case d.quiet:
		return terminal.Brief
	case d.verbose:
		return terminal.Full
	}
	return terminal.Usual
}
