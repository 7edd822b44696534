package main

import (
	"errors"

	"github.com/spf13/pflag"

	"hallmark/reports"
)

// detailFlags say how much is told of a run.
type detailFlags struct{ quiet, verbose bool }

func (d *detailFlags) add(flags *pflag.FlagSet) {
	addSwitch(flags, &d.quiet, "quiet", "tell the verdict only, and each failure in a line")
	addSwitch(flags, &d.verbose, "verbose", "tell all observations too; of a run also each scenario when it has ended, on standard error")
}

func (d *detailFlags) check() error {
	if d.quiet && d.verbose {
		return errors.New("--quiet asks for less and --verbose for more; give one of them")
	}
	return nil
}

func (d *detailFlags) detail() reports.Detail {
	switch {
	case d.quiet:
		return reports.Brief
	case d.verbose:
		return reports.Full
	}
	return reports.Usual
}
