package spec

// Opinion is what a second judge says about a finding that is based on a schema.
type Opinion struct {
	// Says is whether it agrees.
	Says Agreement `json:"says"`
	// Reason is its explanation, in its own words.
	Reason string `json:"reason,omitempty"`
	// Known is the id of a known difference between the judges, which does not affect the finding.
	Known string `json:"known,omitempty"`
}

// Agreement is whether a second judge agrees with a finding.
type Agreement string

const (
	// Agreed means that the second judge finds the same.
	Agreed Agreement = "agrees"
	// Disputed means that the second judge finds the value valid.
	Disputed Agreement = "differs"
	// Unsettled means that the second judge does not check this.
	Unsettled Agreement = "cannot tell"
)

// Doubts reports whether the opinion makes a finding doubtful: the second judge disagrees for an unknown reason.
func (o Opinion) Doubts() bool { return o.Says == Disputed && o.Known == "" }
