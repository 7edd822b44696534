package verdict_test

import (
	"slices"
	"testing"

	"hallmark/reports/fixture"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// What a creation sent of something else, and what changed a resource, did not create it.
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

// What shows a finding again begins with what its requests name and the run has removed since.
func TestReplay(t *testing.T) {
	for name, c := range map[string]struct {
		left []string // the identifiers of what the run left
		ask  string
		want []int
	}{
		"all is gone":              {nil, "GET /shelves/s-1/books/7", []int{1, 3, 5}},
		"the child is gone":        {[]string{"s-1"}, "GET /shelves/s-1/books/7", []int{3, 5}},
		"the parent is gone":       {[]string{"7"}, "GET /shelves/s-1/books/7", []int{1, 3, 5}},
		"all is there":             {[]string{"s-1", "7"}, "GET /shelves/s-1/books/7", []int{5}},
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
