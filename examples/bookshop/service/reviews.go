package service

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

var newReview = object(true,
	property{"stars", true, integer(1, 5)}, property{"text", true, text(1, 500)}, property{"recommended", false, boolean}, property{"language", false, nullable(text(2, 5))},
)

func listReviews(a *asked) reply {
	s := a.shop
	book, refused := bookOf(a)
	if refused != nil {
		return *refused
	}
	all, refused := a.parameters(
		parameter{"offset", "query", false, numeral, integer(0, 1<<31-1)}, parameter{"limit", "query", false, numeral, integer(1, 100)},
		parameter{"stars", "query", false, commas, list(1, 5, false, integer(1, 5))},
	)
	if refused != nil {
		return *refused
	}
	reviews := s.reviews.each(book.key)
	switch {
	case a.is("newest-first"):
		slices.Reverse(reviews)
	case a.is("of-all-books"):
		reviews = s.reviews.all()
	}
	if wanted, asked := all["stars"].([]any); asked && !a.is("stars-ignored") {
		if a.is("stars-first-only") {
			wanted = wanted[:1]
		}
		reviews = slices.DeleteFunc(reviews, func(e entry) bool { return !slices.Contains(wanted, e.row.members["stars"]) })
	}
	limit := integerOf(all, "limit", 20)
	if a.is("limit-one-more") {
		limit++
	}
	page := window(reviews, integerOf(all, "offset", 0), limit)
	if a.is("offset-ignored") {
		page = window(reviews, 0, limit)
	}
	if a.is("one-twice") && len(page) > 0 && len(page) < 100 {
		page = append(slices.Clone(page), page[0])
	}
	return answered(http.StatusOK, shownAll(page, entry.body))
}

func addReview(a *asked) reply {
	s := a.shop
	book, refused := bookOf(a)
	if refused == nil {
		refused = a.values(newReview)
	}
	if refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	id := s.number()
	if s.is("reviews-once") {
		for _, other := range s.reviews.each(book.key) {
			if maps.Equal(other.row.members, sent) {
				return answered(http.StatusCreated, other.body()).location(s, "/books/%d/reviews/%d", book.key, other.key)
			}
		}
	}
	if s.is("ids-from-2^53") {
		id -= 1 << 53
	}
	if a.is("one-a-book") {
		id = book.number() + 20000
	}
	e := entry{id, &row{parent: book.key, members: kept(s, "addReview", sent)}}
	if !a.is("lost") {
		s.reviews.addRow(id, e.row)
	}
	body := e.body()
	if a.is("link-elsewhere") {
		body["id"] = id + 5000
	}
	return answered(http.StatusCreated, body).location(s, "/books/%d/reviews/%d", book.key, id)
}

// review returns the review that the path names.
func reviewOf(a *asked) (entry, *reply) {
	book, refused := bookOf(a)
	if refused != nil {
		return entry{}, refused
	}
	id := int(naturalID(a.PathValue("reviewId"), 32))
	if id == 0 && !a.is("id-unchecked") {
		return entry{}, a.unreadable("reviewId is none")
	}
	one := a.shop.reviews.rows[id]
	if one == nil || one.parent != book.key && !a.is("of-any-book") {
		if first := a.shop.reviews.rows[11]; first != nil && a.is("unknown-found") {
			return entry{id, first}, nil
		}
		out := a.refused(http.StatusNotFound, "there is no such review")
		return entry{}, &out
	}
	return entry{id, one}, nil
}

func readReview(a *asked) reply {
	e, refused := reviewOf(a)
	if refused != nil {
		return *refused
	}
	body := e.body()
	e.row.reads++
	switch {
	case a.is("crashes-again") && e.row.reads > 1:
		return a.refused(http.StatusInternalServerError, "something broke")
	case a.is("another-id-shown"):
		body["id"] = 1
	case a.is("reading-changes-text"):
		body["text"] = fmt.Sprintf("read %d times", e.row.reads)
	}
	return answered(http.StatusOK, body)
}

func removeReview(a *asked) reply {
	s := a.shop
	id := int(naturalID(a.PathValue("reviewId"), 32))
	if _, removed := s.reviews.gone[id]; removed && a.is("again-409") {
		return a.refused(http.StatusConflict, "the review is there no more")
	}
	_, refused := reviewOf(a)
	switch {
	case refused != nil:
		return *refused
	case s.is("staff-without-rights") && token(a.Header.Get("Authorization")) == "":
		return a.refused(http.StatusForbidden, "these staff may read reviews")
	case a.is("keeps"):
	default:
		if a.is("the-one-before-too") {
			s.reviews.removeBefore(id)
		}
		s.reviews.remove(id)
	}
	return done()
}
