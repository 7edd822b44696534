package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var genres = []string{"novel", "poetry", "history", "science"}

// newBook and bookChange check what is sent of a book.
var newBook = object(false,
	property{"title", true, text(1, 120)},
	property{"subtitle", false, nullable(text(0, 200))},
	property{"pages", true, integer(1, 20000)},
	property{"genre", true, member(genres...)},
	property{"price", false, number(0, 100000)},
	property{"inPrint", false, boolean},
	property{"isbn", false, matching(`^97[89][0-9]{10}$`)},
	property{"published", false, day},
	property{"tags", false, list(0, 6, true, text(1, 20))},
	property{"publisher", false, object(false, property{"name", true, text(1, 60)}, property{"founded", false, integer(1400, 2100)})},
)

var bookChange = object(false,
	property{"title", false, text(1, 120)},
	property{"subtitle", false, nullable(text(0, 200))},
	property{"pages", false, integer(1, 20000)},
	property{"genre", false, member(genres...)},
	property{"price", false, number(0, 100000)},
	property{"inPrint", false, boolean},
)

var naturalText = regexp.MustCompile(`^[0-9]{1,19}$`)

// naturalID reads a number of a path; 0 for what is none.
func naturalID(text string, bits int) int64 {
	if !naturalText.MatchString(text) {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if err != nil {
		return 0
	}
	return n
}

// book returns the book that the path names.
func bookOf(a *asked) (entry, *reply) {
	s := a.shop
	id := naturalID(a.PathValue("bookId"), 64)
	if id == 0 && !a.is("id-unchecked") {
		return entry{}, a.unreadable("bookId is none")
	}
	key := int(id)
	one := s.books.rows[key]
	if one == nil && a.is("unknown-found") {
		one = s.books.rows[1]
	}
	when, removed := s.books.gone[key]
	late := removed && s.is("removed-late") && time.Since(when) < delay
	switch {
	case one == nil && removed && s.is("gone-410") && (a.operation.name == "readBook" || a.operation.name == "removeBook"):
		out := a.refused(http.StatusGone, "the book is there no more")
		return entry{}, &out
	case one == nil && !late, one != nil && one.hidden, one != nil && s.is("shown-late") && time.Since(one.born) < delay:
		out := a.refused(http.StatusNotFound, "there is no such book")
		return entry{}, &out
	case one == nil:
		one = &row{members: map[string]any{"title": "going", "pages": json.Number("1"), "genre": "novel", "added": stamp(when)}}
	}
	return entry{key, one}, nil
}

// delay is how long a shop takes to show what was written, where it is late.
const delay = 300 * time.Millisecond

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// kept returns the members of a book as the shop keeps them.
func kept(s *Service, o string, sent map[string]any) map[string]any {
	out := maps.Clone(sent)
	is := func(what string) bool { return s.variant == o+"."+what }
	change := func(name string, how func(string) any) {
		if t, text := out[name].(string); text {
			out[name] = how(t)
		}
	}
	switch {
	case s.is("titles-trimmed"):
		trimmed := func(t string) any { return cmp.Or(strings.TrimSpace(t), t) }
		change("title", trimmed)
		change("text", trimmed)
		change("subtitle", trimmed)
	case s.is("markup-taken-out"):
		change("title", func(t string) any { return strings.NewReplacer("<b>", "", "</b>", "").Replace(t) })
		change("text", func(t string) any { return strings.NewReplacer("<b>", "", "</b>", "").Replace(t) })
	case s.is("prices-rounded"):
		if r := exact(out["price"]); r != nil {
			out["price"] = json.Number(r.FloatString(2))
		}
	case s.is("defaults-shown"):
		for name, value := range map[string]any{"inPrint": true, "price": json.Number("0")} {
			if _, there := out[name]; !there && o == "addBook" {
				out[name] = value
			}
		}
	case s.is("null-left-out") && o != "changeBook": // where it takes a member away
		maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	case s.is("null-shown"):
		if _, there := out["subtitle"]; !there && o == "addBook" {
			out["subtitle"] = nil
		}
	case is("subtitle-forgotten"):
		delete(out, "subtitle")
	case is("tags-forgotten"):
		delete(out, "tags")
	case is("last-tag-forgotten"):
		if tags, _ := out["tags"].([]any); len(tags) > 1 {
			out["tags"] = tags[:len(tags)-1]
		}
	case is("founded-forgotten"):
		if publisher, there := out["publisher"].(map[string]any); there {
			out["publisher"] = map[string]any{"name": publisher["name"]}
		}
	case is("subtitle-of-its-own"):
		change("subtitle", func(string) any { return "A book" })
	case is("title-cut"):
		change("title", func(t string) any { return cut(t, 20) })
	case is("text-cut"):
		change("text", func(t string) any { return cut(t, 20) })
	case is("ascii-only"):
		ascii := func(t string) any {
			return strings.Map(func(r rune) rune {
				if r > 127 {
					return '?'
				}
				return r
			}, t)
		}
		change("title", ascii)
		change("text", ascii)
		change("name", ascii)
	case is("pages-of-16-bits"):
		if r := exact(out["pages"]); r != nil && r.Cmp(big.NewRat(19999, 1)) >= 0 {
			out["pages"] = json.Number("4464")
		}
	case is("science-is-history"):
		change("genre", func(t string) any { return strings.ReplaceAll(t, "science", "history") })
	case is("stars-at-most-4"):
		if out["stars"] == json.Number("5") {
			out["stars"] = json.Number("4")
		}
	case is("patrons-are-regular"):
		change("level", func(t string) any { return strings.ReplaceAll(t, "patron", "regular") })
	case is("newsletter-always"):
		out["newsletter"] = true
	}
	return out
}

func addBook(a *asked) reply {
	s := a.shop
	if refused := a.values(newBook); refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	if s.is("isbn-unique") {
		for _, other := range s.books.rows {
			if isbn := sent["isbn"]; isbn != nil && isbn == other.members["isbn"] {
				return a.refused(http.StatusConflict, "there is a book with this ISBN")
			}
		}
	}
	e := storeBook(s, "addBook", sent)
	id := e.number()
	at := id
	if s.is("addBook.located-at-the-one-before") {
		at--
	}
	out := answered(http.StatusCreated, e.body()).location(s, "/books/%d", at)
	out.header.Set("ETag", s.etag(e))
	switch {
	case a.is("lost"):
		delete(s.books.rows, id)
		s.books.keys = s.books.keys[:len(s.books.keys)-1]
	case a.is("response-of-another"):
		out.body = entry{key: s.last + 5000, row: e.row}.body()
	}
	return out
}

// storeBook keeps a new book.
func storeBook(s *Service, o string, sent map[string]any) entry {
	id := s.number()
	if s.variant == o+".ids-by-pages" {
		n, _ := strconv.Atoi(fmt.Sprint(sent["pages"]))
		id = 50000 + n
	}
	members := kept(s, o, sent)
	delete(members, "id")
	if sent["added"] == nil || s.variant != o+".added-taken" {
		members["added"] = stamp(time.Now())
	}
	s.books.addRow(id, &row{members: members, version: 1, changed: time.Now()})
	return entry{id, s.books.rows[id]}
}

// keepRefused is what a fault keeps of what is refused.
func keepRefused(s *Service, a *asked, value any) {
	sent, is := value.(map[string]any)
	if !is {
		return
	}
	switch a.operation.name {
	case "addBook":
		storeBook(s, "addBook", sent)
	case "replaceBook", "changeBook":
		if e, refused := bookOf(a); refused == nil {
			e.row.members = maps.Clone(e.row.members)
			maps.Copy(e.row.members, sent)
		}
	case "addReview":
		if e, refused := bookOf(a); refused == nil {
			s.reviews.addRow(s.number(), &row{members: sent, parent: e.key})
		}
	case "registerCustomer":
		s.customers.addRow(uuid(s.number()), &row{members: sent})
	case "placeOrder":
		if e, refused := customerOf(a); refused == nil {
			sent = maps.Clone(sent)
			sent["state"] = "placed"
			s.orders.addRow(fmt.Sprintf("o-%d", s.number()), &row{members: sent, parent: e.key})
		}
	}
}

func readBook(a *asked) reply {
	s := a.shop
	e, refused := bookOf(a)
	if refused != nil {
		return *refused
	}
	id := e.number()
	if before := s.books.rows[id-1]; a.is("shows-the-one-before") && before != nil {
		e = entry{id - 1, before}
	}
	if a.is("crashes-when-changed") && e.row.before != nil {
		return a.refused(http.StatusInternalServerError, "something broke")
	}
	if e.row.reads++; a.is("reading-adds-pages") && e.row.reads > 1 {
		e.row.members["pages"] = json.Number(strconv.Itoa(e.row.reads))
	}
	if s.is("changed-late") && e.row.before != nil && time.Since(e.row.changed) < delay {
		e = entry{id, &row{members: e.row.before, version: e.row.version - 1, changed: e.row.changed}}
	}
	body := e.body()
	if a.is("another-id-shown") {
		body["id"] = id + 1
	}
	out := answered(http.StatusOK, body)
	tag := s.etag(e)
	if a.is("etag-constant") {
		tag = `"1"`
	}
	out.header.Set("ETag", tag)
	if same := unmodified(a, tag, out); same != nil {
		return *same
	}
	return out
}

func replaceBook(a *asked) reply {
	s := a.shop
	e, refused := bookOf(a)
	if refused == nil {
		refused = a.values(newBook)
	}
	if refused == nil {
		refused = meant(a, e)
	}
	if refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	members := kept(s, "replaceBook", sent)
	delete(members, "id")
	if sent["added"] == nil || !a.is("added-changed") {
		members["added"] = e.row.members["added"]
	}
	switch earlier, _ := e.row.members["tags"].([]any); {
	case a.is("tags-appended") && sent["tags"] != nil:
		tags, _ := members["tags"].([]any)
		tags = slices.Concat(tags, slices.DeleteFunc(slices.Clone(earlier), func(t any) bool { return slices.Contains(tags, t) }))
		members["tags"] = tags[:min(len(tags), 6)]
	case a.is("added-renewed"):
		members["added"] = stamp(time.Now().Add(time.Hour))
	}
	if s.is("replaced-by-defaults") {
		for name, value := range map[string]any{"inPrint": true, "price": json.Number("0")} {
			if _, there := members[name]; !there {
				members[name] = value
			}
		}
	}
	e.row.before, e.row.changed = maps.Clone(e.row.members), time.Now()
	switch {
	case a.is("merges"):
		maps.Copy(e.row.members, members)
	case a.is("not-stored"):
		return changedBook(s, entry{e.key, &row{members: members, version: e.row.version + 1}})
	default:
		e.row.members = members
	}
	return changedBook(s, e)
}

// changedBook is the response to a change.
func changedBook(s *Service, e entry) reply {
	if e.row.changed = time.Now(); s.variant != "replaceBook.etag-kept" {
		e.row.version++
	}
	out := answered(http.StatusOK, e.body())
	if s.is("old-shown-by-changes") {
		out = answered(http.StatusOK, entry{e.key, &row{members: e.row.before}}.body())
	}
	out.header.Set("ETag", s.etag(e))
	return out
}

func changeBook(a *asked) reply {
	s := a.shop
	e, refused := bookOf(a)
	if refused == nil {
		refused = atLeastOne(a)
	}
	if refused == nil {
		refused = a.values(bookChange)
	}
	if refused == nil {
		refused = meant(a, e)
	}
	if refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	if _, there := sent["title"]; !there && a.is("title-needed") {
		return a.refused(http.StatusUnprocessableEntity, "the title is missing")
	}
	members := maps.Clone(e.row.members)
	for name, value := range kept(s, "changeBook", sent) {
		switch {
		case name == "id", name == "added" && !a.is("added-changed"):
		case value == nil && a.is("null-ignored"):
		case value == nil:
			delete(members, name)
		default:
			members[name] = value
		}
	}
	e.row.before, e.row.changed = e.row.members, time.Now()
	switch {
	case a.is("added-renewed"):
		members["added"] = stamp(time.Now().Add(time.Hour))
	case a.is("unnames"):
		if _, named := sent["title"]; !named {
			members["title"] = "untitled"
		}
	case a.is("clears-the-rest"):
		for name := range members {
			if _, named := sent[name]; !named && name != "title" && name != "genre" && name != "pages" && name != "added" {
				delete(members, name)
			}
		}
		if _, named := sent["pages"]; !named {
			members["pages"] = json.Number("1")
		}
	case a.is("not-stored"):
		return changedBook(s, entry{e.key, &row{members: members, version: e.row.version + 1}})
	}
	e.row.members = members
	return changedBook(s, e)
}

// atLeastOne refuses an object without members.
func atLeastOne(a *asked) *reply {
	if o, is := a.value.(map[string]any); is && len(o) == 0 && !a.is("minProperties.unchecked") {
		return a.unprocessable([]string{"body"})
	}
	return nil
}

func removeBook(a *asked) reply {
	s := a.shop
	key := int(naturalID(a.PathValue("bookId"), 64))
	if _, removed := s.books.gone[key]; removed {
		switch {
		case s.is("removed-quietly"):
			return done()
		case a.is("again-409"):
			return a.refused(http.StatusConflict, "the book is there no more")
		}
	}
	e, refused := bookOf(a)
	if refused == nil {
		refused = meant(a, e)
	}
	switch {
	case refused != nil:
		return *refused
	case a.is("keeps"):
		return done()
	case a.is("still-listed"):
		e.row.hidden = true
		s.books.gone[key] = time.Now()
		return done()
	}
	if a.is("the-one-before-too") {
		s.books.removeBefore(key)
	}
	s.books.remove(key)
	return done()
}

func readCover(a *asked) reply {
	e, refused := bookOf(a)
	if refused != nil {
		return *refused
	}
	out := reply{status: http.StatusOK, header: http.Header{}, kind: "image/png", text: e.row.picture}
	if len(out.text) == 0 {
		out.text = []byte("\x89PNG\r\n\x1a\n")
	}
	return out
}

var cover = object(false,
	property{"image", true, func(c *checker, at string, v any) {
		_, is := v.([]byte)
		c.holds(at, "type", is)
	}},
	property{"caption", true, text(1, 80)},
	property{"side", false, member("front", "back")},
	property{"rank", false, func(c *checker, at string, v any) { integer(0, 9)(c, at, v) }},
)

func uploadCover(a *asked) reply {
	s := a.shop
	e, refused := bookOf(a)
	if refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	if rank, is := sent["rank"].(string); is {
		sent["rank"] = numeral(rank)
	}
	if refused := a.values(cover); refused != nil {
		return *refused
	}
	picture, _ := sent["image"].([]byte)
	switch {
	case a.is("not-stored"):
	case s.is("covers-framed"):
		e.row.picture = append(slices.Clone(picture), "frame"...)
	default:
		e.row.picture = picture
	}
	out := map[string]any{"bytes": len(picture), "caption": sent["caption"]}
	if out["caption"] == nil {
		out["caption"] = "none"
	}
	for _, name := range []string{"side", "rank"} {
		if value, there := sent[name]; there {
			out[name] = value
		}
	}
	return answered(http.StatusOK, out)
}
