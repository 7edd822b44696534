package shop

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

//go:embed archive.yaml
var archiveContract []byte

// ArchiveContract returns the text of the contract of the archive.
func ArchiveContract() []byte { return archiveContract }

// archive is a service of collections that each give their pages in another way: books by offsets, maps by page numbers, prints by
// cursors, scans by links, reels by Link headers, and deeds behind the last one.
type archive struct {
	variant string
	mu      sync.Mutex
	last    int
	// records are those of each collection, in the order in which they came.
	records map[string][]*record
	// keys are the identifiers of what was added by a key, used the cursors that were sent.
	keys  map[string]int
	used  map[string]bool
	lists int
}

// record is one record.
type record struct {
	id     int
	fields map[string]any
	added  time.Time
	ours   bool
	// nth counts those of its collection.
	nth int
}

// collections are those of the archive.
var collections = []string{"books", "maps", "prints", "scans", "reels", "deeds"}

// NewArchive returns an archive with a fault or a freedom; empty for neither.
func NewArchive(variant string) http.Handler {
	a := &archive{variant: variant, last: 100, records: map[string][]*record{}, keys: map[string]int{}, used: map[string]bool{}}
	mux := http.NewServeMux()
	for _, c := range collections {
		for n := range 7 {
			a.store(c, map[string]any{"title": fmt.Sprintf("%c theirs", 'q'-n), "year": float64(1990 - 7*n%5), "lent": n%2 == 0, "shelf_id": float64(1 + n%3)}).ours = true
		}
		for pattern, serve := range map[string]func(*http.Request) (int, any, http.Header){
			"GET /" + c: a.list, "POST /" + c: a.add, "GET /" + c + "/{id}": a.read, "DELETE /" + c + "/{id}": a.remove,
		} {
			mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, serve) })
		}
	}
	return mux
}

func (a *archive) is(variants ...string) bool { return slices.Contains(variants, a.variant) }

func collectionOf(r *http.Request) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return name
}

func (a *archive) serve(w http.ResponseWriter, r *http.Request, serve func(*http.Request) (int, any, http.Header)) {
	a.mu.Lock()
	status, body, header := http.StatusUnauthorized, any(nil), http.Header(nil)
	if r.Header.Get("X-Key") == Key {
		status, body, header = serve(r)
	}
	data, _ := json.Marshal(body)
	a.mu.Unlock()
	maps.Copy(w.Header(), header)
	if status >= 400 {
		w.Header().Set("WWW-Authenticate", "Key")
		w.Header().Set("Content-Type", "application/problem+json")
		data, _ = json.Marshal(map[string]any{"title": http.StatusText(status), "status": status})
	} else if body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(data)
	}
}

func (a *archive) store(collection string, fields map[string]any) *record {
	a.last++
	one := &record{id: a.last, fields: fields, added: time.Now()}
	if before := a.records[collection]; len(before) > 0 {
		one.nth = before[len(before)-1].nth + 1
	}
	a.records[collection] = append(a.records[collection], one)
	if a.is("keeps-newest") {
		a.records[collection] = a.records[collection][max(0, len(a.records[collection])-15):]
	}
	return one
}

// sent reads a record; false where it is not as the contract has it.
func sentRecord(r *http.Request) (map[string]any, bool) {
	fields, ok := object(r)
	if !ok {
		return nil, false
	}
	whole := func(v any, most float64) bool {
		f, is := v.(float64)
		return is && f == math.Trunc(f) && f >= 1 && f <= most
	}
	for name, v := range fields {
		text, is := v.(string)
		_, truth := v.(bool)
		if n := utf8.RuneCountInString(text); name == "title" && (!is || n < 1 || n > 60) || name == "year" && !whole(v, 3000) || name == "shelf_id" && !whole(v, 9) ||
			name == "lent" && !truth || !slices.Contains([]string{"title", "year", "shelf_id", "lent"}, name) {
			return nil, false
		}
	}
	return fields, fields["title"] != nil
}

func (a *archive) shown(one *record) map[string]any {
	out := maps.Clone(one.fields)
	out["id"], out["added"] = one.id, one.added.UTC().Format(time.RFC3339Nano)
	return out
}

func (a *archive) add(r *http.Request) (int, any, http.Header) {
	collection := collectionOf(r)
	fields, ok := sentRecord(r)
	key := r.Header.Get("Idempotency-Key")
	keyed := len(r.Header.Values("Idempotency-Key")) > 0
	if !ok || keyed && (len(key) < 8 || len(key) > 64) || !keyed && collection == "maps" {
		return http.StatusBadRequest, nil, nil
	}
	if a.is("key-cut") && len(key) > 8 {
		key = key[:8]
	}
	status := http.StatusCreated
	if id, known := a.keys[collection+key]; keyed && known && !a.is("key-ignored") && (!a.is("key-late") || collection != "books") {
		switch {
		case a.is("key-conflict"):
			return http.StatusConflict, nil, nil
		case a.is("key-200"):
			status = http.StatusOK
		case a.is("key-203"):
			status = http.StatusNonAuthoritativeInfo
		}
		for _, one := range a.records[collection] {
			if one.id == id {
				return status, a.shown(one), http.Header{"Location": {fmt.Sprintf("/%s/%d", collection, one.id)}}
			}
		}
	}
	if a.is("titles-unique") && slices.ContainsFunc(a.records[collection], func(one *record) bool { return one.fields["title"] == fields["title"] }) {
		return http.StatusConflict, nil, nil
	}
	if title, _ := fields["title"].(string); a.is("apostrophe-crashes") && strings.Contains(title, "'") {
		return http.StatusInternalServerError, nil, nil
	}
	one := a.store(collection, fields)
	a.keys[collection+key] = one.id
	return http.StatusCreated, a.shown(one), http.Header{"Location": {fmt.Sprintf("/%s/%d", collection, one.id)}}
}

func (a *archive) find(r *http.Request) int {
	n, _ := strconv.Atoi(r.PathValue("id"))
	return slices.IndexFunc(a.records[collectionOf(r)], func(one *record) bool { return one.id == n })
}

func (a *archive) read(r *http.Request) (int, any, http.Header) {
	i := a.find(r)
	if i < 0 {
		return http.StatusNotFound, nil, nil
	}
	return http.StatusOK, a.shown(a.records[collectionOf(r)][i]), nil
}

func (a *archive) remove(r *http.Request) (int, any, http.Header) {
	i, c := a.find(r), collectionOf(r)
	if i < 0 {
		return http.StatusNotFound, nil, nil
	}
	a.records[c] = slices.Delete(a.records[c], i, i+1)
	return http.StatusNoContent, nil, nil
}

// all returns what a collection lists, filtered and in order; false where the request is not as the contract has it.
func (a *archive) all(collection string, q url.Values) ([]*record, bool) {
	var all []*record
	a.lists++
	if a.is("busy") { // others add and remove
		a.store(collection, map[string]any{"title": "busy", "lent": false, "shelf_id": 1.0}).ours = true
		if i := slices.IndexFunc(a.records[collection], func(one *record) bool { return one.ours }); a.lists%2 == 0 {
			a.records[collection] = slices.Delete(a.records[collection], i, i+1)
		}
	}
	for i, one := range a.records[collection] {
		switch age := time.Since(one.added); {
		case a.is("each-third-unlisted") && one.nth%3 == 0, a.is("newest-unlisted") && i == len(a.records[collection])-1 && i > 6:
		case a.is("lists-theirs") && !one.ours, a.is("lists-late") && age < delay && !one.ours, a.is("lists-later") && age < 3*time.Second && !one.ours:
		case a.is("lists-lent") && one.fields["lent"] != true, a.is("shards-late") && one.id%2 == 0 && age < 2*time.Second && !one.ours:
		default:
			all = append(all, one)
		}
	}
	if !a.filter(collection, q, &all) || !a.sort(collection, q, all) {
		return nil, false
	}
	switch {
	case a.is("shuffles") && !q.Has("sort") && !q.Has("order_by"):
		hash := func(one *record) uint64 {
			h := fnv.New64a()
			_, _ = fmt.Fprint(h, one.id, a.lists)
			return h.Sum64()
		}
		slices.SortFunc(all, func(x, y *record) int { return cmp.Compare(hash(x), hash(y)) })
	case a.is("newest-first", "busy") && !q.Has("sort") && !q.Has("order_by"):
		slices.Reverse(all)
	case a.is("capped"): // by names that nobody knows beforehand, unless an order is asked for
		if !q.Has("sort") && !q.Has("order_by") {
			slices.SortFunc(all, func(x, y *record) int { return cmp.Compare(fmt.Sprint(x.id*7919%101), fmt.Sprint(y.id*7919%101)) })
		}
		all = all[:min(len(all), 9)]
	}
	return all, true
}

func (a *archive) list(r *http.Request) (int, any, http.Header) {
	q, c := r.URL.Query(), collectionOf(r)
	bad := false
	number := func(name string, def, least, most int) int {
		if !q.Has(name) {
			return def
		}
		n, err := strconv.Atoi(q.Get(name))
		bad = bad || err != nil || n < least || n > most
		return n
	}
	if a.is("next-page-crashes") && q.Get("cursor") != "" {
		return http.StatusInternalServerError, nil, nil
	}
	size := number(map[bool]string{true: "per_page", false: "limit"}[c == "maps"], 20, 1, 50)
	if a.is("pages-of-5") {
		size = min(size, 5)
	}
	at := 0
	all, ok := a.all(c, q)
	switch c {
	case "books":
		at = number("offset", 0, 0, math.MaxInt)
		if a.is("offset-counts-pages") {
			at *= size
		}
	case "maps":
		first := map[bool]int{true: 0, false: 1}[a.is("pages-from-0")]
		n := number("page", first, first, math.MaxInt32)
		if q.Has("page") && q.Get("page") == "0" {
			bad, n = false, first
		}
		at = (n - first) * size
	case "deeds":
		if q.Has("starting_after") {
			n, _ := strconv.Atoi(q.Get("starting_after"))
			at = 1 + slices.IndexFunc(all, func(one *record) bool { return one.id == n })
			bad = bad || at == 0
		}
	default:
		if name := map[bool]string{true: "cursor", false: "after"}[c == "prints"]; q.Has(name) {
			text, _ := base64.URLEncoding.DecodeString(q.Get(name))
			place, _, _ := strings.Cut(string(text), " ")
			n, err := strconv.Atoi(place)
			bad = bad || err != nil || a.is("cursor-once") && a.used[q.Get(name)]
			at, a.used[q.Get(name)] = n, true
		}
	}
	if bad || !ok {
		return http.StatusBadRequest, nil, nil
	}
	return a.page(r, c, all, at, size)
}

// page answers with a page.
func (a *archive) page(r *http.Request, c string, all []*record, at, size int) (int, any, http.Header) {
	begins, numbered := at, c == "books" || c == "maps"
	if at > 0 {
		switch {
		case a.is("pages-overlap"):
			begins--
		case a.is("pages-skip"):
			begins++
		case a.is("page-ignored") && numbered:
			begins = 0
		}
	}
	if begins >= len(all) && len(all) > 0 && numbered {
		switch {
		case a.is("refuses-beyond"):
			return http.StatusBadRequest, nil, nil
		case a.is("clamps") && c == "maps":
			begins = (len(all) - 1) / size * size
		case a.is("wraps") && c == "maps":
			begins = 0
		case a.is("shows-some-beyond"):
			begins, size = 1, 2
		}
	}
	first, end := min(begins, len(all)), min(begins+size, len(all))
	if a.is("pages-lose-last") && size < 50 && end == len(all) {
		end = max(first, end-1)
	}
	page := []any{}
	for _, one := range all[first:max(first, end)] {
		page = append(page, a.shown(one))
	}
	next, more := at+size, at+size < len(all) || a.is("cursor-always") && len(page) > 0
	if a.is("goes-round") && !more {
		next, more = 0, true
	}
	a.lists++
	cursor := base64.URLEncoding.EncodeToString(fmt.Appendf(nil, "%d %d", next, a.lists*map[bool]int{true: 1}[a.is("cursor-once", "goes-round")]))
	query := url.Values{"limit": {strconv.Itoa(size)}, "after": {cursor}}
	link := r.URL.Path + "?" + query.Encode()
	if a.is("links-absolute") {
		link = "http://" + r.Host + link
	}
	if a.is("links-elsewhere") {
		link = "https://internal.example" + link
	}
	switch c {
	case "books":
		if a.is("total-of-the-page") {
			return http.StatusOK, map[string]any{"items": page, "total": len(page)}, nil
		}
		return http.StatusOK, map[string]any{"items": page, "total": len(all)}, nil
	case "prints":
		meta := map[string]any{"next_cursor": nil}
		if more {
			meta["next_cursor"] = cursor
		}
		return http.StatusOK, map[string]any{"data": page, "meta": meta}, nil
	case "scans":
		body := map[string]any{"scans": page}
		if more {
			body["links"] = map[string]any{"next": link}
		}
		return http.StatusOK, body, nil
	case "reels":
		header := http.Header{}
		if more {
			header.Set("Link", `</reels>; rel="first", <`+link+`>; title="a, b"; rel="next"`)
		}
		return http.StatusOK, page, header
	case "deeds":
		if a.is("goes-round") {
			more = false
		}
		return http.StatusOK, map[string]any{"data": page, "has_more": more && len(page) > 0}, nil
	}
	return http.StatusOK, page, nil
}
