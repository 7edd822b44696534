package spec

import "slices"

// The rules that every response is judged by before the schema of its body. Each catalogue has them.
const (
	// RuleStatus is about the status, RuleBody about having a body, RuleMediaType about its type, RuleJSON about its being
	// JSON, and RuleErrorBody about all of these in a response that says that the request failed.
	RuleStatus    = "answer.status"
	RuleBody      = "answer.body"
	RuleMediaType = "answer.media-type"
	RuleJSON      = "answer.json"
	RuleErrorBody = "error.body"
)

// Envelope returns the rules that a response with that status breaks when it has no body, one that is no JSON, or another
// media type than the documented one.
func Envelope(status int) (body, json, media string) {
	if status >= 400 {
		return RuleErrorBody, RuleErrorBody, RuleMediaType
	}
	return RuleBody, RuleJSON, RuleMediaType
}

// isEnvelope reports whether a rule is about what is around a value: its pointers hold schemas, but it does not own them.
func isEnvelope(rule string) bool {
	return slices.Contains([]string{RuleStatus, RuleBody, RuleMediaType, RuleJSON}, rule)
}
