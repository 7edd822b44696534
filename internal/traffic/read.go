package traffic

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Recording gets what is read of a recording.
type Recording struct {
	// Base gets the base URL of the service, if the recording says it, before the first exchange.
	Base func(url string)
	// Exchange gets each exchange, Other why something else than an exchange was read.
	Exchange func(*Exchange)
	Other    func(Reason)
}

// sniffed is how many bytes tell the format of a recording, freeValues how many objects and lists a short exchange may hold.
const sniffed, freeValues = 4 << 10, 100_000

// The beginnings of recordings.
var (
	archive     = regexp.MustCompile(`^\{\s*"log"\s*:`)
	ownRecord   = regexp.MustCompile(`^\{\s*"schema"\s*:\s*"hallmark\.record/`)
	compression = []byte{0x1f, 0x8b}
)

// Read reads a recording, one exchange at a time: an HTTP Archive (HAR), a record or a journal of hallmark, or JSON lines, each of them an
// exchange or an entry of an access log. The error is a phrase about the recording.
func Read(from io.Reader, to Recording) error {
	in := bufio.NewReaderSize(from, 64<<10)
	if mark, _ := in.Peek(3); bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	start, err := in.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	start = bytes.TrimLeft(start, " \t\r\n")
	parts := record.NewParts(in, freeValues)
	r := reader{Recording: to, parts: parts, dec: json.NewDecoder(parts)}
	switch {
	case len(start) == 0:
		_, err = io.Copy(io.Discard, parts)
		return err
	case bytes.HasPrefix(start, compression):
		return errors.New("it is compressed; unpack it first (gzip -dc FILE | hallmark check -)")
	case archive.Match(start):
		err = r.archive()
	case ownRecord.Match(start):
		err = r.record()
	case start[0] == '{':
		err = r.lines()
	default:
		return errors.New("it is none of the recordings that can be read: a HAR, a record or journal of hallmark, exchanges or access logs as JSON lines")
	}
	return r.trouble(err)
}

// reader reads one recording.
type reader struct {
	Recording

	parts *record.Parts
	dec   *json.Decoder
	// read counts the entries.
	read int
}

// trouble returns an error in words for people.
func (r *reader) trouble(err error) error {
	if err == nil {
		return nil
	}
	said := strings.TrimPrefix(text.Visible(err.Error()), "json: ")
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		said = "it ends too early"
	}
	return fmt.Errorf("entry %d cannot be read: %s", r.read+1, text.Elide(said, 200))
}

// decode reads the next value.
func (r *reader) decode(to any) error {
	r.parts.Next()
	return r.dec.Decode(to)
}

// object reads an object, and calls member for each of its members, which it has to read.
func (r *reader) object(member func(name string) error) error {
	if err := r.delimiter('{'); err != nil {
		return err
	}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // the decoder accepts nothing else here
		if err := member(name); err != nil {
			return err
		}
	}
	return r.delimiter('}')
}

// list reads a list, and calls item for each of its items, which it has to read.
func (r *reader) list(item func() error) error {
	if err := r.delimiter('['); err != nil {
		return err
	}
	for ; r.dec.More(); r.read++ {
		if err := item(); err != nil {
			return err
		}
	}
	return r.delimiter(']')
}

func (r *reader) delimiter(want json.Delim) error {
	r.parts.Next()
	switch token, err := r.dec.Token(); {
	case err != nil:
		return err
	case token != want:
		return fmt.Errorf("a %s is missing", want)
	}
	return nil
}

// pass skips a value, however large it is.
func (r *reader) pass() error {
	depth := 0
	for {
		r.parts.Next()
		token, err := r.dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// record reads a record of hallmark.
func (r *reader) record() error {
	return r.object(func(name string) error {
		switch name {
		case "target":
			return r.target()
		case "exchanges":
			return r.list(func() error {
				var ex spec.Exchange
				if err := r.decode(&ex); err != nil {
					return err
				}
				r.own(&ex)
				return nil
			})
		}
		return r.pass()
	})
}

// target reads the target of a run.
func (r *reader) target() error {
	var target record.Target
	if err := r.decode(&target); err != nil {
		return err
	}
	if target.BaseURL != "" {
		r.Base(target.BaseURL)
	}
	return nil
}

// own passes on an exchange of a run.
func (r *reader) own(ex *spec.Exchange) {
	x := exchangeOf(ex)
	x.Decoded = true
	if ex.Lost != "" || ex.Malformed != "" {
		x.Skip = NoResponse
	}
	r.Exchange(x)
}

// exchangeOf returns an exchange that is written as in records.
func exchangeOf(ex *spec.Exchange) *Exchange {
	x := &Exchange{Request: ex.Request, Started: ex.Started, Elapsed: ex.Elapsed, RequestHeadersUnknown: true}
	x.SetURL(ex.Request.URL)
	x.Authority, x.Request.Header = strings.Join(ex.Request.Header[authority], ","), canonical(ex.Request.Header)
	if ex.Response != nil {
		x.Response = *ex.Response
		x.Response.Header, x.HeadersUnknown = canonical(ex.Response.Header), ex.Response.HeadersLeftOut > 0
	}
	return x
}
