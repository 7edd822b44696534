package spec

import (
	"encoding/json"
	"fmt"
)

// Proven says what the suite was last proven to see, by "hallmark prove": how many seeded faults it finds, and how many
// legal freedoms it accepts. The lists hold the exceptions by name.
type Proven struct {
	// Features is the digest of the features that were proven, Contract and Catalogue those of what they ask about.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`

	// Faults are services that break one rule each. Of these, Killed were found, Diagnosed were found with their own rule
	// named, and Leading with their own rule as the first cause.
	Faults    int `json:"faults"`
	Killed    int `json:"killed"`
	Diagnosed int `json:"diagnosed"`
	Leading   int `json:"leading"`
	// LedAtLeast is how many must be led by their own rule: which rule leads depends on chance for some.
	LedAtLeast int `json:"ledAtLeast"`
	// OneCause is how many were told as one cause, OneCauseAtLeast how many must be.
	OneCause        int `json:"oneCause"`
	OneCauseAtLeast int `json:"oneCauseAtLeast"`
	// Freedoms are unusual and legal services, of which Accepted had nothing held against them.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// Rules are the must rules that can be tested, of which Covered have a fault.
	Rules   int `json:"rules"`
	Covered int `json:"covered"`
	// Catalogued are all rules of the catalogue, whatever their level.
	Catalogued int `json:"catalogued"`

	// Survived and Misdiagnosed name faults, Accused freedoms, Uncovered must rules without a fault, Idle scenarios that
	// found no fault.
	Survived     []string `json:"survived"`
	Misdiagnosed []string `json:"misdiagnosed"`
	Accused      []string `json:"accused"`
	Uncovered    []string `json:"uncovered"`
	Idle         []string `json:"idle"`
	// Misled names the faults that another rule leads, with that rule.
	Misled map[string]string `json:"misled"`
	// Several names the faults that were not told as one cause, with the rules of their causes.
	Several map[string][]string `json:"several,omitempty"`
	// Quick is a small part of the suite that finds the same faults; nil when none was looked for.
	Quick *Quick `json:"quick,omitempty"`
}

// Quick is the part of a suite that a quick run plays.
type Quick struct {
	// Found are the faults of which it finds the rule that they break, and Accepted the freedoms that it accepts.
	Found    int `json:"found"`
	Accepted int `json:"accepted"`
	// Missed names the faults that only the whole suite finds.
	Missed []string `json:"missed,omitempty"`
	// Part is what it takes to judge the clean service by this part, and Whole what it takes to judge it by the whole suite.
	Part  Work `json:"part"`
	Whole Work `json:"whole"`
	// Finds are the scenarios of the part by their ids, each with the faults for which it was chosen.
	Finds map[string][]string `json:"finds"`
}

// Work is what a run takes.
type Work struct {
	Scenarios    int   `json:"scenarios"`
	Exchanges    int   `json:"exchanges"`
	Milliseconds int64 `json:"milliseconds"`
}

// Finders are the scenarios of the quick part by the faults for which they were chosen.
func (p Proven) Finders() map[string]string {
	all := map[string]string{}
	if p.Quick == nil {
		return all
	}
	for id, faults := range p.Quick.Finds {
		for _, name := range faults {
			all[name] = id
		}
	}
	return all
}

// ReadProof reads what a proof wrote.
func ReadProof(data []byte) (Proven, error) {
	var p Proven
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the proof cannot be read: %w", err)
	}
	return p, nil
}

// Sentence returns the figures in a line.
func (p Proven) Sentence() string {
	return fmt.Sprintf("This suite finds %d of %d seeded faults, %d by the rule that they break, and accepts %d of %d legal freedoms.",
		p.Killed, p.Faults, p.Diagnosed, p.Accepted, p.Freedoms)
}

// Of reports whether the proof is of the features with that digest; otherwise they changed since.
func (p Proven) Of(features string) bool { return p.Features == features && features != "" }
