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

// decoders decode content codings (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	"zstd":    unzstd,
}

// maxWindow is the maximum window of a zstd decoder, in bytes: RFC 9659 requires no more of a client.
const maxWindow = 8 << 20

func unzstd(r io.Reader) (io.Reader, error) {
	// A decoder with one thread need not be closed.
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// inflate decodes deflate with a header, as RFC 9110 defines it, and without one, as many services write it.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// Codings returns the content codings in the values of Content-Encoding, in the order in which they were applied,
// without identity.
func Codings(values []string) []string {
	var all []string
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if coding = strings.ToLower(strings.Trim(coding, " \t")); coding != "" && coding != "identity" {
			all = append(all, coding)
		}
	}
	return all
}

// UnknownCoding returns the first content coding that Decode does not support, or "".
func UnknownCoding(codings []string) string {
	i := slices.IndexFunc(codings, func(coding string) bool { return decoders[coding] == nil })
	if i < 0 {
		return ""
	}
	return codings[i]
}

// Decode returns a reader of content without its codings. Empty content has none. Content with an unknown coding
// is returned as is.
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

// decoder decodes one coding. It waits for the first byte before it looks at the header.
type decoder struct {
	coding string
	noted  *noting
	from   *bufio.Reader
	to     io.Reader
}

// noting records why nothing more could be read, to distinguish failures of the connection from those of the
// content.
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

// failed returns an error that names the coding. An end of input, and a failure of the connection, are returned as
// is.
func (d *decoder) failed(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case d.noted.err != nil:
		return d.noted.err
	}
	return &CodingError{Coding: d.coding, Err: err}
}

// CodingError says why content is not what its coding says.
type CodingError struct {
	Coding string
	Err    error
}

func (e *CodingError) Error() string { return "the content coding " + e.Coding + ": " + e.Err.Error() }

func (e *CodingError) Unwrap() error { return e.Err }
