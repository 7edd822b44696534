package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/reports"
	"hallmark/reports/conformance"
	"hallmark/reports/record"
)

const (
	// validDays is how long a signed report counts unless another time is given, validDaysMost the most that can be given.
	validDays     = 365
	validDaysMost = 3650
)

// signOptions say how conformance reports are signed.
type signOptions struct {
	key  string
	days int
}

func (o *signOptions) add(flags *pflag.FlagSet) {
	o.days = validDays
	flags.Var(fileValue(&o.key, "FILE"), "sign", "sign the conformance report with this private key (hallmark keygen makes one)")
	flags.Var(numberValue(&o.days, 1, validDaysMost), "valid-days", "how many days a signed report counts, from the day of the run on")
}

func completeSigning(cmd *cobra.Command) {
	completeFiles(cmd, "sign", "key", "pem")
	completeWords(cmd, "valid-days")
}

// formats are all formats, of which the conformance report is signed where a key is given for it. Whatever stands in the
// way of signing shows here, and not after a run. Who insists on signing has to ask for such a report.
func (o *signOptions) formats(a *app, wanted []string, made record.Implementation, insist bool) ([]reports.Format, error) {
	all := formats()
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
	signer, err := o.signer(a)
	if err != nil {
		return nil, err
	}
	signed := conformance.Format(signer)
	i := slices.IndexFunc(all, func(f reports.Format) bool { return f.Name == signed.Name })
	all[i] = signed
	return all, nil
}

// signer reads the private key.
func (o *signOptions) signer(a *app) (*conformance.Signer, error) {
	named := "--sign " + visible(o.key)
	text, err := readSecret(named, o.key)
	if err != nil {
		return nil, err
	}
	key, err := conformance.ReadPrivateKey([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	if info, err := os.Stat(o.key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(a.stderr, "hallmark: warning: others can read the private key %s, and sign with it; chmod 600 %s\n", visible(o.key), shellWord(o.key))
	}
	return &conformance.Signer{Key: key, Days: o.days}, nil
}
