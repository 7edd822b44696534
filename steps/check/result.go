package check

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Result is the result of a check: findings, and the ids of the rules that it judged, broken or kept. Rules that it could not judge are in
// neither.
type Result struct {
	Findings  []spec.Finding
	Exercised []string
	// Unjudged lists places of the document by which a value could not be judged, each with the rule that this leaves undecided.
	Unjudged []spec.Unjudged
}

// Kept records that the response could have broken a rule but did not.
func (j *Result) Kept(rule string) { j.Exercised = append(j.Exercised, rule) }

// Find adds a finding, and records that its rule was judged.
func (j *Result) Find(f spec.Finding) {
	j.Findings = append(j.Findings, f)
	j.Exercised = append(j.Exercised, f.Rule)
}

// Breaks reports whether a rule was found broken.
func (j *Result) Breaks(rule string) bool {
	return slices.ContainsFunc(j.Findings, func(f spec.Finding) bool { return f.Rule == rule })
}
