package shop

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed openapi.yaml
var contract []byte

// Contract returns the text of the contract.
func Contract() []byte { return contract }

// Key is the credential that the service lets in.
const Key = "shop-key-7Hq"

// service is the service in memory.
type service struct {
	variant string
	mu      sync.Mutex
	items   []map[string]any
}

// New returns a service with a fault or a freedom; empty for neither.
func New(variant string) http.Handler {
	s := &service{variant: variant, items: []map[string]any{{"id": 1, "name": "first"}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", s.list)
	mux.HandleFunc("POST /items", s.create)
	mux.HandleFunc("GET /items/{id}", s.get)
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("GET /search", s.search)
	mux.HandleFunc("POST /logins", s.logIn)
	mux.HandleFunc("POST /photos", s.addPhoto)
	mux.HandleFunc("POST /notes", s.addNote)
	mux.HandleFunc("POST /blobs", s.addBlob)
	mux.HandleFunc("POST /layouts", s.tryLayout)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("GET /log", s.log)
	mux.HandleFunc("GET /shapes", s.shapes)
	if s.is("get-anything") {
		mux.HandleFunc("GET /logins", s.health)
	}
	if s.is("no-allow") {
		mux.HandleFunc("GET /notes", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) })
	}
	if s.is("get-hidden") {
		mux.HandleFunc("GET /logins", http.NotFound)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead || !s.head(w) {
			mux.ServeHTTP(w, r)
		}
	})
}

// head answers HEAD in the place of GET's handlers, where a variant has an answer of its own.
func (s *service) head(w http.ResponseWriter) bool {
	switch {
	case s.is("head-crashes"):
		w.WriteHeader(http.StatusInternalServerError)
	case s.is("head-html"):
		w.Header().Set("Content-Type", "text/html")
	case s.is("head-unknown"):
		w.WriteHeader(http.StatusMethodNotAllowed)
	case s.is("head-bare"):
		w.WriteHeader(http.StatusNoContent)
	default:
		return false
	}
	return true
}

func (s *service) is(variants ...string) bool { return slices.Contains(variants, s.variant) }

// answer answers with JSON.
func (s *service) answer(w http.ResponseWriter, status int, body any) {
	kind := "application/json"
	if status >= 400 {
		kind = "application/problem+json; charset=utf-8"
	}
	if s.is("media-type") && status == 200 {
		kind = "text/html"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	if !s.is("no-body") || status >= 400 {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (s *service) refuse(w http.ResponseWriter, status int, title string) {
	if status == 400 && s.is("fault-500") {
		status = 500
	}
	if status == 400 && s.is("problem-untitled") {
		s.answer(w, status, map[string]any{"status": status})
		return
	}
	problem := map[string]any{"title": title, "status": status, "type": "about:blank"}
	switch {
	case s.is("problem-of-another-status"):
		problem["status"] = status + 1
	case s.is("problem-without-status"):
		delete(problem, "status")
	}
	s.answer(w, status, problem)
}

// enter reports whether a request is let in.
func (s *service) enter(w http.ResponseWriter, r *http.Request) bool {
	key := r.Header.Get("X-Key")
	in := key == Key || s.is("key-ignored") || s.is("key-prefix") && key != "" && strings.HasPrefix(Key, key) ||
		s.is("key-case") && strings.EqualFold(key, Key) || s.is("key-longer") && strings.HasPrefix(key, Key)
	if !in {
		if !s.is("no-challenge") {
			w.Header().Set("WWW-Authenticate", "Key")
			if s.is("challenges-twice") {
				w.Header().Set("Www-Authenticate", `Basic realm="x", Key`)
			}
		}
		status := http.StatusUnauthorized
		if s.is("key-403") {
			status = http.StatusForbidden
		}
		s.refuse(w, status, "no key")
	}
	return in
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	if !s.enter(w, r) {
		return
	}
	q, limit := r.URL.Query(), 50
	switch unknown := q.Has("hallmarkUnknown"); {
	case unknown && s.is("unknown-parameter-crashes"):
		s.refuse(w, 500, "broken")
		return
	case unknown && s.is("unknown-parameter-refused"):
		s.refuse(w, 400, "no such parameter")
		return
	}
	if text, there := q["limit"]; there {
		n, err := strconv.Atoi(text[0])
		switch {
		case (err != nil || n < 1) && !s.is("limit-unchecked"), n > 50 && !s.is("limit-unchecked") && !s.is("limit-maximum-unchecked"), n == 50 && s.is("limit-maximum-refused"),
			n == 25 && s.is("limit-middle-refused"), n == 2 && s.is("limit-second-refused"):
			s.refuse(w, 400, "limit")
			return
		case err == nil && n > 0:
			limit = min(n, limit)
		}
	}
	if state, there := q["state"]; there && !s.is("state-unchecked") && !slices.Contains([]string{"new", "used"}, state[0]) {
		s.refuse(w, 400, "state")
		return
	}
	if tags, there := q["tag"]; there {
		parts := strings.Split(tags[0], ",")
		if len(parts) > 3 || slices.Contains(parts, "") {
			s.refuse(w, 400, "tag")
			return
		}
	}
	if s.is("teapot") {
		s.refuse(w, http.StatusTeapot, "short and stout")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.is("crashes") {
		s.refuse(w, 500, "oops")
		return
	}
	if !s.is("total-missing") {
		w.Header().Set("X-Total", strconv.Itoa(len(s.items)))
	}
	if s.is("total-text") {
		w.Header().Set("X-Total", "many")
	}
	out := []any{}
	for _, item := range s.items {
		if state, there := q["state"]; len(out) == limit || there && item["state"] != state[0] {
			continue
		}
		item = maps.Clone(item)
		switch {
		case s.is("id-text"):
			item["id"] = fmt.Sprint(item["id"])
		case s.is("id-fraction"):
			item["id"] = 1.5
		case s.is("name-null"):
			item["name"] = nil
		case s.is("name-left-out"):
			delete(item, "name")
		case s.is("state-unknown"):
			item["state"] = "broken"
		case s.is("extra"):
			item["extra"], item["_links"] = true, []any{}
		}
		out = append(out, item)
	}
	switch {
	case s.is("status-206"):
		s.answer(w, 206, out)
	case s.is("wrapped"):
		s.answer(w, 200, map[string]any{"items": out})
	case s.is("cut"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"id":1,"name":"first"}`)
	default:
		s.answer(w, 200, out)
	}
}

func (s *service) create(w http.ResponseWriter, r *http.Request) {
	if !s.enter(w, r) {
		return
	}
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "application/json" && !s.is("media-type-unchecked") {
		s.refuse(w, http.StatusUnsupportedMediaType, media)
		return
	}
	item, err := s.read(r)
	if err != nil {
		status := 400
		switch {
		case s.is("refuses-422"):
			status = 422
		case s.is("refuses-418"):
			status = 418
		case s.is("refuses-413"):
			status = 413
		}
		s.refuse(w, status, err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.is("names-once", "names-once-remark-longest-refused", "names-once-longest-refused") && slices.ContainsFunc(s.items, func(one map[string]any) bool { return one["name"] == item["name"] }) {
		s.refuse(w, 400, "name")
		return
	}
	id := len(s.items) + 1
	item["id"] = id
	if !s.is("shows-secret") {
		delete(item, "secret")
	} else {
		item["secret"] = "s"
	}
	s.items = append(s.items, item)
	shown := id
	if s.is("link-header-elsewhere") {
		shown += 1 << 20
	}
	w.Header().Set("X-Id", strconv.Itoa(shown))
	if s.is("link-elsewhere") {
		item = maps.Clone(item)
		item["id"] = -1
	}
	if !s.is("no-location") {
		w.Header().Set("Location", fmt.Sprintf("/items/%d", item["id"]))
	}
	if s.is("status-200") {
		s.answer(w, 200, item)
		return
	}
	s.answer(w, 201, item)
}

// read reads what is to be created, as the contract has it.
func (s *service) read(r *http.Request) (map[string]any, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	var item map[string]any
	if err := d.Decode(&item); err != nil || item == nil {
		if form, err := url.ParseQuery(string(data)); err == nil && form.Has("name") && s.is("form-as-json-accepted") {
			return map[string]any{"name": form.Get("name")}, nil
		}
		if s.is("body-missing-accepted") && len(data) == 0 {
			return map[string]any{"name": "none"}, nil
		}
		if s.is("body-type-accepted") && strings.HasPrefix(string(data), "[") {
			return map[string]any{"name": "none"}, nil
		}
		return nil, errors.New("the body")
	}
	if _, err := d.Token(); err != io.EOF && !s.is("body-trailing-accepted") {
		return nil, errors.New("the body")
	}
	for name := range item {
		if !slices.Contains([]string{"name", "price", "state", "tags", "size", "secret", "note"}, name) && !s.is("unknown-accepted") {
			return nil, errors.New(name)
		}
	}
	name, is := item["name"].(string)
	switch n := utf8.RuneCountInString(name); {
	case !is && item["name"] == nil && s.is("name-missing-accepted"):
		item["name"] = "none"
	case !is, n < 1, n > 20 && !s.is("name-long-accepted"), n == 20 && s.is("name-longest-refused", "names-once-longest-refused"), len(name) > 20 && s.is("name-in-bytes"), len(name) > n && s.is("names-in-ascii"):
		return nil, errors.New("name")
	}
	if v, there := item["price"]; there {
		n, is := v.(float64)
		if cents := n * 100; !is || n < 0 && !s.is("price-negative-accepted") || math.Abs(cents-math.Round(cents)) > 1e-6 {
			return nil, errors.New("price")
		}
	}
	if v, there := item["state"]; there && !slices.Contains([]any{"new", "used"}, v) {
		text, _ := v.(string)
		if !s.is("state-case-accepted") && (!s.is("state-capital-accepted") || text != "New") || !slices.Contains([]string{"new", "used"}, strings.ToLower(text)) {
			return nil, errors.New("state")
		}
		item["state"] = strings.ToLower(text)
	}
	if v, there := item["secret"]; there {
		if _, is := v.(string); !is {
			return nil, errors.New("secret")
		}
	}
	if v, there := item["note"]; there && (v != nil || s.is("null-refused")) {
		text, is := v.(string)
		if n := utf8.RuneCountInString(text); !is || n > 5 || n == 5 && s.is("remark-longest-refused", "names-once-remark-longest-refused") || n > 0 && text[0] != 'n' && s.is("notes-of-its-own") {
			return nil, errors.New("note")
		}
	}
	return item, s.readParts(item)
}

func (s *service) readParts(item map[string]any) error {
	if v, there := item["tags"]; there {
		tags, is := v.([]any)
		if !is || len(tags) > 3 {
			return errors.New("tags")
		}
		for i, one := range tags {
			text, _ := one.(string)
			if n := utf8.RuneCountInString(text); n > 6 && !s.is("tag-long-accepted") || n == 6 && s.is("tag-longest-refused") || len(text) > 6 && s.is("tag-in-bytes") {
				return errors.New("tags")
			}
			if _, is := one.(string); !is && !s.is("tag-type-accepted") || slices.Contains(tags[:i], one) && !s.is("tags-repeated-accepted") {
				return errors.New("tags")
			}
		}
	}
	if v, there := item["size"]; there {
		switch size := v.(type) {
		case string:
			if size != "small" && size != "large" {
				return errors.New("size")
			}
		case map[string]any:
			width, is := size["width"].(float64)
			if !is || width != math.Trunc(width) || len(size) > 1 {
				return errors.New("size")
			}
		default:
			return errors.New("size")
		}
	}
	return nil
}

func (s *service) get(w http.ResponseWriter, r *http.Request) {
	if !s.enter(w, r) {
		return
	}
	n, err := strconv.Atoi(r.PathValue("id"))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil || n < 1 || n > len(s.items):
		if s.is("unknown-found") {
			s.answer(w, 200, map[string]any{"id": n, "name": "none"})
			return
		}
		s.refuse(w, map[bool]int{true: 410, false: 404}[s.is("gone-for-good")], "nothing")
	default:
		s.answer(w, 200, s.items[n-1])
	}
}

func (s *service) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !s.is("no-deprecation") {
		w.Header().Set("Deprecation", "@1767225600")
	}
	if s.is("health-bad") {
		_, _ = io.WriteString(w, "bad day")
		return
	}
	_, _ = io.WriteString(w, "good")
}
