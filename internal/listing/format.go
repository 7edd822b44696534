package listing

import (
	"io"

	"github.com/hallmark-kit/hallmark/reports/jsonout"
)

// The formats of lists.
const (
	Table    = "table"
	Markdown = "markdown"
	JSON     = "json"
)

// Formats returns the formats, the default first.
func Formats() []string { return []string{Table, Markdown, JSON} }

// leastSentence is the minimum width of the column of sentences, in columns of the terminal.
const leastSentence = 40

func encode(w io.Writer, list any) error {
	return jsonout.Encode(w, list)
}
