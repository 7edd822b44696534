package jsonout

import (
	"bufio"
	"io"
)

// Escaped is a writer of JSON that is safe to show, for encoders of others. Each Write takes whole characters, as those of
// json.Encoder do.
func Escaped(w io.Writer) io.Writer { return escaped{w} }

type escaped struct{ to io.Writer }

// Write implements [io.Writer].
func (e escaped) Write(text []byte) (int, error) {
	j := &Writer{out: bufio.NewWriterSize(e.to, len(text)+64)}
	j.safe(text)
	return len(text), j.Flush()
}
