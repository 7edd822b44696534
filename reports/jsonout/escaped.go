package jsonout

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
)

// Encode writes a value as indented JSON that is safe to display.
func Encode(w io.Writer, value any) error {
	out := json.NewEncoder(NewEscaper(w))
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// NewEscaper returns a writer that makes the JSON of other encoders safe to display. Each Write must contain whole characters, as those of
// json.Encoder do.
func NewEscaper(w io.Writer) io.Writer { return escaper{w} }

type escaper struct{ to io.Writer }

// Write implements [io.Writer].
func (e escaper) Write(text []byte) (int, error) {
	if !slices.ContainsFunc(text, func(c byte) bool { return c >= 0x7f }) { // the usual case: nothing to escape
		return e.to.Write(text)
	}
	j := &Writer{out: bufio.NewWriterSize(e.to, len(text)+64)}
	j.safe(text)
	return len(text), j.Flush()
}
