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

// Envelope returns the rules that a response with a status violates without a body, with a body that is not JSON, or with an undocumented
// media type.
func Envelope(status int) (body, json, media string) {
	if status >= 400 {
		return RuleErrorBody, RuleErrorBody, RuleMediaType
	}
	return RuleBody, RuleJSON, RuleMediaType
}

// isEnvelope reports whether a rule is about the envelope of a value: its pointers contain schemas that it does not own.
func isEnvelope(rule string) bool {
	return slices.Contains([]string{RuleStatus, RuleBody, RuleMediaType, RuleJSON}, rule)
}
