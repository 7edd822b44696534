package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/conformance"
)

const verifyHelp = `Check a conformance report, which "hallmark run --report conformance:FILE" wrote, as its receiver: whether it matches the
schema, has valid dates and a valid signature, was made with the suite that it names, and claims nothing that its own lists do not
support. A report that was edited to another result does not pass.

A report cannot prove that the run took place. Its signature says who vouches for that, and --key checks it. Without --key, anyone
could have changed or written the report: the result says so, and --require-conformant fails, unless --unsigned accepts that.

A report of a service judged by its own document is checked with that document: --contract FILE.

Exit codes:
  0    nothing in the report is false, whatever it says of the implementation (see --require-conformant)
  1    it is false, has expired, or was changed; with --require-conformant also: it is not of a conformant implementation, or
       no signature of it was checked (see --unsigned)
  2    wrong usage
  3    it was made with another suite than this hallmark has, so not all of it could be checked`

const verifyExample = `  # as a gate: the vendor's key, and a conformant result
  hallmark verify conformance.yaml --key vendor.pub --require-conformant

  # look at an unsigned report
  hallmark verify conformance.yaml

  # of a service judged by its own document
  hallmark verify conformance.yaml --contract api.yaml --key vendor.pub`

// verifyOptions are the flags of verify.
type verifyOptions struct {
	key                                 string
	requireConformant, unsigned, asJSON bool
	contract                            options.Contract
}

// verifyCommand checks a conformance report.
func verifyCommand(a *app) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:     "verify REPORT",
		Short:   "Check a conformance report: its schema, signature, dates and totals",
		Long:    verifyHelp,
		Example: verifyExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one report: hallmark verify REPORT; - is standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if o.key != "" && o.unsigned {
				return errors.New("--key and --unsigned exclude each other: with a key the signature is checked")
			}
			return runVerify(a, args[0], o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(cli.FileValue(&o.key, "FILE"), "key", "the public key that checks its signature")
	cli.AddSwitch(cmd.Flags(), &o.requireConformant, "require-conformant", "fail unless it says that the implementation is conformant, with a signature that --key checked")
	cli.AddSwitch(cmd.Flags(), &o.unsigned, "unsigned", "let --require-conformant accept a report whose signature was not checked, or that has none")
	cli.AddSwitch(cmd.Flags(), &o.asJSON, "json", "write JSON")
	o.contract.AddFlags(cmd.Flags())
	cli.CompleteFiles(cmd, "key", "pub", "pem")
	completeContract(cmd)
	return cmd
}

func runVerify(a *app, name string, o verifyOptions) error {
	text, err := readReport(name)
	if err != nil {
		return err
	}
	var key ed25519.PublicKey
	if o.key != "" {
		if key, err = session.ReadPublicKey(o.key); err != nil {
			return err
		}
	}
	own, err := session.OwnSuite(a.Version, o.contract)
	if err != nil {
		return err
	}
	v := conformance.Verify(text, own, key, time.Now())
	write := v.Text
	if o.asJSON {
		write = v.JSON
	}
	if err := write(a.Stdout); err != nil {
		return err
	}
	why, remedy := v.Unvouched()
	switch {
	case v.False():
		return cli.WithCode(cli.ExitFound, nil)
	case o.requireConformant && v.Result != verdict.Conformant:
		return cli.WithCode(cli.ExitFound, fmt.Errorf("the report says %s, and --require-conformant wants it to say %s", v.Result, verdict.Conformant))
	case o.requireConformant && why != "" && !o.unsigned:
		return cli.WithCode(cli.ExitFound, fmt.Errorf("%s; %s, or accept that with --unsigned", why, remedy))
	case v.Incomplete():
		return cli.WithCode(verdict.ExitUnjudged, nil)
	}
	return nil
}

// readReport reads the text of a report; - is standard input.
func readReport(name string) ([]byte, error) {
	var from io.Reader = os.Stdin
	if name == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", text.Visible(name), cli.Bare(err))
		}
		defer file.Close() //nolint:errcheck // only read
		from = file
	}
	out, err := conformance.ReadText(from)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", text.Visible(name), cli.Bare(err))
	}
	return out, nil
}
