package steps

import (
	"github.com/hallmark-kit/hallmark/steps/vocabulary"
)

// Listed is a step as listed for users.
type Listed struct {
	// Group is its heading, Example a text that it matches, Means a description.
	Group   string `json:"group"`
	Example string `json:"example"`
	Means   string `json:"means"`
	// Pattern is the regular expression for the text of the step.
	Pattern string `json:"pattern"`
}

// Vocabulary returns the steps that features for any contract may use, in the order of their headings.
func Vocabulary() []Listed {
	var all []Listed
	for _, f := range vocabulary.Described() {
		all = append(all, Listed{Group: f.Group, Example: f.Example, Means: f.Means, Pattern: f.Pattern})
	}
	return all
}
