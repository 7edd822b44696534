package spec

import (
	"encoding/json"
	"fmt"
)

// Proven is the result of "hallmark prove": how many seeded faults the suite finds and how many legal freedoms it accepts. The lists name
// the exceptions.
type Proven struct {
	// Features, Contract and Catalogue are the digests of what was proven.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`

	// Faults is the number of services with one fault each. Killed were found, Diagnosed were found with the rule that they violate, and
	// Leading with that rule as the first cause.
	Faults    int `json:"faults"`
	Killed    int `json:"killed"`
	Diagnosed int `json:"diagnosed"`
	Leading   int `json:"leading"`
	// LedAtLeast is the required minimum of Leading: for some faults, the leading rule depends on chance.
	LedAtLeast int `json:"ledAtLeast"`
	// OneCause is how many were reported as one cause, OneCauseAtLeast the required minimum.
	OneCause        int `json:"oneCause"`
	OneCauseAtLeast int `json:"oneCauseAtLeast"`
	// Freedoms is the number of unusual but legal services; Accepted had no findings.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// Rules is the number of testable must rules; Covered have a fault.
	Rules   int `json:"rules"`
	Covered int `json:"covered"`
	// Catalogued is the number of all rules of the catalogue, of any level.
	Catalogued int `json:"catalogued"`

	// Survived and Misdiagnosed list faults, Accused freedoms, Uncovered must rules without a fault, and Idle scenarios that found no fault.
	Survived     []string `json:"survived"`
	Misdiagnosed []string `json:"misdiagnosed"`
	Accused      []string `json:"accused"`
	Uncovered    []string `json:"uncovered"`
	Idle         []string `json:"idle"`
	// Misled maps faults that another rule leads to that rule.
	Misled map[string]string `json:"misled"`
	// Several maps faults that were not reported as one cause to the rules of their causes.
	Several map[string][]string `json:"several,omitempty"`
	// Quick is a small part of the suite that finds the same faults, or nil if none was determined.
	Quick *Quick `json:"quick,omitempty"`
}

// Quick is the part of a suite for quick runs.
type Quick struct {
	// Found is how many faults it finds by the rule that they violate, Accepted how many freedoms it accepts.
	Found    int `json:"found"`
	Accepted int `json:"accepted"`
	// Missed lists the faults that only the whole suite finds.
	Missed []string `json:"missed,omitempty"`
	// Part is the work of judging the clean service with this part, Whole with the whole suite.
	Part  Work `json:"part"`
	Whole Work `json:"whole"`
	// Finds maps the ids of its scenarios to the faults for which they were chosen.
	Finds map[string][]string `json:"finds"`
}

// Work is the work of a run.
type Work struct {
	Scenarios    int   `json:"scenarios"`
	Exchanges    int   `json:"exchanges"`
	Milliseconds int64 `json:"milliseconds"`
}

// Finders maps faults to the scenarios of the quick part that were chosen for them.
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

// ReadProof decodes a proof.
func ReadProof(data []byte) (Proven, error) {
	var p Proven
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the proof cannot be read: %w", err)
	}
	return p, nil
}

// Sentence returns the figures in one line.
func (p Proven) Sentence() string {
	return fmt.Sprintf("This suite finds %d of %d seeded faults, %d by the rule that they break, and accepts %d of %d legal freedoms.",
		p.Killed, p.Faults, p.Diagnosed, p.Accepted, p.Freedoms)
}

// Of reports whether the proof is for the features with this digest.
func (p Proven) Of(features string) bool { return p.Features == features && features != "" }
