package mutate

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Credentials are the credentials that operations accepted. Any number of handlers may share them.
type Credentials struct {
	// Places are where the requests of an operation carry credentials: "header authorization", "query key", "cookie
	// session".
	Places map[string][]string

	mu    sync.Mutex
	known map[string]map[string]string
}

// note stores the credential of a request that succeeded.
func (c *Credentials) note(x *Exchange) {
	places := c.Places[x.Operation]
	if len(places) == 0 || x.Status/100 != 2 {
		return
	}
	carried := map[string]string{}
	for _, place := range places {
		if value, there := carriedBy(x.Request, place); there {
			carried[place] = value
		}
	}
	if len(carried) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]map[string]string{}
	}
	if c.known[x.Operation] == nil {
		c.known[x.Operation] = carried
	}
}

// partsOf returns the credential that an operation accepted, by its places; nil for none.
func (c *Credentials) partsOf(operation string) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.known[operation])
}

// Carried reports whether a request has a credential at one of the places of its operation.
func (c *Credentials) Carried(operation string, r *http.Request) bool {
	return slices.ContainsFunc(c.Places[operation], func(place string) bool {
		value, there := carriedBy(r, place)
		return there && value != ""
	})
}

// carriedBy returns the value at a place of credentials in a request.
func carriedBy(r *http.Request, place string) (value string, there bool) {
	in, name, _ := strings.Cut(place, " ")
	switch in {
	case "header":
		values := r.Header.Values(name)
		return strings.Join(values, ", "), len(values) > 0
	case "query":
		return r.URL.Query().Get(name), r.URL.Query().Has(name)
	case "cookie":
		if cookie, err := r.Cookie(name); err == nil {
			return cookie.Value, true
		}
	}
	return "", false
}

// carrying returns a request with a credential, and without any other.
func carrying(r *http.Request, credential map[string]string) *http.Request {
	out := r.Clone(r.Context())
	for _, place := range slices.Sorted(maps.Keys(credential)) {
		value := credential[place]
		switch in, name, _ := strings.Cut(place, " "); in {
		case "header":
			out.Header.Set(name, value)
		case "query":
			q := out.URL.Query()
			q.Set(name, value)
			out.URL.RawQuery = q.Encode()
		case "cookie":
			kept := out.Cookies()
			out.Header.Del("Cookie")
			for _, c := range kept {
				if c.Name != name {
					out.AddCookie(c)
				}
			}
			out.AddCookie(&http.Cookie{Name: name, Value: value}) //nolint:gosec // a request has no attributes of cookies
		}
	}
	return out
}

// acceptsBadCredential returns a mutation that accepts requests with a missing credential, or with any other bad credential.
func acceptsBadCredential(m Mutation, missing bool) Middleware {
	return func(x *Exchange, next func()) {
		next()
		if x.handler.Credentials == nil || x.Status != http.StatusUnauthorized && x.Status != http.StatusForbidden || !m.matches(x) {
			return
		}
		right := x.handler.Credentials.partsOf(x.Operation)
		if right == nil || x.handler.Credentials.Carried(x.Operation, x.Request) == missing {
			return
		}
		if a := x.send(carrying(x.Request, right), x.Body); a.Status/100 == 2 {
			x.reply(a)
			x.Applied = true
		}
	}
}

// wrong reports whether a value at a place of credentials is not an accepted one. If none is known, no value counts as wrong.
func (c *Credentials) wrong(place, value string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := false
	for _, carried := range c.known {
		right, there := carried[place]
		if there && right == value {
			return false
		}
		known = known || there
	}
	return known
}

// heeds returns what refuses a wrong credential at the place Name where none is needed.
func heeds(m Mutation) Middleware {
	return func(x *Exchange, next func()) {
		next()
		if x.handler.Credentials == nil || m.Refusal == nil || x.Status/100 != 2 || !m.matches(x) {
			return
		}
		if value, there := carriedBy(x.Request, m.Name); there && x.handler.Credentials.wrong(m.Name, value) {
			x.apply(m.Refusal.reply)
		}
	}
}

// shuns returns the middleware that rejects requests with a credential at the place Name, which is one of several sufficient ones.
func shuns(m Mutation) Middleware {
	return func(x *Exchange, next func()) {
		_, there := carriedBy(x.Request, m.Name)
		if !there || m.Refusal == nil || !m.matches(x) || x.handler.Keeps != nil && !x.handler.Keeps(x) {
			next()
			return
		}
		m.Refusal.reply(x)
		x.Applied = true
	}
}
