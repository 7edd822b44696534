package schema

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/message"
)

// unjudged is the keyword of errors about what cannot be judged. They never leave the package.
const unjudged = "?"

// broken is an error that a rule finds.
type broken struct {
	keyword string
	// name is the property concerned, if any.
	name             string
	expected, actual any
}

// KeywordPath returns the keyword, as the validator requires of its errors.
func (b *broken) KeywordPath() []string { return []string{b.keyword} }

// LocalizedString returns "": texts are made elsewhere, from values.
func (b *broken) LocalizedString(*message.Printer) string { return "" }

// alternatives returns the validator's error for an anyOf or oneOf without a matching branch.
func alternatives(keyword string) jsonschema.ErrorKind {
	if keyword == "oneOf" {
		return &kind.OneOf{}
	}
	return &kind.AnyOf{}
}
