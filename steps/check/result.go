package check

import (
	"slices"

	"hallmark/spec"
)

// Result is what a check found out: findings, and the ids of the rules that it judged, broken or kept. What it could not
// judge is in neither.
type Result struct {
	Findings  []spec.Finding
	Exercised []string
	// Unjudged are places of the document that a value could not be judged by, each with the rule that this leaves open.
	Unjudged []spec.Unjudged
}

// Kept counts that the response could have broken a rule, and did not.
func (j *Result) Kept(rule string) { j.Exercised = append(j.Exercised, rule) }

// Find adds a finding, and counts that its rule was judged.
func (j *Result) Find(f spec.Finding) {
	j.Findings = append(j.Findings, f)
	j.Exercised = append(j.Exercised, f.Rule)
}

// Breaks reports whether a rule was found broken.
func (j *Result) Breaks(rule string) bool {
	return slices.ContainsFunc(j.Findings, func(f spec.Finding) bool { return f.Rule == rule })
}
