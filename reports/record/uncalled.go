package record

// Uncalled is an operation of the contract that a run does not call, or that it cannot see succeed.
type Uncalled struct {
	Operation string `json:"operation"`
	// Reason says why: "the run is read-only".
	Reason string `json:"reason"`
	// Remedy says how to give the missing credential; empty if the operation is left out for another reason, for
	// which the user is not to blame.
	Remedy string `json:"remedy,omitempty"`
}
