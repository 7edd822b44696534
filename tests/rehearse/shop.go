package rehearse

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Key is the key that a shop accepts.
const Key = "Shop-Key-4711-abcXYZ"

// Shop is a small service that keeps the interface, for tests that change one thing about it. It responds without a network and keeps the
// should rules, so that all findings come from the change.
type Shop struct {
	Key string
	// Least, Most and Standard are its limits, Statuses the allowed statuses of animals, and Added the status of a creation.
	Least, Most, Standard int
	Statuses              []string
	Added                 int

	// The functions below are called one at a time, and may read Pets and Asked.

	// Lose makes a request end without a response.
	Lose func(r *http.Request) error
	// Instead responds in place of the shop, unless it returns nil.
	Instead func(r *http.Request, body []byte) *Reply
	// Change modifies a response before it is sent.
	Change func(r *http.Request, a *Reply)

	mu    sync.Mutex
	Pets  []Row // oldest first
	last  int64
	Asked []Asked
}

// Row is an animal as displayed; integers are json.Number.
type Row = map[string]any

// Asked is a request that reached the shop.
type Asked struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
	HasBody             bool
}

// Reply is a response being built. A body of type string or []byte is sent unchanged, nil is not sent, and anything else is sent as JSON.
type Reply struct {
	Status int
	Header http.Header
	Body   any
}

// NewShop returns a shop without animals.
func NewShop() *Shop {
	return &Shop{Key: Key, Least: 1, Most: 100, Standard: 20, Statuses: []string{"available", "pending", "sold"}, Added: http.StatusCreated}
}

// Stock adds animals of other clients.
func (s *Shop) Stock(n int, statuses ...string) *Shop {
	for i := range n {
		fields := Row{"name": "other " + strconv.Itoa(i), "categoryId": json.Number("2")}
		if len(statuses) > 0 {
			fields["status"] = statuses[i%len(statuses)]
		}
		s.Add(fields)
	}
	return s
}

// Add adds an animal with the next id.
func (s *Shop) Add(fields Row) Row {
	s.last++
	fields["id"] = json.Number(strconv.FormatInt(s.last, 10))
	s.Pets = append(s.Pets, fields)
	return fields
}

// Requests returns the requests with a method.
func (s *Shop) Requests(method string) []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.Asked), func(a Asked) bool { return a.Method != method })
}

// RoundTrip handles a request.
func (s *Shop) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Asked = append(s.Asked, Asked{
		r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Clone(), body, r.Body != nil,
	})
	if s.Lose != nil {
		if err := s.Lose(r); err != nil {
			return nil, err
		}
	}
	var a *Reply
	if s.Instead != nil {
		a = s.Instead(r, body)
	}
	if a == nil {
		a = s.answer(r, body)
	}
	if a.Header == nil {
		a.Header = http.Header{}
	}
	if a.Header.Get("Content-Type") == "" {
		a.Header.Set("Content-Type", "application/json")
	}
	if s.Change != nil {
		s.Change(r, a)
	}
	return a.Response(r), nil
}

// Response returns the reply as a client receives it.
func (a *Reply) Response(r *http.Request) *http.Response {
	var raw []byte
	switch body := a.Body.(type) {
	case nil:
	case string:
		raw = []byte(body)
	case []byte:
		raw = body
	default:
		raw, _ = json.Marshal(body)
	}
	return &http.Response{
		StatusCode: a.Status, Status: strconv.Itoa(a.Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.Header, Body: io.NopCloser(bytes.NewReader(raw)), ContentLength: int64(len(raw)), Request: r,
	}
}

// ErrorReply returns an error of the interface.
func ErrorReply(status int) *Reply {
	return &Reply{
		Status: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: map[string]any{"code": "c", "message": "m", "status": status},
	}
}

// answer returns the shop's own response.
func (s *Shop) answer(r *http.Request, body []byte) *Reply {
	if r.Header.Get("Authorization") != "Bearer "+s.Key {
		a := ErrorReply(http.StatusUnauthorized)
		a.Header.Set("WWW-Authenticate", "Bearer")
		return a
	}
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	switch {
	case path == "/pets" && r.Method == http.MethodGet:
		return s.List(r)
	case path == "/pets" && r.Method == http.MethodPost:
		return s.Create(body)
	case strings.HasPrefix(path, "/pets/") && r.Method == http.MethodGet:
		return s.Get(strings.TrimPrefix(path, "/pets/"))
	}
	return ErrorReply(http.StatusNotFound)
}

// List handles listPets.
func (s *Shop) List(r *http.Request) *Reply {
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	switch {
	case query.Get("limit") == "":
		limit = s.Standard
	case err != nil || limit < s.Least || limit > s.Most:
		return ErrorReply(http.StatusBadRequest)
	}
	if status := query.Get("status"); query.Has("status") && !slices.Contains(s.Statuses, status) {
		return ErrorReply(http.StatusBadRequest)
	}
	page := []Row{}
	for _, p := range slices.Backward(s.Pets) {
		if status := query.Get("status"); (status == "" || p["status"] == status) && len(page) < limit {
			page = append(page, p)
		}
	}
	return &Reply{Status: http.StatusOK, Body: page}
}

// Get handles getPet.
func (s *Shop) Get(id string) *Reply {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil {
		return ErrorReply(http.StatusBadRequest)
	}
	for _, p := range s.Pets {
		if n, ok := p["id"].(json.Number); ok && n.String() == id {
			return &Reply{Status: http.StatusOK, Body: p, Header: http.Header{
				"Deprecation": {"@1922659200"}, "Sunset": {"Thu, 05 Dec 2030 00:00:00 GMT"},
			}}
		}
	}
	return ErrorReply(http.StatusNotFound)
}

// Create handles createPet.
func (s *Shop) Create(body []byte) *Reply {
	var sent map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&sent) != nil || sent == nil || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return ErrorReply(http.StatusBadRequest)
	}
	name, isText := sent["name"].(string)
	category, _ := sent["categoryId"].(json.Number)
	if _, err := strconv.ParseInt(category.String(), 10, 64); err != nil || !isText {
		return ErrorReply(http.StatusBadRequest)
	}
	// Text that Go's decoder replaces could not be returned as sent.
	if !utf8.Valid(body) || strings.ContainsRune(name, utf8.RuneError) && !bytes.ContainsRune(body, utf8.RuneError) {
		return ErrorReply(http.StatusBadRequest)
	}
	fields := Row{"name": name, "categoryId": category}
	if status, given := sent["status"]; given {
		if text, _ := status.(string); !slices.Contains(s.Statuses, text) {
			return ErrorReply(http.StatusBadRequest)
		}
		fields["status"] = status
	}
	return &Reply{Status: s.Added, Body: s.Add(fields)}
}

// Lists returns a change of all lists with status 200.
func Lists(alter func(r *http.Request, page []Row) []Row) func(*http.Request, *Reply) {
	return func(r *http.Request, a *Reply) {
		if page, ok := a.Body.([]Row); ok && a.Status == http.StatusOK {
			a.Body = alter(r, page)
		}
	}
}

// Altered returns a copy of an animal with some fields changed; nil removes a field.
func Altered(p Row, fields Row) Row {
	out := Row{}
	maps.Copy(out, p)
	for k, v := range fields {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return out
}

// Latest returns the last request, for functions that are called while the shop is locked.
func (s *Shop) Latest() Asked { return s.Asked[len(s.Asked)-1] }

// Answering returns a service with one response to every request.
func Answering(status int, body string) *Shop {
	s := NewShop()
	s.Instead = func(*http.Request, []byte) *Reply { return &Reply{Status: status, Body: body} }
	return s
}
