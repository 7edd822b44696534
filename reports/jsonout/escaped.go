package jsonout

import (
	"bufio"
	"io"
	"slices"
)

// NewEscaper is a writer of JSON that is safe to show, for encoders of others. Each Write takes whole characters, as those of
// json.Encoder do.
func NewEscaper(w io.Writer) io.Writer { return escaper{w} }

type escaper struct{ to io.Writer }

// Write implements [io.Writer].
func (e escaper) Write(text []byte) (int, error) {
	if !slices.ContainsFunc(text, func(c byte) bool { return c >= 0x7f }) { // as in most: all of it shows
		return e.to.Write(text)
	}
	j := &Writer{out: bufio.NewWriterSize(e.to, len(text)+64)}
	j.safe(text)
	return len(text), j.Flush()
}
