package wholerun_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// anotherClient is a service in front of which another client acts once: right after the request with the number on, of those that succeed
// and name or create a resource, it removes or changes that resource, removes the one that it is part of, or creates another one.
type anotherClient struct {
	http.Handler
	// collections matches the paths of collections.
	collections *regexp.Regexp
	action      string
	on          int

	mu sync.Mutex
	// seen counts the requests; acted is what the other client did, empty for nothing.
	seen  int
	acted string
	// changes and creations are the bodies that the service accepted.
	changes, creations []acceptedBody
}

type acceptedBody struct {
	method, path, media string
	body                []byte
}

func (c *anotherClient) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	rec := httptest.NewRecorder()
	c.Handler.ServeHTTP(rec, r)
	if resource := c.resource(r, rec); resource != "" {
		c.mu.Lock()
		if c.seen == c.on {
			c.act(r, resource)
		}
		c.seen++
		one := acceptedBody{r.Method, r.URL.EscapedPath(), r.Header.Get("Content-Type"), body}
		switch r.Method {
		case http.MethodPut, http.MethodPatch:
			c.changes = append(c.changes, one)
		case http.MethodPost:
			c.creations = append(c.creations, one)
		}
		c.mu.Unlock()
	}
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// resource returns the path of the resource that a request named, or created; empty for none, and for one that it removed.
func (c *anotherClient) resource(r *http.Request, rec *httptest.ResponseRecorder) string {
	switch {
	case rec.Code/100 != 2, r.Method == http.MethodDelete:
		return ""
	case !c.collections.MatchString(r.URL.Path):
		return r.URL.EscapedPath()
	case r.Method != http.MethodPost:
		return ""
	}
	var made struct{ ID, Number json.RawMessage }
	_ = json.Unmarshal(rec.Body.Bytes(), &made)
	for _, id := range []json.RawMessage{made.ID, made.Number} {
		if id != nil {
			return r.URL.EscapedPath() + "/" + strings.Trim(string(id), `"`)
		}
	}
	return ""
}

// act acts on a resource.
func (c *anotherClient) act(r *http.Request, resource string) {
	send := func(method, target, media string, body []byte) {
		q := httptest.NewRequest(method, r.URL.Scheme+"://"+r.URL.Host+target, bytes.NewReader(body))
		q.Header.Set("X-Key", shop.Key)
		q.Header.Set("If-Match", "*")
		if media != "" {
			q.Header.Set("Content-Type", media)
		}
		w := httptest.NewRecorder()
		c.Handler.ServeHTTP(w, q)
		c.acted = fmt.Sprintf("%s %s %s → %d, after %s %s", method, target, body, w.Code, r.Method, r.URL)
	}
	switch c.action {
	case "removes it":
		send(http.MethodDelete, resource, "", nil)
	case "removes its parent":
		if parent := path.Dir(path.Dir(resource)); strings.Count(parent, "/") > 1 {
			send(http.MethodDelete, parent, "", nil)
		}
	case "changes it":
		for _, one := range slices.Backward(c.changes) {
			if path.Dir(one.path) == path.Dir(resource) {
				send(one.method, resource, one.media, withOtherTexts(one.body))
				return
			}
		}
	case "creates another one":
		if n := len(c.creations); n > 0 {
			one := c.creations[n-1]
			send(one.method, one.path, one.media, withOtherTexts(one.body))
		}
	}
}

// withOtherTexts returns a body in which the texts for people are others.
func withOtherTexts(body []byte) []byte {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return body
	}
	for _, name := range []string{"title", "name", "text", "note", "label"} {
		if _, is := members[name].(string); is {
			members[name] = "someone else"
		}
	}
	out, _ := json.Marshal(members)
	return out
}

// Other clients may remove, change and create resources at any time. None of that may be held against a service, whichever request it
// follows.
func TestAnotherClientActsOnce(t *testing.T) {
	t.Parallel()
	skip.UnderRace(t)
	services := []struct {
		name, base, collections string
		contract                []byte
		service                 func() http.Handler
		// requests is about how many requests of a run the other client could act after.
		requests int
	}{
		{"library", "http://library.test/v1", `/(shelves|books|staff)$`, shop.LibraryContract(), func() http.Handler { return http.StripPrefix("/v1", shop.NewLibrary("")) }, 150},
		{"desk", "http://desk.test", `/tickets$`, shop.DeskContract(), func() http.Handler { return shop.NewDesk("") }, 400},
		{"signs", "http://signs.test", `/signs$`, shop.SignsContract(), func() http.Handler { return shop.NewSigns("") }, 900},
		{"archive", "http://archive.test", `^/[a-z]+$`, shop.ArchiveContract(), func() http.Handler { return shop.NewArchive("") }, 750},
	}
	const apart = 97 // of so many requests, it acts after one
	n, acted := 0, 0
	for _, s := range services {
		for _, action := range []string{"removes it", "removes its parent", "changes it", "creates another one"} {
			if action == "removes its parent" && s.name != "library" {
				continue // nothing has one
			}
			for on := 7; on < s.requests; on += apart {
				t.Run(s.name+"/"+action+"/"+strconv.Itoa(on), func(t *testing.T) {
					c := &anotherClient{Handler: s.service(), collections: regexp.MustCompile(s.collections), action: action, on: on}
					n++
					skip.Sampled(t, n, 12)
					rec, catalogue := trial{contract: s.contract, baseURL: s.base, service: inMemory{c}, created: 1000}.judge(t)
					if c.acted != "" {
						acted++
					}
					if found := slices.Sorted(maps.Keys(failing(rec, catalogue))); len(found) > 0 {
						t.Errorf("%v are violated, after another client did this: %s", found, c.acted)
					}
				})
			}
		}
	}
	if acted == 0 {
		t.Error("the other client did nothing")
	}
}
