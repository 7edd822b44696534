package conformance

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// State is the result of a check.
type State string

// The states. What could not be checked is neither good nor bad; a report with such a check is not proven to be true.
const (
	Good      State = "ok"
	Bad       State = "failed"
	Unchecked State = "unchecked"
	// Absent: there is nothing to check, or the check was not requested.
	Absent State = "skipped"
)

// signatureCheck is the name of the check of who vouches for a report.
const signatureCheck = "signature"

// Check is one check of a report.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Says is the result on one line. It is safe to print.
	Says string `json:"says"`
	// Remedy is what to do, or "".
	Remedy string `json:"remedy,omitempty"`
}

// Own is the suite of the hallmark that verifies.
type Own struct {
	Suite     record.Suite
	Catalogue *spec.Catalogue
	Proven    spec.Proven
	// Scenarios is how many the features hold.
	Scenarios int
	// NotApplicable are the ids of the rules that do not apply at a time, with the reasons.
	NotApplicable func(time.Time) map[string]string
}

// clockSkew is how far the clock of the reporting machine may be ahead of ours.
const clockSkew = 10 * time.Minute

// verify checks whether a report is true, as far as possible from the report itself. Without a key, it does not check the signature.
func (d *Document) verify(own Own, key ed25519.PublicKey, now time.Time) []Check {
	all := []Check{
		{Name: "schema", State: Good, Says: "it is a conformance report, " + apiVersion},
		d.checkSignature(key),
		d.checkDates(now),
	}
	suite, same := d.checkSuite(own)
	all = append(all, suite, d.checkTotals(), d.checkResult(own, same))
	return append(all, d.checkRules(own, same), d.checkScenarios(own, same), d.checkProof(own, same))
}

// found returns a check for the given mistakes; says is used if there are none.
func found(name string, wrong []string, says string) Check {
	if len(wrong) == 0 {
		return Check{Name: name, State: Good, Says: says}
	}
	more := ""
	if n := len(wrong) - wrongTold; n > 0 {
		wrong, more = wrong[:wrongTold], fmt.Sprintf("; and %d more", n)
	}
	return Check{Name: name, State: Bad, Says: text.Visible(strings.Join(wrong, "; ") + more)}
}

// wrongTold is the maximum number of mistakes shown by a check.
const wrongTold = 4

func (d *Document) checkSignature(key ed25519.PublicKey) Check {
	c, s := Check{Name: signatureCheck, State: Bad}, d.Signature
	switch {
	case s == nil && key == nil:
		c.State, c.Says = Absent, "it is not signed"
		return c
	case s == nil:
		c.Says = "it is not signed, so nobody vouches for it"
		return c
	case key == nil:
		c.State, c.Says, c.Remedy = Unchecked, "it is signed by the key "+s.Key+", but no --key was given to check it", "--key FILE, with the public key that the vendor gave you, checks it"
		return c
	case s.Key != fingerprintOf(key):
		c.Says = "it is signed by the key " + s.Key + ", not by this one, " + fingerprintOf(key)
		return c
	}
	value, err := base64.StdEncoding.Strict().DecodeString(s.Value)
	if err != nil || !ed25519.Verify(key, d.content, value) {
		c.Says = "it was changed after it was signed, or the signature is of something else"
		return c
	}
	c.State, c.Says = Good, "it is as the owner of the key "+s.Key+" signed it"
	return c
}

func (d *Document) checkDates(now time.Time) Check {
	day := func(t time.Time) string { return t.UTC().Format(time.DateOnly) }
	var wrong []string
	if d.Date.After(now.Add(clockSkew)) {
		wrong = append(wrong, "its date, "+d.Date.Format(time.RFC3339)+", is still to come")
	}
	says := "it is dated " + day(d.Date)
	if !d.Expires.IsZero() {
		says += ", and is valid until " + day(d.Expires)
		if !d.Expires.After(d.Date) {
			wrong = append(wrong, "it expires before its own date")
		}
		if !now.Before(d.Expires) {
			wrong = append(wrong, "it expired on "+day(d.Expires))
		}
	}
	return found("dates", wrong, says)
}

// checkSuite compares the digests with those of this hallmark. The rules can only be checked with the same suite.
func (d *Document) checkSuite(own Own) (c Check, same bool) {
	c = Check{Name: "suite", State: Good}
	theirs := d.Suite
	var differ []string
	for _, part := range []struct{ name, their, own string }{
		{"contract", theirs.Contract, own.Suite.Contract}, {"catalogue", theirs.Catalogue, own.Suite.Catalogue}, {"features", theirs.Features, own.Suite.Features},
	} {
		if part.their != part.own {
			differ = append(differ, part.name)
		}
	}
	version := text.Visible(theirs.Version)
	switch {
	case len(differ) == 0 && len(own.Suite.Foreign) > 0:
		c.Says = "its digests are those of the contract that is named here, and what this hallmark (" + text.Visible(own.Suite.Version) + ") derives from it"
		return c, true
	case len(differ) == 0 && len(theirs.Foreign) > 0:
		c.State, c.Says = Bad, "it says that its "+strings.Join(theirs.Foreign, " and ")+" would be foreign, but the digests are those of this hallmark"
	case len(differ) == 0:
		c.Says = "its digests are those of this hallmark (" + text.Visible(own.Suite.Version) + ")"
		return c, true
	case theirs.Version == own.Suite.Version && released(theirs.Version) && len(theirs.Foreign) == 0:
		c.State, c.Says = Bad, "it names hallmark "+version+", and its "+strings.Join(differ, " and ")+" "+isAre(differ)+" not the same there"
	case theirs.Version == own.Suite.Version && len(theirs.Foreign) > 0:
		c.State, c.Says = Unchecked, "its "+strings.Join(theirs.Foreign, " and ")+" "+isAre(theirs.Foreign)+" not hallmark's own, as it says itself, so its lists cannot be checked"
		if slices.Equal(theirs.Foreign, []string{"contract"}) {
			c.Remedy = "--contract FILE, with the OpenAPI document that it was judged by, checks them"
			if len(own.Suite.Foreign) > 0 {
				c.Remedy = "it was judged by another document than the one of --contract, or by other rules beside it (" + strings.Join(differ, ", ") + ")"
			}
		}
	default:
		c.State, c.Says = Unchecked, "it was made by hallmark "+version+", with another suite than this one has ("+text.Visible(own.Suite.Version)+"): "+strings.Join(differ, " and ")
		c.Remedy = "hallmark " + version + " can check its rules"
	}
	return c, false
}

// released reports whether a version names one specific suite.
func released(version string) bool {
	return version != "" && version != "unknown" && !strings.HasSuffix(version, "-dirty")
}

// checkTotals recounts the lists.
func (d *Document) checkTotals() Check {
	var wrong []string
	seen := map[string]bool{}
	for i := range d.Areas {
		a := &d.Areas[i]
		if seen[a.Area] {
			wrong = append(wrong, "the area "+a.Area+" is there twice")
		}
		seen[a.Area] = true
		rules, must := a.tally()
		if rules != a.Rules || must != a.Must {
			wrong = append(wrong, "area "+a.Area+": the totals of its rules are not those of its lists")
		}
		skipped := 0
		for _, s := range a.Skipped {
			skipped += len(s.Scenarios)
		}
		if s := a.Scenarios; s.Total != s.Passed+s.Failed+s.Skipped+s.Errors || s.Skipped != skipped {
			wrong = append(wrong, "area "+a.Area+": the totals of its scenarios do not add up")
		}
	}
	sum := d.sum()
	sum.Exchanges, sum.Created = d.Summary.Exchanges, d.Summary.Created
	if sum != d.Summary {
		wrong = append(wrong, "the summary is not the sum of the areas")
	}
	return found("totals", wrong, fmt.Sprintf("%s, %s and %s add up", text.Count(sum.Rules.Total, "rule"),
		text.Count(sum.Scenarios.Total, "scenario"), text.Count(len(d.Areas), "area")))
}

// checkResult derives the results again.
func (d *Document) checkResult(own Own, same bool) Check {
	var wrong []string
	for i := range d.Areas {
		a := &d.Areas[i]
		if result := a.conclude(d.Mode.Strict); result != a.Result {
			wrong = append(wrong, fmt.Sprintf("area %s says %s, but its lists say %s", a.Area, a.Result, result))
		}
	}
	if result, _ := d.conclude(); result != d.Result {
		wrong = append(wrong, fmt.Sprintf("it says %s, but its content says %s", d.Result, result))
	}
	if bound, _ := d.bound(); good(d.Run.Verdict) && bound == verdict.Violated {
		wrong = append(wrong, fmt.Sprintf("it says that the run was %s, although rules are violated", d.Run.Verdict))
	}
	// Another version may use other words.
	if same && d.Suite.Version == own.Suite.Version && !slices.Equal(d.caveats(), d.Caveats) {
		wrong = append(wrong, "its caveats are not those that follow from the rest")
	}
	return found("result", wrong, string(d.Result)+" is what its lists say")
}

// checkScenarios checks that a run of the whole suite ran all of its scenarios.
func (d *Document) checkScenarios(own Own, same bool) Check {
	asked := d.Summary.Scenarios.Total
	switch {
	case !same:
		return Check{Name: "scenarios", State: Unchecked, Says: "they are those of another suite"}
	case !d.Mode.Whole:
		return Check{Name: "scenarios", State: Absent, Says: text.Count(asked, "scenario") + " of " + text.Number(own.Scenarios) + " ran, as the mode says"}
	}
	var wrong []string
	// Each run also has its preflight.
	if before := max(1, d.Mode.Shards); asked != own.Scenarios+before {
		wrong = append(wrong, fmt.Sprintf("the suite has %d scenarios besides %d that run first, but the report counts %d", own.Scenarios, before, asked))
	}
	return found("scenarios", wrong, "all "+text.Count(own.Scenarios, "scenario")+" of the suite ran")
}

// checkProof compares the figures with those stored for the same suite.
func (d *Document) checkProof(own Own, same bool) Check {
	c := Check{Name: "proof", State: Good, Says: "the proof figures are those of this suite"}
	p, k := d.Proof, own.Proven
	switch {
	case !same:
		c.State, c.Says = Unchecked, "it belongs to another suite"
	case p == nil:
		c.State, c.Says = Absent, "it contains no proof figures"
	case p.Faults != k.Faults || p.Killed != k.Killed || p.Diagnosed != k.Diagnosed || p.Freedoms != k.Freedoms ||
		p.Accepted != k.Accepted || p.MustRules != k.Rules || p.WithFault != k.Covered:
		c.State, c.Says = Bad, "the proof figures are not those of this suite"
	}
	return c
}

// summarize summarizes all checks: whether any failed, and whether any could not be made.
func summarize(all []Check) (failed, unchecked int) {
	for _, c := range all {
		switch c.State {
		case Bad:
			failed++
		case Unchecked:
			unchecked++
		case Good, Absent:
		}
	}
	return failed, unchecked
}
