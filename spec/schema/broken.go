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
	// name is the property that it is about, if any.
	name             string
	expected, actual any
}

// KeywordPath names the keyword, as the validator asks of its errors.
func (b *broken) KeywordPath() []string { return []string{b.keyword} }

// LocalizedString is empty: texts are made elsewhere, of values.
func (b *broken) LocalizedString(*message.Printer) string { return "" }

// alternatives is the error that the validator gives for an anyOf or oneOf of which nothing fits.
func alternatives(keyword string) jsonschema.ErrorKind {
	if keyword == "oneOf" {
		return &kind.OneOf{}
	}
	return &kind.AnyOf{}
}
