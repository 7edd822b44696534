package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

const (
	// validDays is the default validity of a signed report in days, validDaysMost its maximum.
	validDays     = 365
	validDaysMost = 3650
)

// Signing holds the flags for signing conformance reports.
type Signing struct {
	// Key is the file with the private key.
	Key string
	// Days is the validity of a signed report in days.
	Days int
}

// AddFlags adds the flags.
func (o *Signing) AddFlags(flags *pflag.FlagSet) {
	o.Days = validDays
	flags.Var(cli.FileValue(&o.Key, "FILE"), "sign", "sign the conformance report with this private key (hallmark keygen makes one)")
	flags.Var(cli.NumberValue(&o.Days, 1, validDaysMost), "valid-days", "how many days a signed report is valid, from the day of the run")
}
