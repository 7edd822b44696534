package record

// Uncalled is an operation of the contract that a run does not call, or of which it can see no success.
type Uncalled struct {
	Operation string `json:"operation"`
	// Reason says why: "the run is read-only".
	Reason string `json:"reason"`
	// Remedy says how to give the credential that is missing; empty of an operation that is held back for another reason, which is no fault of
	// whoever runs the suite.
	Remedy string `json:"remedy,omitempty"`
}
