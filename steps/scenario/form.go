package scenario

// Form is a step before its pattern is compiled.
type Form struct {
	Pattern string
	Do      any
	// Creates is how many resources the step creates when all is as it should be, where that is reserved beforehand; may be nil.
	Creates func(*Run) int
}
