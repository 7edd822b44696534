package service

import (
	"net/http"
	"strings"
	"time"
)

var newReport = object(true,
	property{"of", true, member("sales", "stock", "returns")}, property{"since", false, day}, property{"email", false, nullable(text(3, 60))},
)

func startReport(a *asked) reply {
	s := a.shop
	if refused := a.values(newReport); refused != nil {
		return *refused
	}
	sent, _ := a.value.(map[string]any)
	id := uuid(s.number())
	s.reports.addRow(id, &row{members: map[string]any{"of": sent["of"], "state": "queued"}})
	if s.is("reports-discarded") {
		delete(s.reports.rows, id)
	}
	return answered(http.StatusAccepted, map[string]any{"id": id, "of": sent["of"], "state": "queued"}).location(s, "/reports/%s", id)
}

func readReport(a *asked) reply {
	s := a.shop
	id := strings.ToLower(a.PathValue("reportId"))
	if !uuidPattern.MatchString(id) && !a.is("id-unchecked") {
		return *a.unreadable("reportId is none")
	}
	one := s.reports.rows[id]
	if one == nil {
		return a.refused(http.StatusNotFound, "there is no such report")
	}
	if time.Since(one.born) > 50*time.Millisecond || s.is("reports-at-once") {
		one.members["state"] = "done"
	}
	return answered(http.StatusOK, entry{id, one}.body())
}

func recommend(a *asked) reply {
	s := a.shop
	all, refused := a.parameters(parameter{"branch", "cookie", false, plain, member("harbour", "station")}, parameter{"kind", "query", true, plain, member("new", "loved")})
	if refused != nil {
		return *refused
	}
	books := s.books.each(nil)
	if all["kind"] == "new" {
		books = window(books, max(0, len(books)-5), 5)
	}
	return answered(http.StatusOK, shownAll(window(books, 0, 5), entry.body))
}

var subscription = object(false,
	property{"name", true, text(2, 40)}, property{"often", true, member("weekly", "monthly")}, property{"pages", false, integer(1, 20)},
)

func subscribe(a *asked) reply {
	if sent, is := a.value.(map[string]any); is {
		if pages, is := sent["pages"].(string); is {
			sent["pages"] = numeral(pages)
		}
	}
	if refused := a.values(subscription); refused != nil {
		return *refused
	}
	return done()
}

func watch(a *asked) reply {
	s := a.shop
	text := "event: opened\ndata: 1\n\nevent: sold\ndata: 2\n\n"
	switch {
	case s.is("events-commented"):
		text = ": welcome\r\n\r\nretry: 500\r\nid: 1\r\nevent: opened\r\ndata: 1\r\n\r\n: bye\r\n\r\n"
	case s.is("events-none"):
		text = ": nothing yet\n\n"
	case a.is("event-unknown"):
		text = "event: opened\ndata: 1\n\nevent: burnt\ndata: 2\n\n"
	case a.is("data-of-words"):
		text = "event: opened\ndata: one\n\n"
	}
	return reply{status: http.StatusOK, header: http.Header{"Cache-Control": {"no-store"}}, kind: "text/event-stream", text: []byte(text)}
}

func openingHours(a *asked) reply {
	s := a.shop
	if _, refused := a.parameters(parameter{"day", "query", false, plain, member("weekday", "weekend")}); refused != nil {
		return *refused
	}
	out := answered(http.StatusOK, map[string]any{"from": 9, "to": 18})
	if strings.HasPrefix(a.Header.Get("Accept"), "text/plain") || s.is("hours-as-text") {
		out.kind, out.text = "text/plain; charset=utf-8", []byte("9 to 18")
	}
	if !a.is("no-deprecation") {
		out.header.Set("Deprecation", "@1767225600")
	}
	if !a.is("no-sunset") {
		out.header.Set("Sunset", "Wed, 30 Jun 2027 00:00:00 GMT")
	}
	return out
}
