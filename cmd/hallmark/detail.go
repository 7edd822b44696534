package main

import (
	"errors"

	"github.com/spf13/pflag"

	"hallmark/reports"
)

// detailFlags say how much is told of a run.
type detailFlags struct{ quiet, verbose bool }

func (d *detailFlags) add(flags *pflag.FlagSet) {
	addSwitch(flags, &d.quiet, "quiet", "print only the verdict, and one line for each failure")
	addSwitch(flags, &d.verbose, "verbose", "print all observations, too; during a run also each scenario as it ends, on standard error")
}

func (d *detailFlags) check() error {
	if d.quiet && d.verbose {
		return errors.New("--quiet and --verbose exclude each other; give one of them")
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
