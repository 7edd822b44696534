package service

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/tests/crowd"
)

// The credentials that the shop lets in.
const (
	StaffKey      = "staff-key-Qz81-kTe"
	CustomerToken = "customer-token-7f3A-wLp"
	// NeighbourToken is that of another customer, who sees no order that the first one placed, and the reverse.
	NeighbourToken = "neighbour-token-2d9B-yRt"
)

// Service is a bookshop.
type Service struct {
	variant string

	mu        sync.Mutex
	last      int
	served    int
	books     *table[int]
	reviews   *table[int]
	customers *table[string]
	orders    *table[string]
	reports   *table[string]
	placed    map[string]placed
	stale     map[string]stale
	crowd     *crowd.Crowd

	mux http.ServeMux
}

// New returns a shop with a fault or a freedom; empty for neither.
func New(variant string) *Service {
	s := &Service{
		variant: variant, last: 1000, books: newTable[int](), reviews: newTable[int](), customers: newTable[string](), orders: newTable[string](),
		reports: newTable[string](), placed: map[string]placed{}, stale: map[string]stale{}, crowd: crowd.New(patience(variant)),
	}
	if s.is("ids-from-2^53") {
		s.last = 1 << 53
	}
	stock(s)
	for pattern, o := range s.operations() {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, o) })
	}
	return s
}

// patience is how long a change waits for company: long for a fault, which has to show, and a moment for a freedom, which whole runs meet.
func patience(variant string) time.Duration {
	if strings.Contains(variant, ".") {
		return crowd.Patience
	}
	return 0
}

// operation is how one operation is answered.
type operation struct {
	name string
	// credentials are the ways to be let in, each one credential; empty for an operation that is open to all.
	credentials []credential
	answer      func(*asked) reply
	// body reads the body; nil for none. media are the types that it may be of.
	body  func(*asked) (any, *reply)
	media string
}

func (s *Service) operations() map[string]operation {
	staff, customer := []credential{staffKey}, []credential{customerToken}
	const form, multipart, patch = "application/x-www-form-urlencoded", "multipart/form-data", "application/merge-patch+json"
	return map[string]operation{
		"GET /books":                     {name: "listBooks", answer: listBooks},
		"POST /books":                    {name: "addBook", credentials: staff, answer: addBook, body: readJSON, media: jsonType},
		"GET /books/{bookId}":            {name: "readBook", answer: readBook},
		"PUT /books/{bookId}":            {name: "replaceBook", credentials: staff, answer: replaceBook, body: readJSON, media: jsonType},
		"PATCH /books/{bookId}":          {name: "changeBook", credentials: staff, answer: changeBook, body: readJSON, media: patch},
		"DELETE /books/{bookId}":         {name: "removeBook", credentials: staff, answer: removeBook},
		"GET /books/{bookId}/cover":      {name: "readCover", answer: readCover},
		"PUT /books/{bookId}/cover":      {name: "uploadCover", credentials: staff, answer: uploadCover, body: readParts, media: multipart},
		"GET /books/{bookId}/reviews":    {name: "listReviews", answer: listReviews},
		"POST /books/{bookId}/reviews":   {name: "addReview", credentials: customer, answer: addReview, body: readJSON, media: jsonType},
		"GET /customers":                 {name: "listCustomers", credentials: staff, answer: listCustomers},
		"POST /customers":                {name: "registerCustomer", credentials: staff, answer: registerCustomer, body: readJSON, media: jsonType},
		"GET /customers/{customerId}":    {name: "readCustomer", credentials: staff, answer: readCustomer},
		"DELETE /customers/{customerId}": {name: "removeCustomer", credentials: staff, answer: removeCustomer},
		"GET /reports/{reportId}":        {name: "readReport", credentials: staff, answer: readReport},
		"POST /reports":                  {name: "startReport", credentials: staff, answer: startReport, body: readJSON, media: jsonType},
		"GET /recommendations":           {name: "recommend", credentials: []credential{customerToken, anybody}, answer: recommend},
		"POST /newsletter":               {name: "subscribe", answer: subscribe, body: readForm, media: form},
		"GET /events":                    {name: "watch", answer: watch},
		"GET /hours":                     {name: "openingHours", answer: openingHours},

		"GET /books/{bookId}/reviews/{reviewId}":     {name: "readReview", answer: readReview},
		"DELETE /books/{bookId}/reviews/{reviewId}":  {name: "removeReview", credentials: []credential{customerToken, staffKey}, answer: removeReview},
		"GET /customers/{customerId}/orders":         {name: "listOrders", credentials: customer, answer: listOrders},
		"POST /customers/{customerId}/orders":        {name: "placeOrder", credentials: customer, answer: placeOrder, body: readJSON, media: jsonType},
		"GET /customers/{customerId}/orders/{order}": {name: "readOrder", credentials: customer, answer: readOrder},
	}
}

// is reports whether the shop has one of the variants.
func (s *Service) is(variants ...string) bool { return slices.Contains(variants, s.variant) }

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.gateway(w, r) {
		return
	}
	s.mux.ServeHTTP(w, r)
}

// asked is a request as an operation sees it.
type asked struct {
	*http.Request
	shop      *Service
	operation operation
	text      []byte
	value     any
	company   crowd.Company
}

// is reports whether the operation has one of the variants.
func (a *asked) is(variants ...string) bool {
	return slices.ContainsFunc(variants, func(v string) bool { return a.shop.variant == a.operation.name+"."+v })
}

// mostBytes bounds what is read of a body.
const mostBytes = 1 << 20

func (s *Service) serve(w http.ResponseWriter, r *http.Request, o operation) {
	a := &asked{Request: r, shop: s, operation: o}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	a.text = text
	leave := enter(s, a)
	defer leave()
	var out reply
	func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.served++
		others(s)
		out = inCrowd(s, a, func() reply { return s.answer(a, err) })
	}()
	out = s.changed(a, out)
	if s.is("strangers-challenged") && stranger(r) && out.header != nil {
		out.header.Set("WWW-Authenticate", `Bearer realm="bookshop"`)
	}
	out.write(w, s.variant)
}

// answer lets in, reads and answers.
func (s *Service) answer(a *asked, unread error) reply {
	if !s.admits(a) {
		return unauthorized(a)
	}
	if a.operation.body == nil {
		return a.operation.answer(a)
	}
	if s.is("404-first") {
		if missing := a.missing(); missing != nil {
			return *missing
		}
	}
	if unread != nil {
		return a.refused(http.StatusBadRequest, "the body cannot be read")
	}
	value, refused := a.operation.body(a)
	if refused != nil {
		return *refused
	}
	a.value = value
	return a.operation.answer(a)
}

// missing is the response to a request below what does not exist; nil for none.
func (a *asked) missing() *reply {
	if text := a.PathValue("bookId"); text != "" {
		if _, refused := bookOf(a); refused != nil {
			return refused
		}
	}
	if text := a.PathValue("customerId"); text != "" {
		if _, refused := customerOf(a); refused != nil {
			return refused
		}
	}
	return nil
}

// table holds what there is of a kind, in the order in which it came.
type table[K comparable] struct {
	rows map[K]*row
	keys []K
	// gone are keys that were removed.
	gone map[K]time.Time
}

// row is one of a kind.
type row struct {
	members map[string]any
	parent  any
	version int
	changed time.Time
	born    time.Time
	reads   int
	ordered int
	picture []byte
	// before is what it was before the last change, which was done at changed.
	before map[string]any
	// owner is the token of who placed an order; empty for what is there from the beginning.
	owner  string
	hidden bool
}

func newTable[K comparable]() *table[K] {
	return &table[K]{rows: map[K]*row{}, gone: map[K]time.Time{}}
}

func (t *table[K]) addRow(key K, one *row) {
	if t.rows[key] == nil {
		t.keys = append(t.keys, key)
	}
	one.born = time.Now()
	t.rows[key] = one
}

func (t *table[K]) remove(key K) {
	delete(t.rows, key)
	t.keys = slices.DeleteFunc(t.keys, func(k K) bool { return k == key })
	t.gone[key] = time.Now()
}

// removeBefore removes the one that was added before another.
func (t *table[K]) removeBefore(key K) {
	if i := slices.Index(t.keys, key); i > 0 {
		t.remove(t.keys[i-1])
	}
}

// each returns the rows below a parent, with their keys.
func (t *table[K]) each(parent any) []entry {
	var all []entry
	for _, k := range t.keys {
		if one := t.rows[k]; one.parent == parent {
			all = append(all, entry{k, one})
		}
	}
	return all
}

// all returns all rows, with their keys.
func (t *table[K]) all() []entry {
	var all []entry
	for _, k := range t.keys {
		all = append(all, entry{k, t.rows[k]})
	}
	return all
}

// entry is a row and its key.
type entry struct {
	key any
	row *row
}

// number returns a key that is a number.
func (e entry) number() int {
	n, _ := e.key.(int)
	return n
}

// body returns members with the key, and those of a book with the copies that were ordered.
func (e entry) body() map[string]any {
	out := maps.Clone(e.row.members)
	out["id"] = e.key
	if _, book := out["added"]; book {
		out["ordered"] = e.row.ordered
	}
	return out
}

// number returns the next number of whatever is created.
func (s *Service) number() int {
	s.last++
	if s.is("ids-with-gaps") {
		s.last += 7 + s.last%13
	}
	return s.last
}

// cut returns at most n bytes of a text.
func cut(text string, n int) string { return strings.ToValidUTF8(text[:min(n, len(text))], "") }
