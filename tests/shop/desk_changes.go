package shop

import (
	"maps"
	"net/http"
	"time"
)

// seen returns the fields as reads show them.
func (t *ticket) seen() map[string]any {
	if time.Now().Before(t.until) {
		return t.before
	}
	return t.fields
}

// set gives a ticket other fields.
func (d *desk) set(t *ticket, fields map[string]any) {
	if d.is("changes-late") {
		t.before, t.until = t.fields, time.Now().Add(delay)
	}
	if d.is("colour-immutable") {
		fields["colour"] = t.fields["colour"]
		if fields["colour"] == nil {
			delete(fields, "colour")
		}
	}
	t.fields = fields
}

func (d *desk) replace(r *http.Request) (int, any) {
	n, t := d.find(r)
	fields, ok := d.sent(r, true)
	switch {
	case t == nil:
		return http.StatusNotFound, nil
	case !ok:
		if d.is("refused-put-stored") && len(fields) > 0 {
			t.fields = fields
		}
		return http.StatusBadRequest, nil
	}
	fields = d.settled(fields)
	was := t.fields
	switch {
	case d.is("put-lost"):
		return http.StatusOK, d.shown(n, &ticket{fields: fields})
	case d.is("put-later"):
		return http.StatusAccepted, nil
	case d.is("put-green-is-blue") && fields["colour"] == "green":
		fields["colour"] = "blue"
	case d.is("put-keeps-text") && fields["text"] == nil && was["text"] != nil:
		fields["text"] = was["text"]
	case d.is("put-defaults-colour") && fields["colour"] == nil:
		fields["colour"] = "red"
	case d.is("put-merges"):
		whole := maps.Clone(was)
		maps.Copy(whole, fields)
		fields = whole
	}
	d.set(t, fields)
	if d.is("put-shows-nothing") {
		return http.StatusNoContent, nil
	}
	return http.StatusOK, d.shown(n, t)
}

func (d *desk) change(r *http.Request) (int, any) {
	n, t := d.find(r)
	fields, ok := d.sent(r, false)
	switch {
	case t == nil:
		return http.StatusNotFound, nil
	case !ok:
		if d.is("refused-patch-stored") {
			maps.Copy(t.fields, fields)
		}
		return http.StatusBadRequest, nil
	}
	fields = d.settled(fields)
	if !d.is("read-only-written") {
		delete(fields, "serial")
	}
	whole := maps.Clone(t.fields)
	switch {
	case d.is("patch-lost"):
		return http.StatusOK, d.shown(n, t)
	case d.is("patch-replaces"):
		whole = map[string]any{"title": whole["title"]}
	case d.is("patch-drops-weight"):
		delete(whole, "weight")
	case d.is("patch-drops-marks") && fields["marks"] == nil:
		delete(whole, "marks")
	}
	maps.Copy(whole, fields)
	d.set(t, whole)
	return http.StatusOK, d.shown(n, t)
}
