package spec

import "slices"

// The rules for every response before the schema of its body is checked. Each catalogue has them.
const (
	// RuleStatus is about the status, RuleBody about having a body, RuleMediaType about its media type, RuleJSON about valid JSON, and
	// RuleErrorBody about all of these in an error response.
	RuleStatus    = "answer.status"
	RuleBody      = "answer.body"
	RuleMediaType = "answer.media-type"
	RuleJSON      = "answer.json"
	RuleErrorBody = "error.body"
)

// isEnvelope reports whether a rule is about the envelope of a value: its pointers contain schemas that it does not own.
func isEnvelope(rule string) bool {
	return slices.Contains([]string{RuleStatus, RuleBody, RuleMediaType, RuleJSON}, rule)
}
