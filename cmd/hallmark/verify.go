package main

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/reports/conformance"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps"
)

const verifyHelp = `Check a conformance report, which "hallmark run --report conformance:FILE" wrote, as its receiver: whether it keeps the schema,
is dated and signed as it should be, was made by the suite that it names, and says nothing that its own lists do not bear
out. A report that was edited into another result does not pass.

Whether the run took place nobody can tell from a report. Its signature says who vouches for that, and --key checks it. Without
--key anyone could have changed or written the report: the result says so, and --require-conformant fails, unless --unsigned
accepts that.

Exit codes:
  0    nothing in the report is false, whatever it says of the implementation (see --require-conformant)
  1    it is false, has expired, or was changed; with --require-conformant also: it is not of a conformant implementation, or
       no signature of it was checked (see --unsigned)
  2    wrong usage
  3    it was made with another suite than this hallmark has, so that not all of it could be checked`

const verifyExample = `  # as a gate: the vendor's key, and a conformant result
  hallmark verify conformance.yaml --key vendor.pub --require-conformant

  # a look at a report that nobody vouches for
  hallmark verify conformance.yaml`

// verifyOptions are the flags of verify.
type verifyOptions struct {
	key                                 string
	requireConformant, unsigned, asJSON bool
}

// verifyCommand checks a conformance report.
func (a *app) verifyCommand() *cobra.Command {
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
			return a.verify(args[0], o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(cli.FileValue(&o.key, "FILE"), "key", "the public key by which it has to be signed")
	cli.AddSwitch(cmd.Flags(), &o.requireConformant, "require-conformant", "fail unless it says that the implementation is conformant, with a signature that --key checked")
	cli.AddSwitch(cmd.Flags(), &o.unsigned, "unsigned", "let --require-conformant accept a report whose signature was not checked, or that has none")
	cli.AddSwitch(cmd.Flags(), &o.asJSON, "json", "write JSON")
	cli.CompleteFiles(cmd, "key", "pub", "pem")
	return cmd
}

// verified is what came of it.
type verified struct {
	// Sound reports whether nothing in the report is false, and nothing was left unchecked, its signature included.
	Sound bool `json:"sound"`
	// Signature is the state of the check of the signature; empty when the report could not be read.
	Signature conformance.State `json:"signature,omitempty"`
	// Result is what the report says; empty when it is false.
	Result verdict.Verdict     `json:"result,omitempty"`
	Checks []conformance.Check `json:"checks"`

	report *conformance.Report
	// failed and unchecked count checks, but for that of the signature where nobody gave a key for it.
	failed, unchecked int
}

// unvouched says why nobody vouches for the report, and what to do; empty when somebody does.
func (v *verified) unvouched() (why, remedy string) {
	switch v.Signature {
	case conformance.Unchecked:
		return "the signature was not checked, so anyone could have changed the report", "give the public key of the vendor with --key FILE"
	case conformance.Absent:
		return "the report is not signed, so anyone could have written it", "ask the vendor for a signed one"
	case conformance.Good, conformance.Bad:
	}
	return "", ""
}

func (a *app) verify(name string, o verifyOptions) error {
	text, err := readReport(name)
	if err != nil {
		return err
	}
	var key ed25519.PublicKey
	if o.key != "" {
		if key, err = readPublicKey(o.key); err != nil {
			return err
		}
	}
	own, err := ownSuite()
	if err != nil {
		return err
	}
	var v verified
	document, err := conformance.Read(text)
	if err != nil {
		v.Checks = []conformance.Check{{Name: "schema", State: conformance.Bad, Says: strings.NewReplacer(":\n", ": ", "\n", "; ").Replace(err.Error())}}
	} else {
		v.report, v.Checks = document.Report, document.Verify(own, key, time.Now())
	}
	v.failed, v.unchecked = conformance.Sum(v.Checks)
	for _, c := range v.Checks {
		if c.Name == conformance.SignatureCheck {
			v.Signature = c.State
		}
	}
	v.Sound = v.failed+v.unchecked == 0 && v.Signature == conformance.Good
	if v.Signature == conformance.Unchecked {
		v.unchecked--
	}
	if v.failed == 0 {
		v.Result = v.report.Result
	}
	if err := a.tellVerified(&v, o); err != nil {
		return err
	}
	why, remedy := v.unvouched()
	switch {
	case v.failed > 0:
		return cli.WithCode(cli.ExitFound, nil)
	case o.requireConformant && v.Result != verdict.Conformant:
		return cli.WithCode(cli.ExitFound, fmt.Errorf("the report says %s, and --require-conformant wants it to say %s", v.Result, verdict.Conformant))
	case o.requireConformant && why != "" && !o.unsigned:
		return cli.WithCode(cli.ExitFound, fmt.Errorf("%s; %s, or accept that with --unsigned", why, remedy))
	case v.unchecked > 0:
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
			return nil, fmt.Errorf("%s cannot be read: %w", text.Printable(name), cli.Bare(err))
		}
		defer file.Close() //nolint:errcheck // only read
		from = file
	}
	out, err := conformance.ReadText(from)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", text.Printable(name), cli.Bare(err))
	}
	return out, nil
}

func readPublicKey(file string) (ed25519.PublicKey, error) {
	named := "--key " + text.Printable(file)
	text, err := session.ReadSecret(named, file)
	if err != nil {
		return nil, err
	}
	key, err := conformance.ReadPublicKey([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	return key, nil
}

// ownSuite is what reports are compared with.
func ownSuite() (conformance.Own, error) {
	contract, catalogue, err := session.LoadContract("")
	if err != nil {
		return conformance.Own{}, err
	}
	suite, err := session.LoadSuite("", catalogue)
	if err != nil {
		return conformance.Own{}, err
	}
	proven, err := spec.Proof()
	if err != nil {
		return conformance.Own{}, cli.WithCode(verdict.ExitHarness, err)
	}
	return conformance.Own{
		Suite: record.Suite{
			Version: currentVersion(), Contract: contract.Digest(), Catalogue: catalogue.Digest(), Features: suite.Digest(),
		},
		Catalogue: catalogue, Proven: proven, Scenarios: suite.Scenarios(),
		NotApplicable: func(at time.Time) map[string]string { return steps.NotApplicable(contract, catalogue, at) },
	}, nil
}

func (a *app) tellVerified(v *verified, o verifyOptions) error {
	if o.asJSON {
		out := json.NewEncoder(a.Stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(v)
	}
	var b strings.Builder
	for _, c := range v.Checks {
		fmt.Fprintf(&b, "%-9s  %-9s  %s\n", c.State, c.Name, text.Printable(c.Says))
		if c.Remedy != "" {
			fmt.Fprintf(&b, "%-9s  %-9s  → %s\n", "", "", text.Printable(c.Remedy))
		}
	}
	b.WriteString("\n" + v.conclusion() + "\n")
	if v.failed == 0 {
		b.WriteString(said(v.report))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

// conclusion is the line that says how far the report can be relied on.
func (v *verified) conclusion() string {
	if v.failed > 0 {
		return "The report cannot be relied on."
	}
	begin := ""
	switch v.Signature {
	case conformance.Unchecked:
		begin = "The signature was NOT checked, so anyone could have changed this report."
	case conformance.Absent:
		begin = "The report is NOT signed, so anyone could have written it."
	case conformance.Good, conformance.Bad:
	}
	switch {
	case begin != "" && v.unchecked > 0:
		return begin + " It contradicts nothing, but not all of it could be checked; it says:"
	case begin != "":
		return begin + " It contradicts nothing; it says:"
	case v.unchecked > 0:
		return "Nothing in the report is false, but not all of it could be checked. It says:"
	}
	return "The report is sound. It says:"
}

// said is what a report says, for a person.
func said(r *conformance.Report) string {
	i := r.Implementation
	what := strings.TrimSpace(i.Project + " " + i.Version)
	if what == "" {
		what = "an implementation without a name"
	}
	if i.Organization != "" {
		what += " by " + i.Organization
	}
	because := ""
	if r.Result != verdict.Conformant {
		because = "  " + text.Printable(r.Because) + "\n"
	}
	s := fmt.Sprintf("  %s: %s, at %s on %s\n%s  %d of %d must rules conform; asked by hallmark %s, seed %s\n",
		r.Result.Word(), text.Printable(what), text.Printable(r.Target.BaseURL), r.Date.UTC().Format(time.DateOnly), because,
		r.Summary.Must.Conforms, r.Summary.Must.Total, text.Printable(r.Suite.Version), strings.Join(r.Reproduce.Seeds, ", "))
	broken := map[verdict.Verdict][]string{}
	for _, a := range r.Areas {
		for _, f := range a.Failed {
			broken[f.Verdict] = append(broken[f.Verdict], f.Rule)
		}
	}
	for _, v := range []verdict.Verdict{verdict.Violated, verdict.Intermittent, verdict.Deviates, verdict.Warned} {
		if len(broken[v]) > 0 {
			s += "  " + string(v) + ": " + strings.Join(broken[v], ", ") + "\n"
		}
	}
	for _, caveat := range r.Caveats {
		s += "  " + text.Printable(caveat) + "\n"
	}
	return s
}
