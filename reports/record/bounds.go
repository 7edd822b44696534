package record

import (
	"errors"
	"fmt"
	"io"
)

// Limits on JSON text from elsewhere, of which a few bytes may take a hundred times as much memory once decoded.
const (
	// freeValues is the number of objects and lists that a record of any length may hold, bytesPerValue the number of bytes it must have
	// for each further one. Real records have 70 bytes or more for each.
	freeValues, bytesPerValue = 200_000, 40
	// mostValues is the upper limit for any record.
	mostValues = 4_000_000
	// longestText is the maximum length of a single string in bytes. The longest one in a record is a packed contract.
	longestText = 96 << 20
	// longestPart is the maximum length of one of many JSON texts in bytes, or of one part of a text that is read part by part.
	longestPart = 96 << 20
	// longestBlank is the maximum length of white space between two values in bytes. The decoder rescans it with each piece that it reads.
	longestBlank = 64 << 10
)

var (
	errManyValues = errors.New("it holds more values than any record")
	errLongText   = fmt.Errorf("it holds a text of more than %d MiB", longestText>>20)
	errLongPart   = fmt.Errorf("it holds an entry of more than %d MiB", longestPart>>20)
	errLongBlank  = fmt.Errorf("it holds more than %d KiB of white space in a row", longestBlank>>10)
)

// Bounded returns a reader of one or more JSON texts that fails before a text would take disproportionate memory when decoded. Text that is
// not JSON is left for the decoder to reject.
func Bounded(r io.Reader) io.Reader { return BoundedTo(r, freeValues) }

// BoundedTo is like Bounded for texts other than records: free is the number of objects and lists that a short one may hold.
func BoundedTo(r io.Reader, free int64) io.Reader { return &bounded{from: r, free: free} }

// Parts bounds a text of any length that is read part by part.
type Parts struct{ bounded }

// NewParts returns a reader that fails before one part of a text would take disproportionate memory when decoded. free is the number of
// objects and lists that a short part may hold.
func NewParts(r io.Reader, free int64) *Parts {
	return &Parts{bounded{from: r, free: free, longest: longestPart}}
}

// Next says that another part begins. What was read ahead counts to the part before.
func (p *Parts) Next() { p.bytes, p.values = 0, 0 }

type bounded struct {
	from io.Reader
	free int64
	// longest is the maximum number of bytes, or 0 for no limit.
	longest int64

	bytes  int64
	values int64
	text   int64
	blank  int64
	// quoted reports whether the current byte is within quotes, escaped whether the next byte is escaped.
	quoted, escaped bool
	err             error
}

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.from.Read(p)
	for _, c := range p[:n] {
		switch {
		case b.escaped:
			b.escaped = false
		case b.quoted && c == '\\':
			b.escaped = true
		case c == '"':
			b.quoted, b.text = !b.quoted, 0
		case !b.quoted && (c == '{' || c == '['):
			b.values++
		}
		switch {
		case b.quoted:
			b.text++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			b.blank++
		case b.blank <= longestBlank:
			b.blank = 0
		}
	}
	b.bytes += int64(n)
	switch {
	case b.values > mostValues || b.values > b.free+b.bytes/bytesPerValue:
		b.err = errManyValues
	case b.longest > 0 && b.bytes > b.longest:
		b.err = errLongPart
	case b.text > longestText:
		b.err = errLongText
	case b.blank > longestBlank:
		b.err = errLongBlank
	}
	if b.err != nil {
		return 0, b.err
	}
	return n, err
}
