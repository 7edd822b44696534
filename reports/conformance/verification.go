package conformance

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// Verification is the result of checking a report.
type Verification struct {
	// Sound reports whether nothing in the report is false, and nothing was left unchecked, including its signature.
	Sound bool `json:"sound"`
	// Signature is the state of the check of the signature; empty if the report could not be read.
	Signature State `json:"signature,omitempty"`
	// Result is what the report says; empty if it is false.
	Result verdict.Verdict `json:"result,omitempty"`
	Checks []Check         `json:"checks"`

	report *Report
	// failed and unchecked count checks, except that of the signature if no key was given for it.
	failed, unchecked int
}

// Verify checks the text of a report against our own suite, and its signature if a key is given.
func Verify(text []byte, own Own, key ed25519.PublicKey, now time.Time) *Verification {
	v := &Verification{}
	document, err := read(text)
	if err != nil {
		v.Checks = []Check{{Name: "schema", State: Bad, Says: strings.NewReplacer(":\n", ": ", "\n", "; ").Replace(err.Error())}}
	} else {
		v.report, v.Checks = document.Report, document.verify(own, key, now)
	}
	v.failed, v.unchecked = summarize(v.Checks)
	for _, c := range v.Checks {
		if c.Name == signatureCheck {
			v.Signature = c.State
		}
	}
	v.Sound = v.failed+v.unchecked == 0 && v.Signature == Good
	if v.Signature == Unchecked {
		v.unchecked--
	}
	if v.failed == 0 {
		v.Result = v.report.Result
	}
	return v
}

// False reports whether anything in the report is false.
func (v *Verification) False() bool { return v.failed > 0 }

// Incomplete reports whether a check could not be made, except that of the signature if no key was given for it.
func (v *Verification) Incomplete() bool { return v.unchecked > 0 }

// Unvouched explains why nobody vouches for the report, and what to do, or returns "".
func (v *Verification) Unvouched() (why, remedy string) {
	switch v.Signature {
	case Unchecked:
		return "the signature was not checked, so anyone could have changed the report", "give the public key of the vendor with --key FILE"
	case Absent:
		return "the report is not signed, so anyone could have written it", "ask the vendor for a signed one"
	case Good, Bad:
	}
	return "", ""
}

// JSON writes the checks as JSON.
func (v *Verification) JSON(w io.Writer) error {
	return jsonout.Encode(w, v)
}

// Text writes the checks and a conclusion for people, and the content of the report if nothing in it is false.
func (v *Verification) Text(w io.Writer) error {
	var b strings.Builder
	for _, c := range v.Checks {
		fmt.Fprintf(&b, "%-9s  %-9s  %s\n", c.State, c.Name, text.Visible(c.Says))
		if c.Remedy != "" {
			fmt.Fprintf(&b, "%-9s  %-9s  → %s\n", "", "", text.Visible(c.Remedy))
		}
	}
	b.WriteString("\n" + v.conclusion() + "\n")
	if v.failed == 0 {
		b.WriteString(said(v.report))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// conclusion returns the line that states how reliable the report is.
func (v *Verification) conclusion() string {
	if v.failed > 0 {
		return "The report cannot be relied on."
	}
	begin := ""
	switch v.Signature {
	case Unchecked:
		begin = "The signature was NOT checked, so anyone could have changed this report."
	case Absent:
		begin = "The report is NOT signed, so anyone could have written it."
	case Good, Bad:
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

// said returns the content of a report for people.
func said(r *Report) string {
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
		because = "  " + text.Visible(r.Because) + "\n"
	}
	s := fmt.Sprintf("  %s: %s, at %s on %s\n%s  %d of %d must rules conform; tested by hallmark %s, seed %s\n",
		r.Result.Word(), text.Visible(what), text.Visible(r.Target.BaseURL), r.Date.UTC().Format(time.DateOnly), because,
		r.Summary.Must.Conforms, r.Summary.Must.Total, text.Visible(r.Suite.Version), strings.Join(r.Reproduce.Seeds, ", "))
	broken := map[verdict.Verdict][]string{}
	for _, a := range r.Areas {
		for _, f := range a.Failed {
			broken[f.Verdict] = append(broken[f.Verdict], f.Rule)
		}
	}
	for _, v := range []verdict.Verdict{verdict.Violated, verdict.Doubtful, verdict.Intermittent, verdict.Deviates, verdict.Warned} {
		if len(broken[v]) > 0 {
			s += "  " + string(v) + ": " + strings.Join(broken[v], ", ") + "\n"
		}
	}
	for _, caveat := range r.Caveats {
		s += "  " + text.Visible(caveat) + "\n"
	}
	return s
}
