package shop

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed library.yaml
var libraryContract []byte

// LibraryContract returns the text of the contract of the library.
func LibraryContract() []byte { return libraryContract }

// Library is a service of resources that are created, changed and removed, some below others. Its names are unique.
type Library struct {
	mux     *http.ServeMux
	variant string

	mu      sync.Mutex
	last    int
	shelves map[string]*shelf
	labels  map[string]string
	staff   map[string]string
	// touched are requests that changed what was there before.
	touched []string
}

// shelf is one shelf.
type shelf struct {
	fields map[string]any
	closed bool
	books  map[int]int
}

// theirs is the shelf that somebody else has.
const theirs = "shelf-theirs"

// NewLibrary returns a library with a fault or a freedom; empty for neither.
func NewLibrary(variant string) *Library {
	l := &Library{
		mux: http.NewServeMux(), variant: variant, last: 100, labels: map[string]string{"theirs": "red"}, staff: map[string]string{"p1": "Ada"},
		shelves: map[string]*shelf{theirs: {fields: map[string]any{"id": theirs, "name": "Poetry"}, books: map[int]int{7: 70}}},
	}
	for pattern, serve := range map[string]func(*http.Request) (int, any, string){
		"GET /shelves": l.listShelves, "POST /shelves": l.createShelf, "GET /shelves/{s}": l.onShelf(l.getShelf), "PUT /shelves/{s}": l.onShelf(l.replaceShelf),
		"DELETE /shelves/{s}": l.onShelf(l.deleteShelf), "POST /shelves/{s}/close": l.onShelf(l.closeShelf), "GET /shelves/{s}/books": l.onShelf(l.listBooks),
		"POST /shelves/{s}/books": l.onShelf(l.addBook), "GET /shelves/{s}/books/{b}": l.onShelf(l.getBook), "DELETE /shelves/{s}/books/{b}": l.onShelf(l.removeBook),
		"GET /labels/{l}": l.getLabel, "PUT /labels/{l}": l.setLabel, "DELETE /labels/{l}": l.deleteLabel,
		"GET /staff": l.listStaff, "GET /staff/{p}": l.getPerson, "DELETE /staff/{p}": l.dismissPerson,
	} {
		l.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { l.serve(w, r, serve) })
	}
	return l
}

// Left returns what is there apart from what was there before, and the requests that changed that.
func (l *Library) Left() (created, touched []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.shelves {
		if id != theirs {
			created = append(created, id)
		}
	}
	for name := range l.labels {
		if name != "theirs" {
			created = append(created, name)
		}
	}
	return created, slices.Clone(l.touched)
}

// ServeHTTP answers a request.
func (l *Library) ServeHTTP(w http.ResponseWriter, r *http.Request) { l.mux.ServeHTTP(w, r) }

func (l *Library) is(variant string) bool { return l.variant == variant }

func (l *Library) serve(w http.ResponseWriter, r *http.Request, serve func(*http.Request) (int, any, string)) {
	var status int
	var body any
	var location string
	open := l.is("delete-without-key") && r.Method == http.MethodDelete || l.is("put-without-key") && r.Method == http.MethodPut
	if r.Header.Get("X-Key") != Key && !open {
		w.Header().Set("WWW-Authenticate", "Key")
		status = http.StatusUnauthorized
	} else {
		l.mu.Lock()
		status, body, location = serve(r)
		if r.Method != http.MethodGet && r.Method != http.MethodHead && status < 300 && (r.PathValue("s") == theirs || r.PathValue("l") == "theirs" || r.PathValue("p") != "") {
			l.touched = append(l.touched, r.Method+" "+r.URL.Path)
		}
		l.mu.Unlock()
	}
	kind := "application/json"
	if status >= 400 {
		kind, body = "application/problem+json", map[string]any{"title": http.StatusText(status), "status": status}
	}
	if location != "" {
		w.Header().Set("Location", location)
	}
	if body != nil {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (l *Library) onShelf(serve func(*shelf, *http.Request) (int, any, string)) func(*http.Request) (int, any, string) {
	return func(r *http.Request) (int, any, string) {
		if s := l.shelves[r.PathValue("s")]; s != nil {
			return serve(s, r)
		}
		return http.StatusNotFound, nil, ""
	}
}

func (l *Library) listShelves(*http.Request) (int, any, string) {
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(l.shelves)) {
		all = append(all, l.shelves[id].fields)
	}
	return http.StatusOK, map[string]any{"data": all}, ""
}

// object reads a body that is one JSON object.
func object(r *http.Request) (map[string]any, bool) {
	var sent map[string]any
	d := json.NewDecoder(r.Body)
	if d.Decode(&sent) != nil || sent == nil {
		return nil, false
	}
	_, err := d.Token()
	return sent, err == io.EOF
}

// read reads the body of a shelf.
func (l *Library) read(r *http.Request) (map[string]any, bool) {
	sent, ok := object(r)
	if !ok {
		return nil, false
	}
	name, is := sent["name"].(string)
	if !is || name == "" || len([]rune(name)) > 60 {
		return nil, false
	}
	out := map[string]any{"name": name}
	if v, there := sent["room"]; there {
		room, is := v.(float64)
		unchecked := l.is("put-unchecked") && r.Method == http.MethodPut
		if !is || (room < 0 || room > 99) && !unchecked || room != float64(int(room)) {
			return nil, false
		}
		out["room"] = room
	}
	return out, true
}

func (l *Library) taken(name any, but string) bool {
	for id, s := range l.shelves {
		if s.fields["name"] == name && id != but {
			return true
		}
	}
	return false
}

func (l *Library) createShelf(r *http.Request) (int, any, string) {
	fields, ok := l.read(r)
	switch {
	case !ok:
		return http.StatusBadRequest, nil, ""
	case l.is("creation-broken"):
		return http.StatusConflict, nil, ""
	case l.taken(fields["name"], ""):
		return http.StatusConflict, nil, ""
	}
	l.last++
	id := fmt.Sprintf("shelf-%d", l.last)
	fields["id"] = id
	l.shelves[id] = &shelf{fields: fields, books: map[int]int{}}
	return http.StatusCreated, fields, "/shelves/" + id
}

func (l *Library) getShelf(s *shelf, _ *http.Request) (int, any, string) {
	return http.StatusOK, s.fields, ""
}

func (l *Library) replaceShelf(s *shelf, r *http.Request) (int, any, string) {
	fields, ok := l.read(r)
	id, _ := s.fields["id"].(string)
	switch {
	case !ok:
		return http.StatusBadRequest, nil, ""
	case l.taken(fields["name"], id):
		return http.StatusConflict, nil, ""
	}
	fields["id"] = id
	s.fields = fields
	if l.is("put-202") {
		return http.StatusAccepted, fields, ""
	}
	return http.StatusOK, fields, ""
}

func (l *Library) deleteShelf(s *shelf, _ *http.Request) (int, any, string) {
	id, _ := s.fields["id"].(string)
	delete(l.shelves, id)
	if l.is("delete-crashes") {
		return http.StatusInternalServerError, nil, ""
	}
	return http.StatusNoContent, nil, ""
}

func (l *Library) closeShelf(s *shelf, r *http.Request) (int, any, string) {
	sent, ok := object(r)
	if !ok || sent["reason"] != "full" && sent["reason"] != "old" && !l.is("close-unchecked") {
		return http.StatusBadRequest, nil, ""
	}
	if s.closed {
		return http.StatusConflict, nil, ""
	}
	s.closed = true
	return http.StatusNoContent, nil, ""
}

func (l *Library) listBooks(s *shelf, _ *http.Request) (int, any, string) {
	all := []any{}
	for _, n := range slices.Sorted(maps.Keys(s.books)) {
		all = append(all, map[string]any{"number": n, "pages": s.books[n]})
	}
	return http.StatusOK, all, ""
}

func (l *Library) addBook(s *shelf, r *http.Request) (int, any, string) {
	sent, ok := object(r)
	pages, is := sent["pages"].(float64)
	n := int(pages)
	if !ok || !is || pages != float64(n) || n < 1 || n > 999 {
		return http.StatusBadRequest, nil, ""
	}
	l.last++
	s.books[l.last] = n
	return http.StatusCreated, nil, fmt.Sprintf("https://library.test/v1/shelves/%s/books/%d", r.PathValue("s"), l.last)
}

func (l *Library) getBook(s *shelf, r *http.Request) (int, any, string) {
	n, _ := strconv.Atoi(r.PathValue("b"))
	if pages, there := s.books[n]; there {
		return http.StatusOK, map[string]any{"number": n, "pages": pages}, ""
	}
	return http.StatusNotFound, nil, ""
}

func (l *Library) removeBook(s *shelf, r *http.Request) (int, any, string) {
	n, _ := strconv.Atoi(r.PathValue("b"))
	if _, there := s.books[n]; !there {
		return http.StatusNotFound, nil, ""
	}
	delete(s.books, n)
	return http.StatusNoContent, nil, ""
}

func (l *Library) getLabel(r *http.Request) (int, any, string) {
	if colour, there := l.labels[r.PathValue("l")]; there {
		return http.StatusOK, map[string]any{"colour": colour}, ""
	}
	return http.StatusNotFound, nil, ""
}

func (l *Library) setLabel(r *http.Request) (int, any, string) {
	sent, ok := object(r)
	colour, _ := sent["colour"].(string)
	name := r.PathValue("l")
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && len(name) <= 31
	if !ok || colour != "red" && colour != "blue" || !plain {
		return http.StatusBadRequest, nil, ""
	}
	_, there := l.labels[name]
	l.labels[name] = colour
	if there {
		return http.StatusOK, map[string]any{"colour": colour}, ""
	}
	return http.StatusCreated, map[string]any{"colour": colour}, ""
}

func (l *Library) deleteLabel(r *http.Request) (int, any, string) {
	if _, there := l.labels[r.PathValue("l")]; !there {
		return http.StatusNotFound, nil, ""
	}
	delete(l.labels, r.PathValue("l"))
	return http.StatusNoContent, nil, ""
}

func (l *Library) listStaff(*http.Request) (int, any, string) {
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(l.staff)) {
		all = append(all, map[string]any{"id": id, "name": l.staff[id]})
	}
	return http.StatusOK, all, ""
}

func (l *Library) getPerson(r *http.Request) (int, any, string) {
	if name, there := l.staff[r.PathValue("p")]; there {
		return http.StatusOK, map[string]any{"id": r.PathValue("p"), "name": name}, ""
	}
	return http.StatusNotFound, nil, ""
}

func (l *Library) dismissPerson(r *http.Request) (int, any, string) {
	if _, there := l.staff[r.PathValue("p")]; !there {
		return http.StatusNotFound, nil, ""
	}
	delete(l.staff, r.PathValue("p"))
	return http.StatusNoContent, nil, ""
}
