package record

import "slices"

// Suggestion is a line for a file of values that may make an operation succeed that never did.
type Suggestion struct {
	Operation string `json:"operation"`
	// Key names the place of the value as a file of values does, and Example is a value of its type as JSON. Both are empty if no value is known to
	// help.
	Key     string `json:"key,omitempty"`
	Example string `json:"example,omitempty"`
	// Says is what the service said, or why nothing was sent.
	Says string `json:"says"`
	// After is an operation that must succeed first, or empty.
	After string `json:"after,omitempty"`
}

// PlusSuggestions adds the suggestions of another part of a run, without those that are known already.
func PlusSuggestions(all, more []Suggestion) []Suggestion {
	all = slices.Clone(all)
	for _, one := range more {
		if !slices.ContainsFunc(all, func(known Suggestion) bool { return known.Operation == one.Operation && known.Key == one.Key }) {
			all = append(all, one)
		}
	}
	return all
}
