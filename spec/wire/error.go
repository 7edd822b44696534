package wire

import (
	"errors"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Reason says why a value cannot be serialized, or a text cannot be parsed.
type Reason int

const (
	// Unsupported means that hallmark does not support this kind of content or style.
	Unsupported Reason = iota
	// Undefined means that OpenAPI does not define how such a value is serialized.
	Undefined
	// Uncarriable means that such a text cannot be sent in its place.
	Uncarriable
	// Malformed means that the text violates the rules of its format.
	Malformed
	// TooLarge means that the text exceeds a limit of hallmark's, which is no defect of the text.
	TooLarge
)

// Error is the reason why a value cannot be serialized or a text cannot be parsed.
type Error struct {
	Reason Reason
	// Place is the place in the value or text ("part 2 (avatar)", "line 7"); empty for the whole.
	Place string
	// Text is the sentence without the place.
	Text string
}

// Error returns the sentence, prefixed with the place.
func (e *Error) Error() string {
	if e.Place == "" {
		return e.Text
	}
	return e.Place + ": " + e.Text
}

// ReasonOf returns the reason of an error of this package; false for any other error.
func ReasonOf(err error) (Reason, bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason, true
	}
	return 0, false
}

// withPlace returns err with a place added in front.
func withPlace(place string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return &Error{Reason: Malformed, Place: place, Text: err.Error()}
	}
	if e.Place != "" {
		place += ", " + e.Place
	}
	return &Error{Reason: e.Reason, Place: place, Text: e.Text}
}

func dotSegment(segment string) error {
	return &Error{Reason: Uncarriable, Text: "clients and servers remove a path segment that is " + text.Quote(segment)}
}
