package service

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

var newCustomer = object(false,
	property{"name", true, text(2, 60)},
	property{"password", true, text(8, 64)},
	property{"level", false, member("guest", "regular", "patron")},
	property{"newsletter", false, boolean},
	property{"address", false, object(false,
		property{"street", true, text(1, 80)}, property{"city", true, text(1, 60)}, property{"country", false, matching(`^[A-Z]{2}$`)})},
)

// uuid returns an identifier made of a number.
func uuid(n int) string { return fmt.Sprintf("5f0c7a3e-0000-4000-8000-%012x", n&(1<<48-1)) }

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// customer returns the customer that the path names.
func customerOf(a *asked) (entry, *reply) {
	id := a.PathValue("customerId")
	if !uuidPattern.MatchString(id) && !a.is("id-unchecked") {
		return entry{}, a.unreadable("customerId is none")
	}
	id = strings.ToLower(id)
	one := a.shop.customers.rows[id]
	if one == nil && a.is("unknown-found") {
		one = &row{members: map[string]any{"name": "somebody"}}
	}
	if one == nil {
		out := a.refused(http.StatusNotFound, "there is no such customer")
		return entry{}, &out
	}
	return entry{id, one}, nil
}

// shownCustomer shows a customer, whose password is only to be written.
func shownCustomer(a *asked, e entry) map[string]any {
	out := e.body()
	if !a.is("password-shown") {
		delete(out, "password")
	}
	return out
}

func listCustomers(a *asked) reply {
	s := a.shop
	all, refused := a.parameters(parameter{"page", "query", false, numeral, integer(1, 1<<31-1)}, parameter{"per_page", "query", false, numeral, integer(1, 100)})
	if refused != nil {
		return *refused
	}
	n := integerOf(all, "per_page", 50)
	from := (integerOf(all, "page", 1) - 1) * n
	switch {
	case a.is("per_page-ignored"):
		n = 50
	case a.is("pages-overlap"):
		from = max(0, from-1)
	case a.is("page-ignored"):
		from = 0
	case a.is("pages-apart") && from > 0:
		from++
	}
	customers := s.customers.each(nil)
	if s.is("registerCustomer.each-third-unlisted") {
		n := 0
		customers = slices.DeleteFunc(customers, func(entry) bool { n++; return n%3 == 0 })
	}
	page := window(customers, from, n)
	out := shownAll(page, func(e entry) map[string]any { return shownCustomer(a, e) })
	if a.is("one-twice") && len(out) > 0 && len(out) < 100 {
		out = append(out, out[0])
	}
	return answered(http.StatusOK, out)
}

func registerCustomer(a *asked) reply {
	s := a.shop
	if refused := a.values(newCustomer); refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	id := uuid(s.number())
	if a.is("one-id-for-all") {
		id = uuid(7)
	}
	members := maps.Clone(kept(s, "registerCustomer", sent))
	e := entry{id, &row{members: members}}
	if !a.is("lost") {
		s.customers.addRow(id, e.row)
	}
	return answered(http.StatusCreated, shownCustomer(a, e)).location(s, "/customers/%s", id)
}

func readCustomer(a *asked) reply {
	s := a.shop
	e, refused := customerOf(a)
	if refused != nil {
		return *refused
	}
	if all := s.customers.each(nil); a.is("shows-the-one-before") {
		e = all[max(0, slices.IndexFunc(all, func(x entry) bool { return x.key == e.key })-1)]
	}
	body := shownCustomer(a, e)
	e.row.reads++
	switch {
	case a.is("another-id-shown"):
		body["id"] = uuid(999999)
	case a.is("name-forgotten") && e.row.reads > 1:
		body["name"] = "reader"
	}
	if s.is("last-seen-shown") {
		body["lastSeen"], body["visits"] = time.Now().Format(time.RFC3339Nano), e.row.reads
	}
	return answered(http.StatusOK, body)
}

func removeCustomer(a *asked) reply {
	s := a.shop
	if _, removed := s.customers.gone[strings.ToLower(a.PathValue("customerId"))]; removed && a.is("again-409") {
		return a.refused(http.StatusConflict, "the customer is there no more")
	}
	e, refused := customerOf(a)
	switch id, _ := e.key.(string); {
	case refused != nil:
		return *refused
	case a.is("keeps"):
	default:
		if a.is("the-one-before-too") {
			s.customers.removeBefore(id)
		}
		s.customers.remove(id)
	}
	return done()
}
