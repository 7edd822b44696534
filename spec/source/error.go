package source

import (
	"fmt"
	"strconv"
	"strings"

	"hallmark/internal/text"
)

// Error is what is wrong with a document.
type Error struct {
	// File is the name of the file beside the document that it is about; empty for the document itself.
	File string
	// Line is where; 0 when it is about the whole.
	Line int
	Text string
}

// Errorf returns what is wrong in a line.
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

// maxSentence is how long an error about a file may get, in bytes; what it quotes comes from the file.
const maxSentence = 400

// OneLine makes one line of a text that quotes a file: nothing in it breaks lines or moves the cursor.
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
