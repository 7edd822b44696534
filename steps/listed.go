package steps

import (
	"hallmark/steps/vocabulary"
)

// Listed is a step as people look it up.
type Listed struct {
	// Group is the heading that it stands under, Example a text that it reads, Means what it does.
	Group   string `json:"group"`
	Example string `json:"example"`
	Means   string `json:"means"`
	// Pattern is the regular expression that the text of a step matches.
	Pattern string `json:"pattern"`
}

// Vocabulary returns the steps that features over any contract may use, in the order of their headings.
func Vocabulary() []Listed {
	var all []Listed
	for _, f := range vocabulary.Described() {
		if f.Group != vocabulary.Brought {
			all = append(all, Listed{Group: f.Group, Example: f.Example, Means: f.Means, Pattern: f.Pattern})
		}
	}
	return all
}
