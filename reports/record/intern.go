package record

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"hallmark/spec"
)

// maxInterned is how many headers are known at a time. If a service puts a new id into each response, no two headers are equal, and the
// map would hold all of them.
const maxInterned = 4096

// interner makes exchanges share equal headers: most headers of a run are equal, byte for byte, and nobody changes them.
type interner struct {
	headers map[string]http.Header
	// names and key are buffers of header.
	names []string
	key   []byte
}

// exchange interns the headers of an exchange, and trims its bodies.
func (n *interner) exchange(ex *spec.Exchange) {
	ex.Request.Header, ex.Request.Body = n.header(ex.Request.Header), exact(ex.Request.Body)
	if ex.Response != nil {
		ex.Response.Header, ex.Response.Body = n.header(ex.Response.Header), exact(ex.Response.Body)
	}
}

// header returns the first header seen that equals h, or h if none is known.
func (n *interner) header(h http.Header) http.Header {
	if len(h) == 0 {
		return h
	}
	n.names = n.names[:0]
	for name := range h {
		n.names = append(n.names, name)
	}
	slices.Sort(n.names)
	n.key = n.key[:0]
	for _, name := range n.names {
		for _, value := range h[name] {
			n.key = append(append(append(append(n.key, name...), 0), value...), '\n')
		}
	}
	if known, is := n.headers[string(n.key)]; is && maps.EqualFunc(known, h, slices.Equal) {
		return known
	}
	if n.headers == nil || len(n.headers) >= maxInterned {
		n.headers = map[string]http.Header{}
	}
	n.headers[string(n.key)] = h
	return h
}

// exact returns body, or a copy of it if its capacity exceeds its length by more than an eighth.
func exact(body spec.Bytes) spec.Bytes {
	if cap(body)-len(body) > len(body)/8 {
		return bytes.Clone(body)
	}
	return body
}
