package wire

import "errors"

// Reason says why a value cannot be written, or a text cannot be read.
type Reason int

const (
	// Unsupported means that hallmark does not write or read this kind of content or style.
	Unsupported Reason = iota
	// Undefined means that OpenAPI does not say how such a value is written.
	Undefined
	// Uncarriable means that the place cannot hold such a text.
	Uncarriable
	// Malformed means that the text that was read breaks the rules of its format.
	Malformed
	// TooLarge means that there is more of it than is read: a limit of hallmark's, and no defect of the text.
	TooLarge
)

// Error is why a value cannot be written, or a text cannot be read.
type Error struct {
	Reason Reason
	// Place is where in the value or text ("part 2 (avatar)", "line 7"); empty for the whole.
	Place string
	// Text completes the sentence, without the place.
	Text string
}

// Error returns the sentence, with the place in front.
func (e *Error) Error() string {
	if e.Place == "" {
		return e.Text
	}
	return e.Place + ": " + e.Text
}

// ReasonOf returns the reason that an error of this package gives; false for any other error.
func ReasonOf(err error) (Reason, bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason, true
	}
	return 0, false
}

// within returns err with a place in front of its own.
func within(place string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return &Error{Reason: Malformed, Place: place, Text: err.Error()}
	}
	if e.Place != "" {
		place += ", " + e.Place
	}
	return &Error{Reason: e.Reason, Place: place, Text: e.Text}
}
