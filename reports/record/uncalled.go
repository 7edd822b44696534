package record

// Uncalled is an operation of the contract that a run does not call, or cannot see succeed.
type Uncalled struct {
	Operation string `json:"operation"`
	// Reason says why: "the run is read-only".
	Reason string `json:"reason"`
	// Remedy says how to supply the missing credential. It is empty if the operation is left out for a reason beyond the user's control.
	Remedy string `json:"remedy,omitempty"`
}
