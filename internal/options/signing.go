package options

import (
	"github.com/spf13/pflag"

	"hallmark/internal/cli"
)

const (
	// validDays is how many days a signed report is valid by default, validDaysMost the most that can be given.
	validDays     = 365
	validDaysMost = 3650
)

// Signing says how conformance reports are signed.
type Signing struct {
	// Key is the file with the private key.
	Key string
	// Days is how long a signed report is valid.
	Days int
}

// AddFlags adds the flags.
func (o *Signing) AddFlags(flags *pflag.FlagSet) {
	o.Days = validDays
	flags.Var(cli.FileValue(&o.Key, "FILE"), "sign", "sign the conformance report with this private key (hallmark keygen makes one)")
	flags.Var(cli.NumberValue(&o.Days, 1, validDaysMost), "valid-days", "how many days a signed report is valid, from the day of the run")
}
