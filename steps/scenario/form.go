package scenario

import "regexp"

// Form is one form of a step.
type Form struct {
	// Pattern is a regular expression that matches the whole text of the step.
	Pattern string
	// Group is the heading under which the step is listed, Means a sentence that describes it, and Example a text
	// that it matches.
	Group, Means, Example string
	// Do is called with a context and a string for each group of the pattern, and returns an error.
	Do any
}

// Compile compiles the pattern so that it matches the whole text of a step.
func (f Form) Compile() *regexp.Regexp { return regexp.MustCompile("^" + f.Pattern + "$") }
