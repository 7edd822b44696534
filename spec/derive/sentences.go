package derive

import (
	"strconv"
	"strings"

	"hallmark/spec/sentence"
)

// What derived scenarios say, as steps.
const (
	NoBody    = "there is no body"
	EmptyBody = "the body is empty"
	BlankBody = "the body is blank"

	BodyIs        sentence.Sentence = "the body is {json}"
	MemberIs      sentence.Sentence = "a plain body where {member} is {value}"
	MemberCalled  sentence.Sentence = "a plain body where {member} is called {member}"
	WithoutMember sentence.Sentence = "a plain body without {member}"
	ContentTypeIs sentence.Sentence = "the Content-Type is {media}"
	CredentialIs  sentence.Sentence = "the credential is {words}"
	// PlainBody stands before one of [Damages].
	PlainBody = "a plain body "

	StatusIs     sentence.Sentence = "the response is {statuses}"
	EachStatusIs sentence.Sentence = "each response is {statuses}"
	// OwnChoice is for what the interface leaves to the service.
	OwnChoice                    = "the response is the service's own choice"
	ComesBack                    = "what was sent comes back"
	IfAccepted                   = ", if it was accepted"
	IsSent     sentence.Sentence = "its {member} is what was sent"
	HeldByThat                   = "it is what that response held"
)

// statusIs is the step that judges the status.
func statusIs(statuses ...int) string {
	texts := make([]string, len(statuses))
	for i, s := range statuses {
		texts[i] = strconv.Itoa(s)
	}
	return StatusIs.Write(strings.Join(texts, " or "))
}
