package steps

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

const shopKey = "Shop-Key-4711-abcXYZ"

// shop is a small service that keeps the interface, for tests that change one thing about it. It answers without a
// network, and carries what the should rules ask for, so that whatever is found comes from the change.
type shop struct {
	key string
	// least, most and standard are its limits, statuses what an animal may carry; added is the status of a creation.
	least, most, standard int
	statuses              []string
	added                 int

	// The functions below are called one at a time, and may look at pets and asked.

	// lose makes a request end without a response.
	lose func(r *http.Request) error
	// instead answers in place of the shop; nil leaves the request to it.
	instead func(r *http.Request, body []byte) *reply
	// change alters a response before it is sent.
	change func(r *http.Request, a *reply)

	mu    sync.Mutex
	pets  []row // oldest first
	last  int64
	asked []asked
}

// row is an animal as it is shown; integers are json.Number.
type row = map[string]any

// asked is a request that reached the shop.
type asked struct {
	method, path, query string
	header              http.Header
	body                []byte
	hasBody             bool
}

// reply is a response in the making. A body of string or []byte is sent as it is, any other as JSON, nil not at all.
type reply struct {
	status int
	header http.Header
	body   any
}

func newShop() *shop {
	return &shop{key: shopKey, least: 1, most: 100, standard: 20, statuses: []string{"available", "pending", "sold"}, added: http.StatusCreated}
}

// stock adds animals of others.
func (s *shop) stock(n int, statuses ...string) *shop {
	for i := range n {
		fields := row{"name": "other " + strconv.Itoa(i), "categoryId": json.Number("2")}
		if len(statuses) > 0 {
			fields["status"] = statuses[i%len(statuses)]
		}
		s.add(fields)
	}
	return s
}

func (s *shop) add(fields row) row {
	s.last++
	fields["id"] = json.Number(strconv.FormatInt(s.last, 10))
	s.pets = append(s.pets, fields)
	return fields
}

// requests lists what was asked by a method.
func (s *shop) requests(method string) []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.asked), func(a asked) bool { return a.method != method })
}

// RoundTrip answers a request.
func (s *shop) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked{
		r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Clone(), body, r.Body != nil,
	})
	if s.lose != nil {
		if err := s.lose(r); err != nil {
			return nil, err
		}
	}
	var a *reply
	if s.instead != nil {
		a = s.instead(r, body)
	}
	if a == nil {
		a = s.answer(r, body)
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	if a.header.Get("Content-Type") == "" {
		a.header.Set("Content-Type", "application/json")
	}
	if s.change != nil {
		s.change(r, a)
	}
	return a.response(r), nil
}

func (a *reply) response(r *http.Request) *http.Response {
	var raw []byte
	switch body := a.body.(type) {
	case nil:
	case string:
		raw = []byte(body)
	case []byte:
		raw = body
	default:
		raw, _ = json.Marshal(body)
	}
	return &http.Response{
		StatusCode: a.status, Status: strconv.Itoa(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(bytes.NewReader(raw)), ContentLength: int64(len(raw)), Request: r,
	}
}

func errorReply(status int) *reply {
	return &reply{
		status: status, header: http.Header{"Content-Type": {"application/json"}},
		body: map[string]any{"code": "c", "message": "m", "status": status},
	}
}

// answer is what the shop says of itself.
func (s *shop) answer(r *http.Request, body []byte) *reply {
	if r.Header.Get("Authorization") != "Bearer "+s.key {
		a := errorReply(http.StatusUnauthorized)
		a.header.Set("WWW-Authenticate", "Bearer")
		return a
	}
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	switch {
	case path == "/pets" && r.Method == http.MethodGet:
		return s.list(r)
	case path == "/pets" && r.Method == http.MethodPost:
		return s.create(body)
	case strings.HasPrefix(path, "/pets/") && r.Method == http.MethodGet:
		return s.get(strings.TrimPrefix(path, "/pets/"))
	}
	return errorReply(http.StatusNotFound)
}

func (s *shop) list(r *http.Request) *reply {
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	switch {
	case query.Get("limit") == "":
		limit = s.standard
	case err != nil || limit < s.least || limit > s.most:
		return errorReply(http.StatusBadRequest)
	}
	if status := query.Get("status"); query.Has("status") && !slices.Contains(s.statuses, status) {
		return errorReply(http.StatusBadRequest)
	}
	page := []row{}
	for _, p := range slices.Backward(s.pets) {
		if status := query.Get("status"); (status == "" || p["status"] == status) && len(page) < limit {
			page = append(page, p)
		}
	}
	return &reply{status: http.StatusOK, body: page}
}

func (s *shop) get(id string) *reply {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil {
		return errorReply(http.StatusBadRequest)
	}
	for _, p := range s.pets {
		if p["id"].(json.Number).String() == id {
			return &reply{status: http.StatusOK, body: p, header: http.Header{
				"Deprecation": {"@1922659200"}, "Sunset": {"Thu, 05 Dec 2030 00:00:00 GMT"},
			}}
		}
	}
	return errorReply(http.StatusNotFound)
}

func (s *shop) create(body []byte) *reply {
	var sent map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&sent) != nil || sent == nil || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return errorReply(http.StatusBadRequest)
	}
	name, isText := sent["name"].(string)
	category, _ := sent["categoryId"].(json.Number)
	if _, err := strconv.ParseInt(category.String(), 10, 64); err != nil || !isText {
		return errorReply(http.StatusBadRequest)
	}
	// What Go's decoder replaces could not come back as it was sent.
	if !utf8.Valid(body) || strings.ContainsRune(name, utf8.RuneError) && !bytes.ContainsRune(body, utf8.RuneError) {
		return errorReply(http.StatusBadRequest)
	}
	fields := row{"name": name, "categoryId": category}
	if status, given := sent["status"]; given {
		if text, _ := status.(string); !slices.Contains(s.statuses, text) {
			return errorReply(http.StatusBadRequest)
		}
		fields["status"] = status
	}
	return &reply{status: s.added, body: s.add(fields)}
}

// lists makes a change of all lists that are answered with 200.
func lists(alter func(r *http.Request, page []row) []row) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if page, ok := a.body.([]row); ok && a.status == http.StatusOK {
			a.body = alter(r, page)
		}
	}
}

// altered is a copy of an animal with some fields other than they were; nil takes a field away.
func altered(p row, fields row) row {
	out := row{}
	maps.Copy(out, p)
	for k, v := range fields {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return out
}

// latest is the last request, for functions that are called while the shop is locked.
func (s *shop) latest() asked { return s.asked[len(s.asked)-1] }
