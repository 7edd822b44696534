package listing

import (
	"encoding/json"
	"io"
)

// The formats of lists.
const (
	Table    = "table"
	Markdown = "markdown"
	JSON     = "json"
)

// Formats returns the formats, the default first.
func Formats() []string { return []string{Table, Markdown, JSON} }

// leastSentence is the narrowest that the column of the sentences gets, in columns.
const leastSentence = 40

func encode(w io.Writer, list any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(list)
}
