package spec

// Opinion is what a second judge says of a finding that rests on a schema.
type Opinion struct {
	// Says is whether it agrees.
	Says Agreement `json:"says"`
	// Reason is, in its own words, what it finds or does not find, or why it cannot tell.
	Reason string `json:"reason,omitempty"`
	// Known is the id of a difference between the judges that is known; the finding stands all the same.
	Known string `json:"known,omitempty"`
}

// Agreement says whether a second judge agrees with a finding.
type Agreement string

const (
	// Agreed says that the second judge finds the same.
	Agreed Agreement = "agrees"
	// Disputed says that by its judgement the finding is wrong.
	Disputed Agreement = "differs"
	// Unsettled says that it does not judge what the finding rests on.
	Unsettled Agreement = "cannot tell"
)

// Doubts reports whether the opinion makes a finding doubtful: the second judge differs, and nobody knows why.
func (o Opinion) Doubts() bool { return o.Says == Disputed && o.Known == "" }
