package wire

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// decoders are what takes content codings off (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	"zstd":    unzstd,
}

// maxWindow is how much of what it unpacked a zstd decoder keeps, in bytes: RFC 9659 lets no more be asked of a client.
const maxWindow = 8 << 20

func unzstd(r io.Reader) (io.Reader, error) {
	// A decoder of one thread needs not be closed.
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// inflate reads deflate as RFC 9110 has it, with a header, and as many services write it, without.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// Codings returns the content codings that the values of Content-Encoding list, in the order in which they were applied. Identity is none.
func Codings(values []string) []string {
	var all []string
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if coding = strings.ToLower(strings.Trim(coding, " \t")); coding != "" && coding != "identity" {
			all = append(all, coding)
		}
	}
	return all
}

// UnknownCoding returns the first content coding that Decode does not know; empty for none.
func UnknownCoding(codings []string) string {
	i := slices.IndexFunc(codings, func(coding string) bool { return decoders[coding] == nil })
	if i < 0 {
		return ""
	}
	return codings[i]
}

// Decode returns what reads content without its codings. Content of no length has none. Where a coding is not known the content is read as it is.
func Decode(codings []string, content io.Reader) io.Reader {
	if UnknownCoding(codings) != "" {
		return content
	}
	for _, coding := range slices.Backward(codings) {
		from := &noting{Reader: content}
		content = &decoder{coding: coding, noted: from, from: bufio.NewReader(from)}
	}
	return content
}

// decoder takes one coding off. It waits for the first byte before it looks at what it reads.
type decoder struct {
	coding string
	noted  *noting
	from   *bufio.Reader
	to     io.Reader
}

// noting notes why nothing more could be read, so that trouble of a connection is told from trouble with what it carried.
type noting struct {
	io.Reader

	err error
}

func (n *noting) Read(p []byte) (int, error) {
	read, err := n.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return read, err
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.to == nil {
		if _, err := d.from.Peek(1); err != nil {
			return 0, err
		}
		to, err := decoders[d.coding](d.from)
		if err != nil {
			return 0, d.failed(err)
		}
		d.to = to
	}
	n, err := d.to.Read(p)
	return n, d.failed(err)
}

// failed says which coding could not be taken off. An end, and the trouble of a connection, stay what they are.
func (d *decoder) failed(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case d.noted.err != nil:
		return d.noted.err
	}
	return &CodingError{Coding: d.coding, Err: err}
}

// CodingError is why content is not what its coding says.
type CodingError struct {
	Coding string
	Err    error
}

func (e *CodingError) Error() string { return "the content coding " + e.Coding + ": " + e.Err.Error() }

func (e *CodingError) Unwrap() error { return e.Err }
