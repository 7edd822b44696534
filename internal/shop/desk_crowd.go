package shop

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// many is how many requests make a crowd at the door. A desk that minds crowds waits for one to gather: as long as a tick, and where one
// seems to, for up to longest of them.
const (
	many    = 5
	tick    = 4 * time.Millisecond
	longest = 10
)

// crowd counts requests that are under way at the same time, by what they are about.
type crowd struct {
	mu    sync.Mutex
	there map[string]int
}

// company is who else asks the same while a request waits.
type company struct {
	// place is the place of the request among those of its kind, 1 for the first; most is how many there were at the most, and readers how
	// many read what it is about.
	place, most, readers int
}

// enter notes a request and waits for others; leave ends it.
func (c *crowd) enter(r *http.Request) (with company, leave func()) {
	key := r.Method + r.URL.Path
	look := func(more int) int {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.there[key] += more
		with.most, with.readers = max(with.most, c.there[key]), max(with.readers, c.there[http.MethodGet+r.URL.Path])
		return c.there[key]
	}
	with.place = look(1)
	for range longest {
		<-time.After(tick)
		if n := look(0); n == 1 || n >= many {
			break
		}
	}
	return with, func() { look(-1) }
}

// mindsCrowds reports whether the desk minds what happens at the same time.
func (d *desk) mindsCrowds() bool {
	return d.is("crowd-lost", "crowd-shares-id", "crowd-refused", "crossing-lost", "crossing-refused", "crossing-falls-back", "crossing-deletes", "kept-while-read",
		"crowd-fails", "crossing-fails", "delete-fails-while-read")
}

// inCrowd serves a request in the way of a variant that minds what happens at the same time.
func (d *desk) inCrowd(r *http.Request, with company, serve func(*http.Request) (int, any)) (int, any) {
	n, follows, readers := with.most, with.place > 1, with.readers
	_, about := d.find(r)
	opens, changes := r.Method == http.MethodPost, r.Method == http.MethodPut || r.Method == http.MethodPatch
	switch {
	case opens && n >= many && follows && d.is("crowd-shares-id"):
		d.last--
	case opens && n >= many && follows && d.is("crowd-refused"), changes && n > 1 && follows && d.is("crossing-refused"):
		return http.StatusConflict, nil
	case opens && n >= many && follows && d.is("crowd-fails"), changes && n > 1 && follows && d.is("crossing-fails"),
		r.Method == http.MethodDelete && about != nil && readers > 0 && d.is("delete-fails-while-read"):
		return http.StatusInternalServerError, nil
	case opens && n >= many && follows && d.is("crowd-lost"):
		status, body := serve(r)
		delete(d.tickets, d.last)
		return status, body
	case changes && about != nil && n > 1 && d.is("crossing-deletes"):
		status, body := serve(r)
		about.deleted = time.Now()
		return status, body
	case changes && about != nil && n > 1 && (d.is("crossing-lost") || d.is("crossing-falls-back") && follows):
		before := maps.Clone(about.fields)
		status, body := serve(r)
		if about.fields = before; d.is("crossing-falls-back") {
			about.fields["title"] = "as it was"
		}
		return status, body
	case r.Method == http.MethodDelete && about != nil && readers > 0 && d.is("kept-while-read"):
		status, body := serve(r)
		about.deleted = time.Time{}
		return status, body
	}
	return serve(r)
}
