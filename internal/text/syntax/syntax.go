// Package syntax says where and why a text is not JSON or not YAML, in words for the person who wrote the text. The errors of parsers
// speak of the parser: of tokens, of productions, and of types of this program.
package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// The formats of texts.
const (
	formatJSON = "JSON"
	formatYAML = "YAML"
)

// Error is a mistake in a text.
type Error struct {
	// Format is the format that the text is not in.
	Format string
	// Line and Column count from 1, and columns count characters. Both are 0 if the place is unknown.
	Line, Column int
	// Reason is what is wrong there, without a place.
	Reason string
}

// Error returns the whole sentence.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Summary()
	}
	return fmt.Sprintf("%s, in line %d, column %d", e.Summary(), e.Line, e.Column)
}

// Summary returns the sentence without the place.
func (e *Error) Summary() string { return "it is not " + e.Format + ": " + e.Reason }

// InLine returns the sentence with the column only, for errors that name the line themselves.
func (e *Error) InLine() string {
	if e.Line == 0 {
		return e.Summary()
	}
	return fmt.Sprintf("%s, at column %d", e.Summary(), e.Column)
}

// badCharacter finds the first character that neither format allows. The reason is empty if there is none.
func badCharacter(data []byte) (offset int, reason string) {
	for i, r := range string(data) {
		switch {
		case isInvalid(data[i:], r):
			return i, fmt.Sprintf(notUTF8, data[i])
		case r < ' ' && r != '\t' && r != '\r' && r != '\n', r == 0x7f, r >= 0x80 && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return i, fmt.Sprintf("it contains the control character U+%04X", r)
		}
	}
	return 0, ""
}

// notUTF8 is the format of the reason for a byte that begins no character.
const notUTF8 = "it contains the byte 0x%02x, which is not UTF-8"

// isInvalid reports whether r, decoded from the beginning of data, stands for bytes that are not UTF-8.
func isInvalid(data []byte, r rune) bool {
	return r == utf8.RuneError && !bytes.HasPrefix(data, []byte("\uFFFD"))
}

// errorAt returns an error at an offset of a text.
func errorAt(data []byte, offset int, format, reason string) *Error {
	before := data[:min(offset, len(data))]
	start := 1 + bytes.LastIndexByte(before, '\n')
	return &Error{Format: format, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[start:]), Reason: reason}
}
