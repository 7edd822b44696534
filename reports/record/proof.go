package record

import (
	"fmt"

	"hallmark/internal/text"
	"hallmark/spec"
)

// Proof is what the suite was proven to detect by "hallmark prove": services with seeded faults, which it finds,
// and legal services, which it accepts. It is part of the record, so that a report made later shows what was true
// at the time.
type Proof struct {
	// Contract, Catalogue and Features are the digests of the suite that was proven.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Examples is by how many generated bodies it was proven, MaxCreated how many resources it might create.
	Examples   int `json:"examples,omitempty"`
	MaxCreated int `json:"maxCreated,omitempty"`

	// Faults are services that break one rule each. Of these, Killed were found, Diagnosed were found with their own
	// rule among those reported, Led with their own rule first.
	Faults    int `json:"faults"`
	Killed    int `json:"killed"`
	Diagnosed int `json:"diagnosed"`
	Led       int `json:"led"`
	// Freedoms are unusual but legal services; Accepted of them got no findings.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// MustRules are the rules that can be tested; for WithFault of them there is a fault that breaks them.
	MustRules int `json:"mustRules"`
	WithFault int `json:"withFault"`
	// Quick is the part of the suite that a quick run plays; nil if none is known.
	Quick *QuickProof `json:"quick,omitempty"`
}

// QuickProof is what the quick part of a suite was proven to detect, and its cost compared with the whole suite.
type QuickProof struct {
	// Found are the faults whose broken rule it finds, Accepted the freedoms that it accepts.
	Found    int `json:"found"`
	Accepted int `json:"accepted"`
	// Part and Whole are the cost of judging the reference service, with the quick part and with the whole suite.
	Part  spec.Work `json:"part"`
	Whole spec.Work `json:"whole"`
}

// NewProof takes the figures of a proof that was made with that many examples and resources.
func NewProof(p spec.Proven, examples, created int) *Proof {
	proof := &Proof{
		Contract: p.Contract, Catalogue: p.Catalogue, Features: p.Features, Examples: examples, MaxCreated: created,
		Faults: p.Faults, Killed: p.Killed, Diagnosed: p.Diagnosed, Led: p.Leading,
		Freedoms: p.Freedoms, Accepted: p.Accepted, MustRules: p.Rules, WithFault: p.Covered,
	}
	if q := p.Quick; q != nil {
		proof.Quick = &QuickProof{Found: q.Found, Accepted: q.Accepted, Part: q.Part, Whole: q.Whole}
	}
	return proof
}

// QuickFigures completes a sentence about a quick run of the suite that was proven.
func (p *Proof) QuickFigures() string {
	q := p.Quick
	return fmt.Sprintf("finds %s of %s by the rule that they break and accepts %s of %s, with %s of %s scenarios: %s of %s exchanges, and %s of %s ms on the reference service",
		text.Number(q.Found), text.Count(p.Faults, "seeded fault"), text.Number(q.Accepted), text.Count(p.Freedoms, "legal freedom"),
		text.Number(q.Part.Scenarios), text.Number(q.Whole.Scenarios), text.Number(q.Part.Exchanges), text.Number(q.Whole.Exchanges),
		text.Number(int(q.Part.Milliseconds)), text.Number(int(q.Whole.Milliseconds)))
}

// Figures completes a sentence about the suite that was proven.
func (p *Proof) Figures() string {
	return fmt.Sprintf("finds %s of %s, %s by the rule that they break, and accepts %s of %s",
		text.Number(p.Killed), text.Count(p.Faults, "seeded fault"), text.Number(p.Diagnosed), text.Number(p.Accepted), text.Count(p.Freedoms, "legal freedom"))
}

// Others names the parts of a suite that differ from those that were proven.
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
