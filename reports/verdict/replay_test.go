package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// A creation that only sent a reference to a resource, and a change of it, did not create it.
func TestReplayHoldsNothingUnrelated(t *testing.T) {
	r := fixture.New(t)
	r.Exchange("POST /events", 201, `{"eventId":"e-12345"}`)
	for range 3 {
		r.Exchange(`POST /tickets {"eventId":"e-12345"}`, 201, `{"eventId":"e-12345","ticketId":"t-98765"}`)
		r.Exchange(`PUT /events/e-12345 {"price":3}`, 200, `{"eventId":"e-12345","price":3}`)
	}
	r.Rec.Created = nil
	var cited []int
	for range 3 {
		cited = append(cited, r.Exchange("GET /events/e-12345", 200, `{"eventId":"e-12345"}`))
	}
	cited = append(cited, r.Exchange(`POST /tickets {"eventId":"e-12345","ticketId":"t-98765"}`, 201, `{"eventId":"e-12345","ticketId":"t-98765"}`))
	var got []int
	for _, ex := range verdict.NewExchangeIndex(&r.Rec).Replay(spec.Finding{Exchanges: cited}) {
		got = append(got, ex.Seq)
	}
	if want := []int{1, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("repeated are %v, want %v: the event, the last read and the request itself", got, want)
	}
}

// A replay begins by creating what its requests read, and what they name and the run has removed since.
func TestReplay(t *testing.T) {
	for name, c := range map[string]struct {
		left []string // the identifiers of what the run left
		ask  string
		want []int
	}{
		"all is gone":              {nil, "GET /shelves/s-1/books/7", []int{1, 3, 5}},
		"the child is gone":        {[]string{"s-1"}, "GET /shelves/s-1/books/7", []int{3, 5}},
		"the parent is gone":       {[]string{"7"}, "GET /shelves/s-1/books/7", []int{1, 3, 5}},
		"all is there":             {[]string{"s-1", "7"}, "GET /shelves/s-1/books/7", []int{3, 5}},
		"created where it says":    {nil, "PUT /shelves/a/label {}", []int{2, 5}},
		"created by nobody":        {nil, "GET /shelves/other/books/7", []int{5}},
		"what is not there yet":    {nil, "GET /shelves/s-3", []int{5}},
		"named in the body":        {nil, `POST /loans {"shelfId":"s-1"}`, []int{1, 5}},
		"named in the query":       {nil, "GET /loans?book_id=7", []int{1, 3, 5}},
		"refused, and so not made": {nil, "GET /shelves/s-4", []int{5}},
		"named by itself":          {nil, `POST /shelves {"id":"s-1"}`, []int{5}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			r.Exchange("POST /shelves", 201, `{"data":{"id":"s-1"}}`)
			r.Exchange("PUT /shelves/a", 201, `{}`)
			r.Exchange("POST /shelves/s-1/books", 201, `{"book_id":7,"pages":3}`)
			r.Exchange("POST /shelves", 400, `{"id":"s-4"}`)
			f := spec.Finding{Exchanges: []int{r.Exchange(c.ask, 200, `{}`)}}
			r.Exchange("POST /shelves", 201, `{"id":"s-3"}`)
			r.Rec.Created = nil
			for _, id := range c.left {
				r.Rec.Created = append(r.Rec.Created, record.Creation{ID: id, Fate: record.Created})
			}
			var got []int
			for _, ex := range verdict.NewExchangeIndex(&r.Rec).Replay(f) {
				got = append(got, ex.Seq)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("repeated are %v, want %v", got, c.want)
			}
		})
	}
}

// Lists whose items the run has removed are filled again, so that the script does not read an empty one.
func TestReplayFillsLists(t *testing.T) {
	const book, other = `POST /shelves/s-1/books {"title":"x"}`, `POST /shelves/s-1/books {"title":"%d"}`
	for name, c := range map[string]struct {
		created []string // requests
		cited   []string // requests, besides that of the list
		shown   string
		pointer string
		want    []int
	}{
		"all of them":                  {[]string{book, `POST /shelves/s-1/books {"title":"y"}`}, nil, `[{"id":1},{"id":2}]`, "", []int{1, 2, 3, 4}},
		"of many the one that repeats": {[]string{"%1", book, "%2", "%3", "%4", "%5", book}, nil, `{"items":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},{"id":6},{"id":7}]}`, "", []int{1, 3, 3, 3, 3, 3, 3, 3, 9}},
		"none that repeats":            {[]string{"%1", "%2", "%3", "%4", "%5", "%6"}, nil, `[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},{"id":6}]`, "", []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"the item that it is about":    {[]string{book, "%1", book}, nil, `{"items":[{"id":1},{"id":2},{"id":3}]}`, "/items/1/title", []int{1, 3, 5}},
		"filled by what is cited":      {[]string{book, "%1", book}, []string{book}, `[{"id":1},{"id":2},{"id":3},{"id":4}]`, "", []int{1, 5, 6}},
		"mostly of others":             {[]string{book}, nil, `[{"id":1},{"id":12},{"id":13}]`, "", []int{1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.New(t)
			r.Exchange("POST /shelves", 201, `{"id":"s-1"}`)
			id := 0
			send := func(request string) int {
				id++
				if title, found := strings.CutPrefix(request, "%"); found {
					request = strings.Replace(other, "%d", title, 1)
				}
				return r.Exchange(request, 201, fmt.Sprintf(`{"id":%d}`, id))
			}
			for _, request := range c.created {
				send(request)
			}
			f := spec.Finding{Pointer: c.pointer}
			for _, request := range c.cited {
				f.Exchanges = append(f.Exchanges, send(request))
			}
			f.Exchanges = append(f.Exchanges, r.Exchange("GET /shelves/s-1/books", 200, c.shown))
			r.Rec.Created = nil
			var got []int
			for _, ex := range verdict.NewExchangeIndex(&r.Rec).Replay(f) {
				got = append(got, ex.Seq)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("repeated are %v, want %v", got, c.want)
			}
		})
	}
}

// A list of resources that still exist is not filled.
func TestReplayLeavesListsThatAreThere(t *testing.T) {
	for fate, want := range map[record.Fate]int{record.Created: 1, record.Removed: 2} {
		r := fixture.New(t)
		r.Exchange(`POST /shelves {"room":3}`, 201, `{"id":"s-1"}`)
		f := spec.Finding{Exchanges: []int{r.Exchange("GET /shelves", 200, `[{"id":"s-1"}]`)}}
		r.Rec.Created = []record.Creation{{ID: "s-1", Fate: fate}}
		if got := verdict.NewExchangeIndex(&r.Rec).Replay(f); len(got) != want {
			t.Errorf("%s: %d requests, want %d", fate, len(got), want)
		}
	}
}
