package record

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"hallmark/spec"
)

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
