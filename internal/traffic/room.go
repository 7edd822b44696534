package traffic

import (
	"net/http"
	"sync/atomic"
)

// Room bounds the bytes that copies of exchanges under way take together, so that many slow requests with large bodies do not fill the
// memory. It is safe for concurrent use; nil has no bound.
type Room struct {
	most          int64
	used, dropped atomic.Int64
}

// NewRoom returns room for some bytes.
func NewRoom(most int64) *Room { return &Room{most: most} }

// take takes some bytes, or gives them back if size is negative, and reports whether there was room for them.
func (r *Room) take(size int) bool {
	if r == nil {
		return true
	}
	if r.used.Add(int64(size)) > r.most && size > 0 {
		r.used.Add(-int64(size))
		return false
	}
	return true
}

// drop counts an exchange for which there was no room.
func (r *Room) drop() {
	if r != nil {
		r.dropped.Add(1)
	}
}

// Dropped returns the number of exchanges for which there was no room.
func (r *Room) Dropped() int { return int(r.dropped.Load()) }

// exchangeBytes is how many bytes an exchange takes beside its headers and bodies, about.
const exchangeBytes = 2 << 10

// headerBytes is how many bytes headers take, about.
func headerBytes(h http.Header) int {
	const ofLine = 64
	size := 0
	for name, values := range h {
		for _, value := range values {
			size += len(name) + len(value) + ofLine
		}
	}
	return size
}
