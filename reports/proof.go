package reports

import (
	"fmt"
	"strings"

	"hallmark/spec"
)

// Proof is what the suite was proven to see, by "hallmark prove": services with seeded faults that it finds, and legal
// ones that it accepts. It belongs to the record, so that a report that is made later tells what held then.
type Proof struct {
	// Contract, Catalogue and Features are the digests of the suite that was proven.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Examples is by how many generated bodies it was proven, MaxAnimals how many animals it might create.
	Examples   int `json:"examples,omitempty"`
	MaxAnimals int `json:"maxAnimals,omitempty"`

	// Faults are services that break one rule each. Of these, Killed were found, Diagnosed with their own rule named, Led
	// with their own rule first.
	Faults    int `json:"faults"`
	Killed    int `json:"killed"`
	Diagnosed int `json:"diagnosed"`
	Led       int `json:"led"`
	// Freedoms are unusual and legal services, of which Accepted had nothing held against them.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// MustRules are those that can be tested, of which WithFault have a fault that breaks them.
	MustRules int `json:"mustRules"`
	WithFault int `json:"withFault"`
}

// NewProof takes the figures of a proof that was made with so many examples and animals.
func NewProof(p spec.Proven, examples, animals int) *Proof {
	return &Proof{
		Contract: p.Contract, Catalogue: p.Catalogue, Features: p.Features, Examples: examples, MaxAnimals: animals,
		Faults: p.Faults, Killed: p.Killed, Diagnosed: p.Diagnosed, Led: p.Leading,
		Freedoms: p.Freedoms, Accepted: p.Accepted, MustRules: p.Rules, WithFault: p.Covered,
	}
}

// ProofStanding says whether the proof holds for a run.
type ProofStanding struct {
	// Holds reports whether the whole suite judged, as it was proven.
	Holds bool `json:"holds"`
	// Because says what is different, when it does not hold.
	Because string `json:"because,omitempty"`
	// Says tells the proof, or the lack of it, in a sentence or two.
	Says string `json:"says"`
}

// standProof says what the proof is worth for a run; nil when the record holds none.
func standProof(rec *Record, res *Result) *ProofStanding {
	p := rec.Proof
	switch {
	case p == nil:
		return nil
	case p.Faults == 0:
		return &ProofStanding{Because: "nothing was proven yet", Says: "Nothing was proven of this suite yet."}
	}
	if other := p.others(rec.Suite); len(other) > 0 {
		because := "its " + enumerate(other) + " differ"
		if len(other) == 1 && other[0] == "contract" {
			because = "its contract differs"
		}
		return &ProofStanding{Because: because, Says: "This suite is not the one that was proven: " + because + ". That one " + p.figures() + "."}
	}
	if left := p.leftOut(rec, res); left != "" {
		return &ProofStanding{Because: left, Says: "Only a part of the suite judged: " + left + ". The whole " + p.figures() + "."}
	}
	if n := len(rec.Shards); n > 0 {
		because := "it was divided among " + plural(n, "shard")
		return &ProofStanding{Because: because, Says: "The whole suite judged, but " + because +
			", which hides what shows only after many requests. As one it " + p.figures() + "."}
	}
	return &ProofStanding{Holds: true, Says: "This suite " + p.figures() + "."}
}

// figures completes a sentence about the suite that was proven.
func (p *Proof) figures() string {
	return fmt.Sprintf("finds %s of %s, %s by the rule that they break, and accepts %s of %s",
		itoa(p.Killed), plural(p.Faults, "seeded fault"), itoa(p.Diagnosed), itoa(p.Accepted), plural(p.Freedoms, "legal freedom"))
}

// others names the parts of a suite that are not those that were proven.
func (p *Proof) others(s Suite) []string {
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

// leftOut says why not all of the suite judged; empty when all did.
func (p *Proof) leftOut(rec *Record, res *Result) string {
	missed := res.Count(NotExercised, spec.Must)
	switch {
	case rec.Options.Shard != "":
		return "this is shard " + visible(rec.Options.Shard)
	case filtered(rec):
		return "the run was asked for no more"
	case rec.Lost != "":
		return "the target was lost"
	case !rec.Complete:
		return "the run was ended before its end"
	case rec.Target.ReadOnly:
		return "the run was read-only"
	case rec.Options.Examples > 0 && rec.Options.Examples < p.Examples:
		return "it tried " + plural(rec.Options.Examples, "example") + ", and was proven with " + itoa(p.Examples)
	case rec.Options.MaxAnimals > 0 && rec.Options.MaxAnimals-rec.Options.Reserved < p.MaxAnimals:
		return "it might create " + plural(rec.Options.MaxAnimals-rec.Options.Reserved, "animal") + ", and was proven with " + itoa(p.MaxAnimals)
	case missed > 0:
		return plural(missed, "must rule") + " " + were(missed) + " not exercised"
	}
	return ""
}

// enumerate joins words: "contract, rules and features".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
