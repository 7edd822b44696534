package session

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/conformance"
	"hallmark/reports/record"
)

const (
	// validDays is how long a signed report counts unless another time is given, validDaysMost the most that can be given.
	validDays     = 365
	validDaysMost = 3650
)

// SignOptions say how conformance reports are signed.
type SignOptions struct {
	key  string
	days int
}

// Add adds the flags.
func (o *SignOptions) Add(flags *pflag.FlagSet) {
	o.days = validDays
	flags.Var(cli.FileValue(&o.key, "FILE"), "sign", "sign the conformance report with this private key (hallmark keygen makes one)")
	flags.Var(cli.NumberValue(&o.days, 1, validDaysMost), "valid-days", "how many days a signed report counts, from the day of the run on")
}

// Formats are all formats, of which the conformance report is signed where a key is given for it. Whatever stands in the
// way of signing shows here, and not after a run. Who insists on signing has to ask for such a report.
func (o *SignOptions) Formats(env *cli.Env, wanted []string, made record.Implementation, insist bool) ([]reports.Format, error) {
	all := Formats()
	asked := slices.ContainsFunc(wanted, func(text string) bool {
		return strings.HasPrefix(text, conformance.Format(nil).Name+":")
	})
	switch {
	case o.key == "", !asked && !insist:
		return all, nil
	case !asked:
		return nil, errors.New("--sign signs conformance reports, and none is asked for; add --report conformance:FILE")
	}
	if err := conformance.Signable(made); err != nil {
		return nil, fmt.Errorf("--sign: %w", err)
	}
	signer, err := o.signer(env)
	if err != nil {
		return nil, err
	}
	signed := conformance.Format(signer)
	i := slices.IndexFunc(all, func(f reports.Format) bool { return f.Name == signed.Name })
	all[i] = signed
	return all, nil
}

// signer reads the private key.
func (o *SignOptions) signer(env *cli.Env) (*conformance.Signer, error) {
	named := "--sign " + text.Printable(o.key)
	s, err := ReadSecret(named, o.key)
	if err != nil {
		return nil, err
	}
	key, err := conformance.ReadPrivateKey([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	if info, err := os.Stat(o.key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(env.Stderr, "hallmark: warning: others can read the private key %s, and sign with it; chmod 600 %s\n", text.Printable(o.key), text.ShellQuote(o.key))
	}
	return &conformance.Signer{Key: key, Days: o.days}, nil
}
