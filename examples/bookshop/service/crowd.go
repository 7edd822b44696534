package service

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/tests/crowd"
)

// enter notes a request, and waits for others; leave ends it. A shop that minds no crowds does neither.
func enter(s *Service, a *asked) (leave func()) {
	if !strings.Contains(s.variant, "crowd") && !strings.Contains(s.variant, "crossing") && !strings.Contains(s.variant, "while-read") {
		return func() {}
	}
	a.company, leave = s.crowd.Enter(a.Request)
	return leave
}

// inCrowd answers a request in the way of a variant that minds what happens at the same time.
func inCrowd(s *Service, a *asked, answer func() reply) reply {
	n, follows, readers := a.company.Most, a.company.Place > 1, a.company.Readers
	book := s.books.rows[int(naturalID(a.PathValue("bookId"), 64))]
	switch {
	case s.is("crowds-refused") && s.admits(a) && a.Method != http.MethodGet && follows && (n >= crowd.Many || n > 1 && a.Method != http.MethodPost):
		return a.refused([]int{http.StatusConflict, http.StatusLocked, http.StatusTooManyRequests}[a.company.Place%3], "one at a time")
	case a.is("ids-repeat-in-a-crowd") && n >= crowd.Many && follows:
		s.last--
	case a.is("lost-in-a-crowd") && n >= crowd.Many && follows:
		return forgetting(s, a, answer)
	case a.is("mixed-in-a-crowd") && n >= crowd.Many && follows:
		return mixing(s, answer)
	case a.is("lost-when-crossing") && n > 1 && book != nil:
		before := maps.Clone(book.members)
		out := answer()
		book.members = before
		return out
	case a.is("torn-when-crossing") && n > 1 && follows && book != nil:
		before := book.members["subtitle"]
		out := answer()
		book.members["subtitle"] = before
		return out
	case a.is("kept-while-read") && readers > 0:
		return restoring(s, a, answer)
	case s.is("crossing-changes-late"):
		return late(s, a, book, answer)
	}
	return answer()
}

// forgetting answers, and keeps nothing of what that creates.
func forgetting(s *Service, a *asked, answer func() reply) reply {
	out := answer()
	if out.status != http.StatusCreated {
		return out
	}
	switch a.operation.name {
	case "addBook":
		forgetLast(s.books)
	case "addReview":
		forgetLast(s.reviews)
	case "registerCustomer":
		forgetLast(s.customers)
	case "placeOrder":
		forgetLast(s.orders)
	}
	return out
}

func forgetLast[K comparable](t *table[K]) {
	last := len(t.keys) - 1
	delete(t.rows, t.keys[last])
	t.keys = t.keys[:last]
}

// mixing answers, and keeps the text of the review before.
func mixing(s *Service, answer func() reply) reply {
	before := s.reviews.rows[s.reviews.keys[len(s.reviews.keys)-1]]
	out := answer()
	if out.status == http.StatusCreated {
		one := s.reviews.rows[s.reviews.keys[len(s.reviews.keys)-1]]
		one.members["text"] = before.members["text"]
	}
	return out
}

// restoring answers, and brings back what that removes.
func restoring(s *Service, a *asked, answer func() reply) reply {
	switch a.operation.name {
	case "removeBook":
		return restored(s.books, answer)
	case "removeReview":
		return restored(s.reviews, answer)
	}
	return restored(s.customers, answer)
}

func restored[K comparable](t *table[K], answer func() reply) reply {
	rows, keys := maps.Clone(t.rows), slices.Clone(t.keys)
	out := answer()
	for key := range t.gone {
		if rows[key] != nil {
			delete(t.gone, key)
		}
	}
	t.rows, t.keys = rows, keys
	return out
}

// stale is what is shown of a book for a while.
type stale struct {
	members map[string]any
	until   time.Time
}

// late shows a book for a while as it was before it was changed.
func late(s *Service, a *asked, book *row, answer func() reply) reply {
	was, changed := s.stale[a.URL.Path]
	switch {
	case book == nil:
	case a.Method == http.MethodGet && changed && time.Now().Before(was.until):
		now := book.members
		book.members = was.members
		defer func() { book.members = now }()
	case a.Method == http.MethodPut || a.Method == http.MethodPatch:
		if !changed || time.Now().After(was.until) {
			s.stale[a.URL.Path] = stale{maps.Clone(book.members), time.Now().Add(delay)}
		}
	}
	return answer()
}
