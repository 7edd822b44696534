package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Error is a mistake in a document.
type Error struct {
	// File is the name of the referenced file that contains it; empty for the document itself.
	File string
	// Line is its line; 0 if it concerns the whole file.
	Line int
	Text string
}

// Errorf returns an Error for a line.
func Errorf(line int, format string, args ...any) *Error {
	return &Error{Line: line, Text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string {
	where := "contract"
	if e.File != "" {
		where += ", " + OneLine(e.File)
	}
	if e.Line != 0 {
		where += ", line " + strconv.Itoa(e.Line)
	}
	return where + ": " + OneLine(e.Text)
}

// maxSentence is the maximum length of an error about a file, in bytes, since the file determines what it quotes.
const maxSentence = 400

// OneLine removes line breaks and control characters from a text that quotes a file.
func OneLine(s string) string {
	if len(s) > 4*maxSentence {
		s = s[:4*maxSentence]
	}
	s = strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
	return text.TruncateBytes(strings.Join(strings.Fields(s), " "), maxSentence)
}
