package shop

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/tests/crowd"
)

// WaitsForCompany reports whether a desk of that variant does something wrong where requests are under way at the same time, and waits for
// them to meet.
func WaitsForCompany(variant string) bool {
	return slices.Contains([]string{
		"crowd-lost", "crowd-shares-id", "crossing-lost", "crossing-falls-back", "crossing-deletes", "kept-while-read",
		"crowd-fails", "crossing-fails", "delete-fails-while-read",
	}, variant)
}

// inCrowd serves a request in the way of a variant that minds what happens at the same time.
func (d *desk) inCrowd(r *http.Request, with crowd.Company, serve func(*http.Request) (int, any)) (int, any) {
	n, follows, readers := with.Most, with.Place > 1, with.Readers
	_, about := d.find(r)
	opens, changes := r.Method == http.MethodPost, r.Method == http.MethodPut || r.Method == http.MethodPatch
	switch {
	case opens && n >= crowd.Many && follows && d.is("crowd-shares-id"):
		d.last--
	case opens && n >= crowd.Many && follows && d.is("crowd-refused"), changes && n > 1 && follows && d.is("crossing-refused"):
		return http.StatusConflict, nil
	case opens && n >= crowd.Many && follows && d.is("crowd-fails"), changes && n > 1 && follows && d.is("crossing-fails"),
		r.Method == http.MethodDelete && about != nil && readers > 0 && d.is("delete-fails-while-read"):
		return http.StatusInternalServerError, nil
	case opens && n >= crowd.Many && follows && d.is("crowd-lost"):
		status, body := serve(r)
		delete(d.tickets, d.last)
		return status, body
	case changes && about != nil && n > 1 && d.is("crossing-deletes"):
		status, body := serve(r)
		about.deleted = time.Now()
		return status, body
	case changes && about != nil && n > 1 && (d.is("crossing-lost") || d.is("crossing-falls-back") && follows):
		before := maps.Clone(about.fields)
		status, body := serve(r)
		if about.fields = before; d.is("crossing-falls-back") {
			about.fields["title"] = "as it was"
		}
		return status, body
	case r.Method == http.MethodDelete && about != nil && readers > 0 && d.is("kept-while-read"):
		status, body := serve(r)
		about.deleted = time.Time{}
		return status, body
	}
	return serve(r)
}
