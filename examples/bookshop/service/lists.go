package service

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// place is where a page begins, behind the last one of the page before.
type place struct {
	Sort string `json:"s"`
	Text string `json:"t"`
	ID   int    `json:"i"`
}

func (p place) cursor() string {
	text, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func placeOf(cursor, sort string) (place, bool) {
	var p place
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return place{}, false
	}
	return p, p.Sort == sort
}

// sortKey is what a book is sorted by: a text that compares like its value.
func sortKey(s *Service, e entry, by string) string {
	switch strings.TrimPrefix(by, "-") {
	case "title":
		if s.is("titles-sorted-without-case") {
			return strings.ToLower(fmt.Sprint(e.row.members["title"]))
		}
		return fmt.Sprint(e.row.members["title"])
	case "pages":
		if r := exact(e.row.members["pages"]); r != nil {
			return fmt.Sprintf("%020s", r.FloatString(0))
		}
	}
	return ""
}

// compare orders two books; those that are as good as each other come the newest first.
func compare(by, a, b string, x, y int) int {
	order := cmp.Compare(a, b)
	if strings.HasPrefix(by, "-") {
		order = -order
	}
	return cmp.Or(order, cmp.Compare(y, x))
}

func listBooks(a *asked) reply {
	s := a.shop
	all, refused := a.parameters(
		parameter{"limit", "query", false, numeral, integer(1, 50)}, parameter{"cursor", "query", false, plain, text(0, 1200)},
		parameter{"genre", "query", false, plain, member(genres...)}, parameter{"sort", "query", false, plain, member("title", "-title", "pages", "-pages")},
		parameter{"inPrint", "query", false, truth, boolean}, parameter{"X-Currency", "header", false, plain, member("EUR", "GBP", "USD")},
	)
	if refused != nil {
		return *refused
	}
	prices, refused := a.deep("price", "min", "max")
	if refused != nil {
		return *refused
	}
	by, _ := all["sort"].(string)
	switch {
	case a.is("sort-ignored"):
		by = ""
	case a.is("sort-reversed") && strings.HasPrefix(by, "-"):
		by = strings.TrimPrefix(by, "-")
	case a.is("sort-reversed") && by != "":
		by = "-" + by
	}
	cursor, begun := all["cursor"].(string)
	var from place
	if begun {
		p, known := placeOf(cursor, by)
		if !known {
			return *a.unprocessable([]string{"cursor"})
		}
		from = p
	}
	var books []entry
	for _, e := range s.books.each(nil) {
		if listedBook(s, a, e, all, prices) {
			books = append(books, e)
		}
	}
	slices.SortStableFunc(books, func(x, y entry) int {
		return compare(by, sortKey(s, x, by), sortKey(s, y, by), x.number(), y.number())
	})
	total := len(books)
	if begun {
		books = slices.DeleteFunc(books, func(e entry) bool {
			order := compare(by, sortKey(s, e, by), from.Text, e.number(), from.ID)
			return order < 0 || order == 0 && !a.is("pages-overlap")
		})
	}
	limit := integerOf(all, "limit", 20)
	switch {
	case a.is("limit-ignored"):
		limit = 20
	case a.is("limit-one-more"):
		limit++
	case s.is("pages-of-5"):
		limit = min(limit, 5)
	}
	body := map[string]any{}
	if a.is("never-ends") && len(books) <= limit {
		body["next"] = place{by, "", 1 << 62}.cursor()
	}
	page := books[:max(0, min(limit, len(books)))]
	if len(page) > 0 && len(page) < len(books) && !a.is("no-next") {
		last := page[len(page)-1]
		id := last.number()
		if a.is("pages-skip") && len(page)+1 < len(books) {
			id = books[len(page)].number()
		}
		body["next"] = place{by, sortKey(s, last, by), id}.cursor()
	}
	items := []any{}
	for i, e := range page {
		shown := e.body()
		if a.is("titles-of-neighbours") {
			shown["title"] = page[(i+1)%len(page)].body()["title"]
		}
		items = append(items, shown)
		if i == 1 && a.is("one-twice") && len(items) < 50 {
			items = append(items, e.body())
		}
	}
	body["items"] = items
	out := answered(http.StatusOK, body)
	switch {
	case a.is("total-of-the-page"), a.is("total-of-the-page-by-genre") && all["genre"] != nil:
		total = len(items)
	case a.is("total-of-what-is-left"):
		total = len(books)
	case a.is("total-at-most-10"):
		total = min(total, 10)
	}
	out.header.Set("X-Total-Count", strconv.Itoa(total))
	return out
}

// listedBook reports whether a book is on a list that was asked for.
func listedBook(s *Service, a *asked, e entry, all, prices map[string]any) bool {
	members := e.row.members
	if s.is("listed-late") && time.Since(e.row.born) < delay && e.row.born.After(opened.Add(delay)) {
		return false
	}
	if s.is("addBook.each-third-unlisted") && e.number()%3 == 0 {
		return false
	}
	if genre, asked := all["genre"]; asked && (!a.is("genre-ignored-behind-the-first-page") || all["cursor"] == nil) && genre != members["genre"] && !a.is("genre-ignored") && (!a.is("genre-ignored-when-sorted") || all["sort"] == nil) && (!a.is("poetry-is-all") || genre != "poetry") {
		return false
	}
	if printed, asked := all["inPrint"]; asked && printed != members["inPrint"] && !a.is("inPrint-ignored") {
		return false
	}
	within := func(name string, sign int) bool {
		bound, is := prices[name].(json.Number)
		if !is {
			return true
		}
		price, limit := exact(members["price"]), exact(bound)
		return price != nil && limit != nil && price.Cmp(limit)*sign >= 0
	}
	switch {
	case a.is("price.min-ignored"):
		return within("max", -1)
	case a.is("price.max-ignored"):
		return within("min", 1)
	case a.is("price.max-is-min"):
		return within("min", 1) && within("max", 1)
	}
	return within("min", 1) && within("max", -1)
}

// opened is when the first shop opened.
var opened = time.Now()

// window returns a page of rows.
func window(all []entry, from, n int) []entry {
	from = max(0, min(from, len(all)))
	return all[from:min(from+n, len(all))]
}

// shownAll returns what rows show.
func shownAll(all []entry, show func(entry) map[string]any) []any {
	out := []any{}
	for _, e := range all {
		out = append(out, show(e))
	}
	return out
}

// stock fills the shop with what was there before.
func stock(s *Service) {
	for i, title := range []string{"A Walk to the Sea", "Tides", "The Lamplighter"} {
		s.books.addRow(i+1, &row{version: 1, members: map[string]any{
			"title": title, "pages": json.Number(strconv.Itoa(90 + 40*i)), "genre": genres[i], "added": "2024-03-01T08:00:00Z", "price": json.Number("12.5"), "inPrint": true,
		}})
	}
	s.reviews.addRow(11, &row{parent: 1, members: map[string]any{"stars": json.Number("5"), "text": "Read it twice."}})
	if s.is("well-stocked") {
		for i := range 130 {
			s.books.addRow(100+i, &row{version: 1, members: map[string]any{
				"title": fmt.Sprintf("Volume %d", i), "pages": json.Number("100"), "genre": genres[i%4], "added": "2024-03-01T08:00:00Z",
			}})
			s.customers.addRow(uuid(100+i), &row{members: map[string]any{"name": fmt.Sprintf("Reader %d", i), "password": "nonesuch"}})
		}
	}
}

// others are what other clients do meanwhile.
func others(s *Service) {
	if !s.is("others-write") || s.served%5 != 0 {
		return
	}
	const theirs = 600
	id := theirs + s.served%25
	if s.books.rows[id] != nil {
		s.books.remove(id)
		return
	}
	delete(s.books.gone, id)
	s.books.addRow(id, &row{version: s.served, members: map[string]any{
		"title": fmt.Sprintf("Theirs %d", s.served), "pages": json.Number(big.NewInt(int64(1 + s.served)).String()), "genre": genres[s.served%4], "added": stamp(time.Now()),
	}})
}
