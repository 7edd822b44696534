package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"

	"hallmark/spec"
)

// shelf keeps headers and bodies of exchanges in a file, one exchange behind the other.
type shelf struct {
	file *os.File
	// written is how much the file holds, in bytes, pending what comes next.
	written int64
	pending []byte
	// slots are those of the exchanges, by their indexes in the record.
	slots []slot
	// err is why no more can be put here.
	err error
}

// slot is where an exchange begins, and how long it is, in bytes; the zero slot is that of one that is not here.
type slot struct {
	at   int64
	size int
}

// shelfBytes is how much is written at a time, in bytes.
const shelfBytes = 64 << 10

// put takes the headers and bodies of the exchange of that index.
func (s *shelf) put(i int, ex *spec.Exchange) {
	for len(s.slots) <= i {
		s.slots = append(s.slots, slot{})
	}
	if s.err != nil || s.slots[i].size > 0 {
		return
	}
	before := len(s.pending)
	s.pending = appendBody(appendHeader(s.pending, ex.Request.Header), ex.Request.Body)
	ex.Request.Header, ex.Request.Body = nil, nil
	if ex.Response != nil {
		s.pending = appendBody(appendHeader(s.pending, ex.Response.Header), ex.Response.Body)
		resp := *ex.Response // others hold it
		resp.Header, resp.Body = nil, nil
		ex.Response = &resp
	}
	s.slots[i] = slot{s.written + int64(before), len(s.pending) - before}
	if len(s.pending) < shelfBytes {
		return
	}
	if _, s.err = s.file.WriteAt(s.pending, s.written); s.err == nil { // else what is pending stays in memory
		s.written += int64(len(s.pending))
		s.pending = s.pending[:0]
	}
}

// restore gives exchanges back what was taken from them.
func (s *shelf) restore(all []spec.Exchange) error {
	for i, p := range s.slots[:min(len(s.slots), len(all))] {
		if p.size == 0 {
			continue
		}
		text := make([]byte, p.size)
		if p.at >= s.written {
			copy(text, s.pending[p.at-s.written:])
		} else if _, err := s.file.ReadAt(text, p.at); err != nil {
			return err
		}
		in := parcel{text: text}
		ex := &all[i]
		ex.Request.Header, ex.Request.Body = in.header(), in.body()
		if ex.Response != nil {
			resp := *ex.Response
			resp.Header, resp.Body = in.header(), in.body()
			ex.Response = &resp
		}
		if in.damaged || len(in.text) > 0 {
			return errors.New("the file was changed")
		}
	}
	return nil
}

// appendHeader writes a header: how many names it has and one more, 0 where there is none, and each name with its values.
func appendHeader(to []byte, h http.Header) []byte {
	if h == nil {
		return append(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(h))+1)
	for name, values := range h {
		to = binary.AppendUvarint(appendText(to, name), uint64(len(values)))
		for _, v := range values {
			to = appendText(to, v)
		}
	}
	return to
}

// appendBody writes a body: its length and one more, 0 where there is none, and its bytes.
func appendBody(to []byte, body spec.Bytes) []byte {
	if body == nil {
		return append(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(body))+1), body...)
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// parcel is what is left to be read of an exchange.
type parcel struct {
	text    []byte
	damaged bool
}

func (p *parcel) header() http.Header {
	n := p.number()
	if n == 0 {
		return nil
	}
	h := http.Header{}
	for range n - 1 {
		name := string(p.bytes(p.number()))
		var values []string
		for range p.number() {
			values = append(values, string(p.bytes(p.number())))
		}
		h[name] = values
	}
	return h
}

func (p *parcel) body() spec.Bytes {
	n := p.number()
	if n == 0 {
		return nil
	}
	return p.bytes(n - 1)
}

// number reads one, which is no greater than what is left.
func (p *parcel) number() int {
	n, size := binary.Uvarint(p.text)
	if size <= 0 || n > uint64(len(p.text)) {
		p.text, p.damaged = nil, true
		return 0
	}
	p.text = p.text[size:]
	return int(n) //nolint:gosec // it is no greater than a length
}

func (p *parcel) bytes(n int) []byte {
	if n > len(p.text) {
		p.text, p.damaged = nil, true
		return nil
	}
	out := p.text[:n:n]
	p.text = p.text[n:]
	return out
}

// Shelve lets the recorder keep headers and bodies of exchanges in a file of its own as long as the run finds nothing, since nobody looks at
// them then. It is called before anything else, and the file may be closed after Finish. The record that Finish returns is without headers
// and bodies if the run is complete and found nothing, so no report may be made of it that shows exchanges.
func (r *Recorder) Shelve(file *os.File) { r.shelf = &shelf{file: file} }

// putAway moves what exchanges hold to the shelf. The lock is held.
func (r *Recorder) putAway(seqs []int) {
	if r.shelf == nil || r.found {
		return
	}
	for _, seq := range seqs {
		if i, known := r.at[seq]; known && !r.open[seq] {
			r.shelf.put(i, &r.exchanges[i])
		}
	}
}

// takeBack gives exchanges back what was put away. The lock is held.
func (r *Recorder) takeBack(all []spec.Exchange) error {
	if r.shelf == nil {
		return nil
	}
	if err := r.shelf.restore(all); err != nil {
		return fmt.Errorf("headers and bodies of exchanges, which were kept in a temporary file, cannot be read: %w", err)
	}
	return nil
}

// mostShared is how many headers are known at a time. Where a service puts an id of its own into each response none is like another,
// and they must not take memory twice.
const mostShared = 4096

// sharer lets exchanges hold what they have in common once: most headers of a run are alike, byte for byte, and nobody changes them.
type sharer struct {
	headers map[string]http.Header
	// names and key are those of header, kept for their memory.
	names []string
	key   []byte
}

// exchange makes an exchange hold no more memory than it needs.
func (s *sharer) exchange(ex *spec.Exchange) {
	ex.Request.Header, ex.Request.Body = s.header(ex.Request.Header), exact(ex.Request.Body)
	if ex.Response != nil {
		ex.Response.Header, ex.Response.Body = s.header(ex.Response.Header), exact(ex.Response.Body)
	}
}

// header returns a header that equals h: the first that was seen, if it is still known.
func (s *sharer) header(h http.Header) http.Header {
	if len(h) == 0 {
		return h
	}
	s.names = s.names[:0]
	for name := range h {
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	s.key = s.key[:0]
	for _, name := range s.names {
		for _, value := range h[name] {
			s.key = append(append(append(append(s.key, name...), 0), value...), '\n')
		}
	}
	if known, is := s.headers[string(s.key)]; is && maps.EqualFunc(known, h, slices.Equal) {
		return known
	}
	if s.headers == nil || len(s.headers) >= mostShared {
		s.headers = map[string]http.Header{}
	}
	s.headers[string(s.key)] = h
	return h
}

// exact returns a body in memory of its own where it holds much more than it needs: what was read has room for more.
func exact(body spec.Bytes) spec.Bytes {
	if cap(body)-len(body) > len(body)/8 {
		return bytes.Clone(body)
	}
	return body
}
