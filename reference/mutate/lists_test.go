package mutate_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// shelves is a service that shows the books 1 to 5 of each shelf, a page at a time, and deletes them.
type shelves map[string]map[int]bool

func (s shelves) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(r.URL.Path, "/") // "", shelves, shelf, books, book
	shelf := s[segments[2]]
	if len(segments) > 4 {
		if n, _ := strconv.Atoi(segments[4]); r.Method == http.MethodDelete {
			delete(shelf, n)
			w.WriteHeader(http.StatusNoContent)
		} else {
			_, _ = fmt.Fprintf(w, `{"id":%d}`, n)
		}
		return
	}
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	limit := number("limit", 2)
	offset := max(number("offset", 0), (number("page", 1)-1)*limit)
	items := []map[string]int{}
	for n := 1; n <= 5; n++ {
		if shelf[n] {
			items = append(items, map[string]int{"id": n})
		}
	}
	items = items[min(offset, len(items)):]
	_ = json.NewEncoder(w).Encode(items[:min(limit, len(items))])
}

// An item that is still listed moves nothing to another page, for any page size, and is on no list of another
// parent.
func TestStillListedKeepsThePages(t *testing.T) {
	for position, units := range map[string]mutate.Unit{"offset": mutate.Items, "page": mutate.Pages} {
		m, err := mutate.Mutation{Operation: "remove", Do: mutate.ActStillListed, Resource: &mutate.Resource{
			Creates: "create", Reads: "read", Deletes: "remove", Lists: "list", Path: "/shelves/{shelf}/books/{book}", ID: []string{"id"}, Member: "id", Items: []string{}, ItemID: "id",
			Size: "limit", Default: "2", Most: "10", Position: position, Positions: units, FirstPage: map[mutate.Unit]int{mutate.Pages: 1}[units],
		}}.Middleware()
		if err != nil {
			t.Fatal(err)
		}
		service := shelves{}
		for _, shelf := range []string{"a", "b"} {
			service[shelf] = map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true}
		}
		h := &mutate.Handler{
			Next: service, Middleware: []mutate.Middleware{m},
			Operation: func(method, path string) string {
				switch {
				case method == http.MethodDelete:
					return "remove"
				case strings.HasSuffix(path, "/books"):
					return "list"
				}
				return "read"
			},
		}
		ask := func(method, target string) []byte {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(method, target, http.NoBody))
			return w.Body.Bytes()
		}
		for _, book := range []string{"2", "1", "4"} {
			ask("DELETE", "/shelves/a/books/"+book)
		}
		for _, size := range []int{0, 1, 2, 3, 4, 5, 6, 7, 10} {
			for shelf, want := range map[string][]int{"a": {3, 5, 2, 1, 4}, "b": {1, 2, 3, 4, 5}} {
				var got []int
				for n := range 10 {
					q, each := url.Values{}, 2
					if size > 0 {
						q.Set("limit", strconv.Itoa(size))
						each = size
					}
					switch {
					case n > 0 && units == mutate.Pages:
						q.Set(position, strconv.Itoa(n+1))
					case n > 0:
						q.Set(position, strconv.Itoa(n*each))
					}
					var items []struct{ ID int }
					if err := json.Unmarshal(ask("GET", "/shelves/"+shelf+"/books?"+q.Encode()), &items); err != nil || len(items) > each {
						t.Fatalf("%d of at most %d, %v", len(items), each, err)
					}
					if len(items) == 0 {
						break
					}
					for _, item := range items {
						got = append(got, item.ID)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("by %s and %d a page shelf %s has %v, want %v", position, size, shelf, got, want)
				}
			}
		}
	}
}

// A list that no parameter sorts is turned round, as long as its items differ in the member that it is sorted by.
func TestDisorder(t *testing.T) {
	for query, want := range map[string]string{"": "2 1", "?sort=id": "1 2", "?limit=1": "1"} {
		m, err := mutate.Mutation{Operation: "list", Do: mutate.ActDisorder, Name: "id", At: []string{"sort"}, Resource: &mutate.Resource{
			Creates: "create", Reads: "read", Lists: "list", Path: "/shelves/{shelf}/books/{book}", ID: []string{"id"}, Member: "id", Items: []string{}, ItemID: "id",
		}}.Middleware()
		if err != nil {
			t.Fatal(err)
		}
		h := mutate.Handler{Next: shelves{"a": {1: true, 2: true}}, Middleware: []mutate.Middleware{m}, Operation: func(string, string) string { return "list" }}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/shelves/a/books"+query, nil))
		var items []struct{ ID int }
		if err := json.Unmarshal(w.Body.Bytes(), &items); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range items {
			got = append(got, strconv.Itoa(item.ID))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", query, got, want)
		}
	}
}
