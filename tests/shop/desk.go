package shop

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/tests/crowd"
)

//go:embed desk.yaml
var deskContract []byte

// DeskContract returns the text of the contract of the desk.
func DeskContract() []byte { return deskContract }

// desk is a service of one resource that can be created, read, listed, replaced, changed and deleted.
type desk struct {
	variant string
	mu      sync.Mutex
	last    int
	tickets map[int]*ticket
	crowd   *crowd.Crowd // nil where the desk does not mind who else asks

	// cache is what a list by default showed at a moment, where it shows that for a while.
	cache  []any
	cached time.Time
	// untitled are the tickets without a title that another client opens.
	untitled []int
}

// ticket is one ticket.
type ticket struct {
	fields map[string]any
	// before are the fields that are shown until a moment, where changes show late.
	before map[string]any
	until  time.Time

	born    time.Time
	deleted time.Time
	reads   int
}

// NewDesk returns a desk with a fault or a freedom; empty for neither.
func NewDesk(variant string) http.Handler {
	d := &desk{variant: variant, last: 40, tickets: map[int]*ticket{7: {fields: map[string]any{"title": "theirs", "colour": "red"}}}}
	switch {
	case WaitsForCompany(variant):
		d.crowd = crowd.New(crowd.Patience)
	case d.is("crowd-refused", "crossing-refused"): // freedoms, which whole runs meet
		d.crowd = crowd.New(0)
	}
	if d.is("stocked") {
		for n := range 130 {
			d.tickets[1000+n] = &ticket{fields: map[string]any{"title": fmt.Sprintf("stock %d", n), "colour": "green"}}
		}
		d.last = 5000
	}
	mux := http.NewServeMux()
	for pattern, serve := range map[string]func(*http.Request) (int, any){
		"GET /tickets": d.list, "POST /tickets": d.open, "GET /tickets/{id}": d.read, "PUT /tickets/{id}": d.replace, "PATCH /tickets/{id}": d.change,
		"DELETE /tickets/{id}": d.remove,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, serve) })
	}
	return mux
}

func (d *desk) is(variants ...string) bool { return slices.Contains(variants, d.variant) }

func (d *desk) serve(w http.ResponseWriter, r *http.Request, serve func(*http.Request) (int, any)) {
	status, body := http.StatusUnauthorized, any(nil)
	var with crowd.Company
	if d.crowd != nil {
		var leave func()
		with, leave = d.crowd.Enter(r)
		defer leave()
	}
	func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if r.Header.Get("X-Key") == Key {
			status, body = d.inCrowd(r, with, serve)
		} else {
			d.refused(r)
		}
	}()
	kind := "application/json"
	if status >= 400 {
		w.Header().Set("WWW-Authenticate", "Key")
		kind, body = "application/problem+json", map[string]any{"title": http.StatusText(status), "status": status}
	}
	if t, is := body.(map[string]any); is && status == http.StatusCreated {
		w.Header().Set("Location", d.place(t["id"]))
	}
	if body != nil {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

// place is the Location of a ticket.
func (d *desk) place(id any) string {
	switch {
	case d.is("location-of-theirs"):
		return "/tickets/7"
	case d.is("location-of-nothing"):
		return fmt.Sprintf("/tickets/9%v", id)
	case d.is("location-of-page"):
		return fmt.Sprintf("https://desk.example/tickets/9%v", id)
	case d.is("location-of-version"):
		return fmt.Sprintf("/tickets/%v/versions/1", id)
	case d.is("location-with-zeros"):
		return fmt.Sprintf("/tickets/0%v/?from=api", id)
	case d.is("location-relative"):
		return fmt.Sprintf("tickets/%v", id)
	}
	return fmt.Sprintf("/tickets/%v", id)
}

// refused is what happens to a request that nobody is let in by.
func (d *desk) refused(r *http.Request) {
	n, _ := strconv.Atoi(r.PathValue("id"))
	t := d.tickets[n]
	switch {
	case r.Method == http.MethodPost && d.is("others-open"):
		d.othersOpen()
	case r.Method == http.MethodPost && d.is("refused-stored-401"):
		if fields, ok := object(r); ok {
			d.store(fields)
		}
	case t == nil:
	case r.Method == http.MethodDelete && d.is("refused-deletes"):
		t.deleted = time.Now()
	case r.Method == http.MethodPut && d.is("refused-replaces"):
		if fields, ok := object(r); ok {
			t.fields = fields
		}
	}
}

// sent reads the members of a ticket; false where one is not as the contract has it.
func (d *desk) sent(r *http.Request, whole bool) (map[string]any, bool) {
	fields, ok := object(r)
	if !ok || len(fields) == 0 {
		return nil, false
	}
	for name, v := range fields {
		text, is := v.(string)
		good := false
		switch n := utf8.RuneCountInString(text); name {
		case "title":
			good = is && n >= 1 && n <= 60
		case "text":
			good = is && n <= 400
		case "secret":
			good = is
		case "serial":
			good = r.Method == http.MethodPatch && !d.is("read-only-refused")
		case "weight":
			f, is := v.(float64)
			good = is && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32+1 && f <= math.MaxInt32
		case "price":
			f, is := v.(float64)
			good = is && f >= 0
		case "colour":
			good = slices.Contains([]any{"red", "green", "blue"}, v)
		case "state":
			good = slices.Contains([]any{"open", "closed", "deleted", "review"}, v)
		case "due":
			_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
			good = err == nil
		case "labels":
			list, is := v.([]any)
			good = is && len(list) <= 5 && !slices.ContainsFunc(list, func(one any) bool { _, text := one.(string); return !text })
		case "marks":
			marks, is := v.(map[string]any)
			good = is && !slices.ContainsFunc(slices.Collect(maps.Values(marks)), func(one any) bool { _, text := one.(string); return !text })
		}
		if !good {
			return fields, false
		}
	}
	_, titled := fields["title"]
	return fields, titled || !whole
}

func (d *desk) store(fields map[string]any) int {
	d.last++
	n := d.last
	if d.is("id-by-length") {
		n = 100 + len(fmt.Sprint(fields["title"]))
	}
	d.tickets[n] = &ticket{fields: d.settled(fields), born: time.Now()}
	if d.is("keeps-newest") {
		delete(d.tickets, n-8)
	}
	return n
}

// settled returns the members as the service keeps them.
func (d *desk) settled(fields map[string]any) map[string]any {
	fields = maps.Clone(fields)
	text := func(name string, how func(string) string) {
		if v, is := fields[name].(string); is {
			fields[name] = how(v)
		}
	}
	switch d.variant {
	case "trims":
		text("title", strings.TrimSpace)
		text("text", strings.TrimSpace)
	case "lower-case":
		text("title", strings.ToLower)
	case "title-cut":
		text("title", func(v string) string { return v[:min(len(v), 12)] })
	case "title-ascii":
		text("title", func(v string) string {
			return strings.Map(func(r rune) rune { return map[bool]rune{true: r, false: '?'}[r < 128] }, v)
		})
	case "text-cut-at-300":
		text("text", func(v string) string { return v[:min(len(v), 300)] })
	case "weight-16":
		if f, is := fields["weight"].(float64); is {
			fields["weight"] = max(-32768, min(32767, f))
		}
	case "weight-dropped":
		if f, is := fields["weight"].(float64); is && f == 2147483647 {
			fields["weight"] = 1
		}
	case "green-is-blue":
		if fields["colour"] == "green" {
			fields["colour"] = "blue"
		}
	case "sets-colour":
		fields["colour"] = "red"
	case "sets-state":
		fields["state"] = "open"
	case "hides-text":
		delete(fields, "text")
	case "masks-secret":
		text("secret", func(string) string { return "********" })
	case "rounds":
		if f, is := fields["price"].(float64); is {
			fields["price"] = math.Round(f*100) / 100
		}
	case "times-in-utc":
		text("due", func(v string) string {
			t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(v))
			if err != nil {
				return v
			}
			return t.UTC().Format(time.RFC3339)
		})
	case "sorts-labels":
		if list, is := fields["labels"].([]any); is {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	case "moderates":
		fields["state"] = "review"
	}
	return fields
}

// shown returns a ticket as responses show it.
func (d *desk) shown(n int, t *ticket) map[string]any {
	out := maps.Clone(t.seen())
	out["id"] = n
	if out["serial"] == nil {
		out["serial"] = 100 + n
	}
	if marks, is := out["marks"].(map[string]any); is {
		out["marks"] = d.marks(marks)
	}
	if d.is("tells-the-time") {
		out["changed"], out["views"] = time.Now().Format(time.RFC3339Nano), t.reads
	}
	if !t.deleted.IsZero() && d.is("marks-deleted") {
		out["deletedAt"] = t.deleted.Format(time.RFC3339)
	}
	return out
}

// listed returns a ticket as lists show it.
func (d *desk) listed(n int, t *ticket) map[string]any {
	out := d.shown(n, t)
	switch {
	case d.is("lists-titles-of-others") && d.tickets[n-1] != nil:
		out["title"] = d.shown(n-1, d.tickets[n-1])["title"]
	case d.is("lists-in-short"):
		title := strings.ReplaceAll(strings.ToUpper(fmt.Sprint(out["title"])), "-", "_")
		delete(out, "weight")
		out["title"], out["text"] = title, "see the ticket"
	}
	return out
}

// marks is how the marks of a ticket are shown.
func (d *desk) marks(all map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range all {
		switch {
		case d.is("marks-in-capitals"):
			out[strings.ToUpper(name)] = v
		case !d.is("marks-lost"):
			out[name] = v
		}
	}
	if d.is("marks-with-more") {
		out["desk"] = "1"
	}
	return out
}

// delay is how long a desk takes to show what was written.
const delay = 300 * time.Millisecond

// find returns a ticket that is there.
func (d *desk) find(r *http.Request) (int, *ticket) {
	n, err := strconv.Atoi(r.PathValue("id"))
	t := d.tickets[n]
	switch {
	case err != nil || t == nil:
	case !t.deleted.IsZero() && !d.is("delete-kept", "marks-deleted") && (!d.is("deletes-late") || time.Since(t.deleted) > delay):
	case d.is("shows-late") && time.Since(t.born) < delay, d.is("moderates") && t.fields["title"] != "theirs", d.is("accepts-only"):
	default:
		return n, t
	}
	return n, nil
}

func (d *desk) open(r *http.Request) (int, any) {
	fields, ok := d.sent(r, true)
	if !ok {
		if d.is("refused-stored") && fields["title"] != nil {
			d.store(fields)
		}
		if d.is("others-open") {
			d.othersOpen()
		}
		return http.StatusBadRequest, nil
	}
	n := d.store(fields)
	if d.is("lost") {
		delete(d.tickets, n)
		return http.StatusCreated, map[string]any{"id": n, "title": fields["title"]}
	}
	if d.is("accepts-only") {
		return http.StatusAccepted, d.shown(n, d.tickets[n])
	}
	return http.StatusCreated, d.shown(n, d.tickets[n])
}

// othersOpenUntitled adds a ticket of another client that has no title, and removes the oldest of them.
func (d *desk) othersOpenUntitled() {
	const most = 5
	d.untitled = append(d.untitled, d.store(map[string]any{"title": "", "colour": "red"}))
	if len(d.untitled) > most {
		delete(d.tickets, d.untitled[0])
		d.untitled = d.untitled[1:]
	}
}

// othersOpen adds a ticket of another client.
func (d *desk) othersOpen() {
	d.store(map[string]any{"title": fmt.Sprintf("theirs, too (%d)", d.last), "text": "", "colour": "red"})
}

func (d *desk) read(r *http.Request) (int, any) {
	n, t := d.find(r)
	if t == nil {
		switch {
		case d.is("gone-410") && d.tickets[n] != nil:
			return http.StatusGone, nil
		case d.is("united") && n > 0 && n <= 40: // tickets of others before the run
			return http.StatusOK, d.shown(7, d.tickets[7])
		}
		return http.StatusNotFound, nil
	}
	t.reads++
	switch {
	case d.is("shows-next") && d.tickets[n+1] != nil:
		return http.StatusOK, d.shown(n+1, d.tickets[n+1])
	case d.is("id-off"):
		n++
	case d.is("reading-renames") && t.reads > 1:
		t.fields["title"] = fmt.Sprintf("read %d times", t.reads)
	case d.is("read-other-text"):
		out := d.shown(n, t)
		out["text"] = "lorem ipsum"
		return http.StatusOK, out
	}
	return http.StatusOK, d.shown(n, t)
}

func (d *desk) remove(r *http.Request) (int, any) {
	n, t := d.find(r)
	if t == nil || d.is("marks-deleted") && !t.deleted.IsZero() {
		switch {
		case d.is("delete-twice-409"):
			return http.StatusConflict, nil
		case d.is("deletes-quietly") && d.tickets[n] != nil:
			return http.StatusNoContent, nil
		case d.is("gone-410") && d.tickets[n] != nil:
			return http.StatusGone, nil
		}
		return http.StatusNotFound, nil
	}
	t.deleted = time.Now()
	if d.is("deletes-all") {
		clear(d.tickets)
	}
	if d.is("deletes-earlier") {
		delete(d.tickets, n-1)
	}
	if d.is("deletes-later") {
		t.deleted = time.Time{}
		return http.StatusAccepted, nil
	}
	return http.StatusNoContent, nil
}

func (d *desk) list(r *http.Request) (int, any) {
	q := r.URL.Query()
	limit, offset := 20, 0
	for name, at := range map[string]*int{"limit": &limit, "offset": &offset} {
		if q.Has(name) {
			n, err := strconv.Atoi(q.Get(name))
			if err != nil || n < 0 || name == "limit" && (n < 1 || n > 50) {
				return http.StatusBadRequest, nil
			}
			*at = n
		}
	}
	if q.Has("colour") && !slices.Contains([]string{"red", "green", "blue"}, q.Get("colour")) {
		return http.StatusBadRequest, nil
	}
	if d.is("others-open-untitled") {
		d.othersOpenUntitled()
	}
	all := []any{}
	for _, n := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[n]
		if !t.deleted.IsZero() && !d.is("deleted-listed") && (!d.is("unlists-late") || time.Since(t.deleted) > delay) ||
			q.Has("colour") && t.fields["colour"] != q.Get("colour") && !d.is("filter-ignored") || d.is("lists-late") && time.Since(t.born) < delay ||
			d.is("lists-open-only") && t.fields["state"] != "open" {
			continue
		}
		all = append(all, d.listed(n, t))
		if d.is("listed-twice") && len(all) == 3 {
			all = append(all, d.shown(n, t))
		}
	}
	switch {
	case d.is("limit-ignored"):
		limit = 20
	case d.is("limit-one-more"):
		limit++
	case d.is("pages-of-10"):
		limit = min(limit, 10)
	}
	if d.is("default-late") && !q.Has("limit") && !q.Has("offset") && !q.Has("colour") {
		if time.Since(d.cached) > delay {
			d.cached, d.cache = time.Now(), all
		}
		all = d.cache
	}
	first := min(offset, len(all))
	page := all[first:min(first+limit, len(all))]
	return http.StatusOK, map[string]any{"tickets": page, "total": len(all)}
}
