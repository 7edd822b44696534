// Package shelf is a small service whose tests judge it by its OpenAPI document.
package shelf

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Book is what the service keeps.
type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Pages *int64 `json:"pages,omitempty"`
}

// Shelf keeps books in memory.
type Shelf struct {
	// Key is the key that clients send.
	Key string
	// Keeps is a bug: it says that a book is deleted, and keeps it.
	Keeps bool

	mu    sync.Mutex
	next  int
	books []Book
}

// Handler serves the interface of api.yaml.
func (s *Shelf) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/books", s.list)
	mux.HandleFunc("POST /v1/books", s.add)
	mux.HandleFunc("GET /v1/books/{id}", s.get)
	mux.HandleFunc("DELETE /v1/books/{id}", s.remove)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != s.Key {
			problem(w, http.StatusUnauthorized, "the key is missing or wrong")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (s *Shelf) list(w http.ResponseWriter, r *http.Request) {
	limit := 20
	if text := r.URL.Query().Get("limit"); r.URL.Query().Has("limit") {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > 100 {
			problem(w, http.StatusBadRequest, "limit is a number from 1 to 100")
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer(w, http.StatusOK, append([]Book{}, s.books[:min(limit, len(s.books))]...))
}

func (s *Shelf) add(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	var sent struct {
		Title *string `json:"title"`
		Pages any     `json:"pages"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err != nil || !strings.HasPrefix(strings.TrimSpace(string(text)), "{") || decoder.Decode(&sent) != nil || decoder.More() {
		problem(w, http.StatusBadRequest, "the body is no book")
		return
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(text, &given)
	book := Book{}
	if sent.Title == nil || *sent.Title == "" || utf8.RuneCountInString(*sent.Title) > 200 {
		problem(w, http.StatusBadRequest, "title has 1 to 200 characters")
		return
	}
	book.Title = *sent.Title
	if _, there := given["pages"]; there {
		pages, ok := whole(sent.Pages)
		if !ok || pages < 1 || pages > 100_000 {
			problem(w, http.StatusBadRequest, "pages is a number from 1 to 100,000")
			return
		}
		book.Pages = &pages
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	book.ID = strconv.Itoa(s.next)
	s.books = append(s.books, book)
	answer(w, http.StatusCreated, book)
}

// whole returns the value of a number without a fraction, however it is written.
func whole(value any) (int64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	f, err := n.Float64()
	return int64(f), err == nil && f == float64(int64(f))
}

func (s *Shelf) get(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(r); i >= 0 {
		answer(w, http.StatusOK, s.books[i])
		return
	}
	problem(w, http.StatusNotFound, "there is no such book")
}

func (s *Shelf) remove(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(r)
	if i < 0 {
		problem(w, http.StatusNotFound, "there is no such book")
		return
	}
	if !s.Keeps {
		s.books = slices.Delete(s.books, i, i+1)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Shelf) index(r *http.Request) int {
	return slices.IndexFunc(s.books, func(b Book) bool { return b.ID == r.PathValue("id") })
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func problem(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]string{"message": message})
}
