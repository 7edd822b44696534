package record

import (
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Proof is what "hallmark prove" measured of the suite: services with seeded faults, which it finds, and legal services, which it accepts.
// It is part of the record so that a later report shows what was true at the time.
type Proof struct {
	// Contract, Catalogue and Features are the digests of the proven suite.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// MaxCreated is the number of resources that the proof might create.
	MaxCreated int `json:"maxCreated,omitempty"`

	// Faults is the number of services that break one rule each. Killed is the number found, Diagnosed the number found with their own rule
	// among those reported, and Led the number found with their own rule first.
	Faults    int `json:"faults"`
	Killed    int `json:"killed"`
	Diagnosed int `json:"diagnosed"`
	Led       int `json:"led"`
	// Freedoms is the number of unusual but legal services, Accepted the number that got no findings.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// MustRules is the number of testable must rules, WithFault the number that a fault breaks.
	MustRules int `json:"mustRules"`
	WithFault int `json:"withFault"`
	// Quick is the proof of a quick run's part of the suite, or nil if there is none.
	Quick *QuickProof `json:"quick,omitempty"`
}

// QuickProof is what the quick part of a suite was proven to detect, and its cost compared with the whole suite.
type QuickProof struct {
	// Found is the number of faults whose broken rule it finds, Accepted the number of freedoms that it accepts.
	Found    int `json:"found"`
	Accepted int `json:"accepted"`
	// Part and Whole are the costs of judging the reference service with the quick part and with the whole suite.
	Part  spec.Work `json:"part"`
	Whole spec.Work `json:"whole"`
}

// NewProof returns the figures of a proof with that many resources.
func NewProof(p spec.Proven, created int) *Proof {
	proof := &Proof{
		Contract: p.Contract, Catalogue: p.Catalogue, Features: p.Features, MaxCreated: created,
		Faults: p.Faults, Killed: p.Killed, Diagnosed: p.Diagnosed, Led: p.Leading,
		Freedoms: p.Freedoms, Accepted: p.Accepted, MustRules: p.Rules, WithFault: p.Covered,
	}
	if q := p.Quick; q != nil {
		proof.Quick = &QuickProof{Found: q.Found, Accepted: q.Accepted, Part: q.Part, Whole: q.Whole}
	}
	return proof
}

// QuickFigures completes a sentence about a quick run of the proven suite.
func (p *Proof) QuickFigures() string {
	q := p.Quick
	return fmt.Sprintf("finds %s of %s by the rule that they break and accepts %s of %s, with %s of %s scenarios: %s of %s exchanges, and %s of %s ms on the reference service",
		text.Number(q.Found), text.Count(p.Faults, "seeded fault"), text.Number(q.Accepted), text.Count(p.Freedoms, "legal freedom"),
		text.Number(q.Part.Scenarios), text.Number(q.Whole.Scenarios), text.Number(q.Part.Exchanges), text.Number(q.Whole.Exchanges),
		text.Number(int(q.Part.Milliseconds)), text.Number(int(q.Whole.Milliseconds)))
}

// Figures completes a sentence about the proven suite.
func (p *Proof) Figures() string {
	return fmt.Sprintf("finds %s of %s, %s by the rule that they break, and accepts %s of %s",
		text.Number(p.Killed), text.Count(p.Faults, "seeded fault"), text.Number(p.Diagnosed), text.Number(p.Accepted), text.Count(p.Freedoms, "legal freedom"))
}

// Others names the parts of a suite that differ from the proven ones.
func (p *Proof) Others(s Suite) []string {
	var all []string
	for _, part := range []struct{ name, proven, judged string }{
		{"contract", p.Contract, s.Contract}, {"rules", p.Catalogue, s.Catalogue}, {"features", p.Features, s.Features},
	} {
		if part.judged == "" || part.judged != part.proven {
			all = append(all, part.name)
		}
	}
	return all
}
