package shop

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// gathering is how long a desk that minds crowds waits for one, and many how many requests make a crowd at the door.
const (
	gathering = 4 * time.Millisecond
	many      = 5
)

// crowd counts requests that are under way at the same time, by what they are about.
type crowd struct {
	mu sync.Mutex
	// there are how many are under way, most how many there were since there were none, and served how many of them were answered.
	there, most, served map[string]int
}

// enter notes a request and waits for others; leave ends it.
func (c *crowd) enter(key string) (leave func()) {
	c.mu.Lock()
	c.there[key]++
	c.most[key] = max(c.most[key], c.there[key])
	c.mu.Unlock()
	time.Sleep(gathering)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.served[key]++
		if c.there[key]--; c.there[key] == 0 {
			delete(c.most, key)
			delete(c.served, key)
		}
	}
}

// mindsCrowds reports whether the desk minds what happens at the same time.
func (d *desk) mindsCrowds() bool {
	return d.is("crowd-lost", "crowd-shares-id", "crowd-refused", "crossing-lost", "crossing-refused", "crossing-falls-back", "kept-while-read")
}

// inCrowd serves a request in the way of a variant that minds what happens at the same time.
func (d *desk) inCrowd(r *http.Request, serve func(*http.Request) (int, any)) (int, any) {
	d.crowd.mu.Lock()
	n, served, readers := d.crowd.most[r.Method+r.URL.Path], d.crowd.served[r.Method+r.URL.Path], d.crowd.most["GET"+r.URL.Path]
	d.crowd.mu.Unlock()
	_, about := d.find(r)
	opens, changes := r.Method == http.MethodPost, r.Method == http.MethodPut || r.Method == http.MethodPatch
	switch {
	case opens && n >= many && served > 0 && d.is("crowd-shares-id"):
		d.last--
	case opens && n >= many && served > 0 && d.is("crowd-refused"), changes && n > 1 && served > 0 && d.is("crossing-refused"):
		return http.StatusConflict, nil
	case opens && n >= many && served > 0 && d.is("crowd-lost"):
		status, body := serve(r)
		delete(d.tickets, d.last)
		return status, body
	case changes && about != nil && n > 1 && (d.is("crossing-lost") || d.is("crossing-falls-back") && served > 0):
		before := maps.Clone(about.fields)
		status, body := serve(r)
		if about.fields = before; d.is("crossing-falls-back") {
			about.fields["title"] = "as it was"
		}
		return status, body
	case r.Method == http.MethodDelete && about != nil && readers > 1 && d.is("kept-while-read"):
		status, body := serve(r)
		about.deleted = time.Time{}
		return status, body
	}
	return serve(r)
}
