package scenario

// Form is one form of a step.
type Form struct {
	// Pattern is a regular expression that the whole text of the step matches.
	Pattern string
	// Do is the function that godog calls: with a context and a string for each group of the pattern, it returns an error.
	Do any
	// Creates is how many resources the step creates when all is as it should be, where that is reserved beforehand; may be nil.
	Creates func(*Run) int
	// Says returns, by the groups of the pattern, what the step says that a contract may not allow, as data for
	// [Interface.Unfit]; may be nil.
	Says func(groups []string) any
}
