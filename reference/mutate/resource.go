package mutate

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Resource is how a service names, shows and lists resources of one kind. What it does not support is empty.
type Resource struct {
	// Creates, Reads, Replaces, Patches, Deletes and Lists are operations.
	Creates, Reads, Replaces, Patches, Deletes, Lists string
	// Path is the template of the paths that name a resource.
	Path string
	// ID is where the response to a creation has the identifier; none if only the Location has it.
	ID []string
	// Record is where the response to a read has the representation, Member the member of it that is the identifier.
	Record []string
	Member string
	// Items is where a list has its items, and ItemID their member that is the identifier.
	Items  []string
	ItemID string
	// Size and Position are the parameters of lists that limit a page and say where it begins; Most is the greatest
	// Size, and Default the one if a request has none.
	Size, Position, Most, Default string
	// Positions says what Position counts; empty for a cursor. FirstPage is the number of the first page.
	Positions Unit
	FirstPage int
}

// Unit is what the position of a page counts.
type Unit string

// The units of positions.
const (
	Items Unit = "items"
	Pages Unit = "pages"
)

// pageSize returns the number of items on the page that a query requests; false if nothing says.
func (r *Resource) pageSize(q url.Values) (int, bool) {
	size, err := strconv.Atoi(cmp.Or(q.Get(r.Size), r.Default))
	if most, bounded := strconv.Atoi(r.Most); bounded == nil {
		size = min(size, most) // the service may show fewer than requested
	}
	return size, err == nil && r.Size != "" && size > 0
}

// begin returns how many items come before the page that a query requests; false if that is not known.
func (r *Resource) begin(q url.Values, size int, bounded bool) (int, bool) {
	const most = 1 << 30
	n, err := strconv.Atoi(cmp.Or(q.Get(r.Position), strconv.Itoa(r.FirstPage)))
	switch {
	case r.Position == "", err != nil, n < r.FirstPage, n > most:
		return 0, false
	case r.Positions == Items:
		return n, true
	case r.Positions == Pages && bounded && size < most/max(n, 1):
		return (n - r.FirstPage) * size, true
	}
	return 0, false
}

// changes reports whether an operation changes existing resources.
func (r *Resource) changes(operation string) bool {
	return operation != "" && (operation == r.Replaces || operation == r.Patches)
}

// namedID returns the identifier in the path of a request; empty for none.
func (r *Resource) namedID(x *Exchange) string {
	last := strings.LastIndexByte(r.Path, '{')
	if last < 0 {
		return ""
	}
	nth := strings.Count(r.Path[:last], "/")
	segments := strings.Split(x.Path, "/")
	if nth >= len(segments) {
		return ""
	}
	return segments[nth]
}

// mayList reports whether the list at a path may show the resource of another path. It may not if both are within
// resources and these are different ones: the reviews of a book do not include those of another book.
func (r *Resource) mayList(list, path string) bool {
	end := strings.LastIndex(r.Path, "/{")
	if end < 0 {
		return true
	}
	collection := strings.Split(r.Path[:end], "/")
	listed, named := strings.Split(list, "/"), strings.Split(path, "/")
	if len(listed) != len(collection) || len(named) < len(collection) {
		return true
	}
	for i, segment := range collection {
		if !strings.Contains(segment, "{") && segment != listed[i] {
			return true // a list of another kind
		}
	}
	return slices.Equal(listed, named[:len(collection)])
}

// createdID returns the identifier of what a request created; empty for none.
func (r *Resource) createdID(x *Exchange) string {
	if x.Operation != r.Creates || x.Status/100 != 2 {
		return ""
	}
	if tree, ok := ReadJSON(x.Answer); ok && len(r.ID) > 0 {
		if v, there := firstAt(tree, r.ID); there {
			return identifier(v)
		}
	}
	if u, err := url.Parse(x.Header.Get("Location")); err == nil && u.Path != "" {
		return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	}
	if x.Request.Method == http.MethodPut { // who creates it chooses the identifier
		return r.namedID(x)
	}
	return ""
}

// identifier returns an identifier as paths have it.
func identifier(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// representation returns the representation in the response to a read; nil for none.
func (r *Resource) representation(body []byte) map[string]any {
	tree, ok := ReadJSON(body)
	if !ok {
		return nil
	}
	found, _ := firstAt(tree, r.Record)
	object, _ := found.(map[string]any)
	return object
}

// editRecord lets f change the representation that a response shows.
func (r *Resource) editRecord(x *Exchange, f func(record map[string]any)) {
	x.Edit(func(tree any) any {
		return editAt(tree, r.Record, func(value any, there bool) (any, bool) {
			if object, is := value.(map[string]any); is {
				f(object)
			}
			return value, there
		})
	})
}

// items returns the items that a list shows.
func (r *Resource) items(body []byte) []any {
	tree, ok := ReadJSON(body)
	if !ok {
		return nil
	}
	found, _ := firstAt(tree, r.Items)
	items, _ := found.([]any)
	return items
}

// editItems lets f change the items that a list shows.
func (r *Resource) editItems(x *Exchange, f func(items []any) []any) {
	x.Edit(func(tree any) any {
		return editAt(tree, r.Items, func(value any, there bool) (any, bool) {
			if items, is := value.([]any); is {
				if items = f(items); items == nil {
					items = []any{}
				}
				return items, true
			}
			return value, there
		})
	})
}

// idOf returns the identifier of an item.
func (r *Resource) idOf(item any) string {
	object, _ := item.(map[string]any)
	return identifier(object[r.ItemID])
}

// below returns what a path has after the identifier of a resource: "/publish" of "/books/7/publish".
func (r *Resource) below(path string) string {
	segments := strings.Split(path, "/")
	if n := len(strings.Split(r.Path, "/")); n < len(segments) {
		return "/" + strings.Join(segments[n:], "/")
	}
	return ""
}

// readBack has the service show what a request is about, with the credentials of that request. below is what its path has after the identifier.
func readBack(x *Exchange, below string) (Response, bool) {
	req := x.Request.Clone(x.Request.Context())
	req.Method = http.MethodGet
	for _, name := range []string{"Content-Type", "Content-Length", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
		req.Header.Del(name)
	}
	u := *req.URL
	u.RawQuery = ""
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, below), strings.TrimSuffix(u.RawPath, below)
	req.URL = &u
	a := x.send(req, nil)
	return a, a.Status/100 == 2
}

// memory is what a mutation remembers about resources, by their identifiers. Requests may be concurrent.
type memory struct {
	mu sync.Mutex
	// sent are the members that each was created with, shown what was shown of it first, kept what is to be shown of
	// it.
	sent  map[string]map[string]any
	shown map[string]Response
	kept  map[string]Response
	count map[string]int
	first string
	// removed is what was deleted, refused what was sent in refused creations, in order.
	removed []removal
	refused []map[string]any
	// before is what was created before each, and last what was created last in each collection.
	before, last map[string]string
	// ends is the last known number of items in lists, by their paths, and model one of the items.
	ends  map[string]int
	model map[string]any
}

// removal is a resource that was deleted by a request with that path.
type removal struct {
	path   string
	record map[string]any
}

func newMemory() *memory {
	return &memory{
		sent: map[string]map[string]any{}, shown: map[string]Response{}, kept: map[string]Response{}, count: map[string]int{}, ends: map[string]int{},
		before: map[string]string{}, last: map[string]string{},
	}
}
