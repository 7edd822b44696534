package record

import (
	"errors"
	"fmt"
	"io"
)

// Limits on what is read of a JSON text from elsewhere: a few bytes of it may become a hundred times as much in
// memory.
const (
	// freeValues is how many objects and lists a record of any length may hold, bytesPerValue how many bytes it must
	// have for each further one. In real records, each has 70 bytes and more.
	freeValues, bytesPerValue = 200_000, 40
	// mostValues limits them in any case.
	mostValues = 4_000_000
	// longestText limits a single text, in bytes: the longest one in a record is a packed contract.
	longestText = 96 << 20
	// longestBlank limits the white space between two values, in bytes: the decoder starts anew with each piece of it
	// that is read.
	longestBlank = 64 << 10
)

var (
	errManyValues = errors.New("it holds more values than a record does")
	errLongText   = fmt.Errorf("it holds a text of more than %d MiB", longestText>>20)
	errLongBlank  = fmt.Errorf("it holds more than %d KiB of blanks in a row", longestBlank>>10)
)

// Bounded returns a reader of one or more JSON texts that fails where a text would take disproportionate memory
// once it is decoded. Text that is not JSON is left for the decoder to refuse.
func Bounded(r io.Reader) io.Reader { return BoundedTo(r, freeValues) }

// BoundedTo is Bounded for a text that is not a record: free is how many objects and lists a short one may hold.
func BoundedTo(r io.Reader, free int64) io.Reader { return &bounded{from: r, free: free} }

type bounded struct {
	from   io.Reader
	free   int64
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
