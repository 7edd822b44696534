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
)

//go:embed pins.yaml
var pinsContract []byte

// PinsContract returns the text of the contract of the pins.
func PinsContract() []byte { return pinsContract }

// pins is a service of resources that only its list shows.
type pins struct {
	variant string
	mu      sync.Mutex
	last    int
	all     []*pin
}

// pin is one pin.
type pin struct {
	fields        map[string]any
	born, removed time.Time
}

// NewPins returns the service with a fault or a freedom; empty for neither.
func NewPins(variant string) http.Handler {
	p := &pins{variant: variant}
	for n := range 7 {
		p.put(map[string]any{"title": fmt.Sprintf("theirs %d", n), "colour": "red"})
	}
	mux := http.NewServeMux()
	for pattern, serve := range map[string]func(*http.Request) (int, any){"GET /pins": p.list, "POST /pins": p.add, "DELETE /pins/{id}": p.remove} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			p.mu.Lock()
			status, body := http.StatusUnauthorized, any(nil)
			if r.Header.Get("X-Key") == Key {
				status, body = serve(r)
			}
			p.mu.Unlock()
			kind := "application/json"
			if status >= 400 {
				w.Header().Set("WWW-Authenticate", "Key")
				kind, body = "application/problem+json", map[string]any{"title": http.StatusText(status), "status": status}
			}
			if body == nil {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(body)
		})
	}
	return mux
}

func (p *pins) is(variants ...string) bool { return slices.Contains(variants, p.variant) }

// put keeps a pin, the newest first where that is how they are listed.
func (p *pins) put(fields map[string]any) *pin {
	p.last++
	fields["id"] = fmt.Sprintf("pin-%d", p.last)
	one := &pin{fields: fields, born: time.Now()}
	if p.is("newest-first") {
		p.all = slices.Insert(p.all, 0, one)
	} else {
		p.all = append(p.all, one)
	}
	return one
}

func (p *pins) add(r *http.Request) (int, any) {
	fields, ok := object(r)
	_, titled := fields["title"]
	for name, v := range fields {
		text, is := v.(string)
		n := utf8.RuneCountInString(text)
		number, _ := v.(float64)
		good := false
		switch name {
		case "title":
			good = is && n >= 1 && n <= 60
		case "text":
			good = is && n <= 400
		case "colour":
			good = slices.Contains([]any{"red", "green", "blue"}, v)
		case "weight":
			_, is := v.(float64)
			good = is && number >= 0 && number <= 1000 && number == math.Trunc(number)
		}
		ok = ok && good
	}
	if !ok || !titled {
		if p.is("refused-kept") && titled {
			p.put(fields)
		}
		return http.StatusBadRequest, nil
	}
	made := p.put(fields)
	shown := maps.Clone(made.fields)
	shown["token"] = fmt.Sprintf("secret-%d", p.last)
	p.keep(made)
	switch {
	case p.is("same-id"):
		made.fields["id"], shown["id"] = "pin-1", "pin-1"
	case p.is("moderates"):
		shown["state"] = "review"
	case p.is("publishes-later"):
		shown["published"] = false
	case p.is("accepts-only"):
		return http.StatusAccepted, made.fields
	}
	return http.StatusCreated, shown
}

// keep changes what is kept of a pin.
func (p *pins) keep(made *pin) {
	text := func(name string, how func(string) string) {
		if v, is := made.fields[name].(string); is {
			made.fields[name] = how(v)
		}
	}
	switch p.variant {
	case "lost", "moderates", "publishes-later", "accepts-only":
		p.all = slices.DeleteFunc(p.all, func(o *pin) bool { return o == made })
	case "text-cut":
		text("title", func(v string) string { return v[:min(len(v), 12)] })
	case "green-is-blue":
		text("colour", func(v string) string { return strings.Replace(v, "green", "blue", 1) })
	case "trims":
		text("title", strings.TrimSpace)
	case "sets-colour":
		made.fields["colour"] = "red"
	}
}

func (p *pins) remove(r *http.Request) (int, any) {
	for i, one := range p.all {
		switch {
		case one.fields["id"] != r.PathValue("id") || !one.removed.IsZero() && !p.is("remove-twice-409"):
			continue
		case p.is("removes-nothing"):
			return http.StatusNoContent, nil
		case !one.removed.IsZero():
			return http.StatusConflict, nil
		case p.is("marks-deleted"):
			one.fields["deleted"] = true
			return http.StatusNoContent, nil
		case p.is("removed-listed", "remove-twice-409", "unlists-late"):
			one.removed = time.Now()
			return http.StatusNoContent, nil
		}
		p.all = slices.Delete(p.all, i, i+1)
		return http.StatusNoContent, nil
	}
	return http.StatusNotFound, nil
}

// listed returns what the list shows of a pin; nil for nothing.
func (p *pins) listed(one *pin) map[string]any {
	hidden := !one.removed.IsZero() && !p.is("removed-listed") && (!p.is("unlists-late") || time.Since(one.removed) > delay)
	if hidden || p.is("lists-late") && time.Since(one.born) < delay {
		return nil
	}
	shown := maps.Clone(one.fields)
	text, _ := shown["text"].(string)
	title, _ := shown["title"].(string)
	switch {
	case p.is("list-lower-case"):
		shown["title"] = strings.ToLower(title)
	case p.is("excerpts") && utf8.RuneCountInString(text) > 20:
		shown["text"] = string([]rune(text)[:20]) + "…"
	case p.is("hides-text"):
		delete(shown, "text")
	case p.is("masks-text") && text != "":
		shown["text"] = "***" + text[max(0, len(text)-2):]
	}
	return shown
}

func (p *pins) list(r *http.Request) (int, any) {
	q := r.URL.Query()
	limit, from := 20, 0
	if q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 || n > 50 {
			return http.StatusBadRequest, nil
		}
		limit = n
	}
	if p.is("others-write") && p.last%2 == 0 {
		p.put(map[string]any{"title": "theirs"})
		p.all = slices.DeleteFunc(p.all, func(o *pin) bool { return o.fields["title"] == "theirs" && time.Since(o.born) > delay })
	}
	all := []any{}
	for _, one := range p.all {
		if shown := p.listed(one); shown != nil {
			all = append(all, shown)
		}
	}
	if p.is("shows-ten") {
		all = all[:min(len(all), 10)]
	}
	if q.Has("starting_after") {
		from = slices.IndexFunc(all, func(one any) bool {
			members, _ := one.(map[string]any)
			return members["id"] == q.Get("starting_after")
		}) + 1
		if from == 0 {
			return http.StatusBadRequest, nil
		}
	}
	page := all[from:min(from+limit, len(all))]
	more := from+limit < len(all)
	switch {
	case p.is("more-early"):
		more = from+limit < len(all)-1
	case p.is("more-if-full"):
		more = len(page) == limit
	}
	return http.StatusOK, map[string]any{"pins": page, "has_more": more}
}

// PinFaults returns the faults of the pins, each with a rule that it breaks.
func PinFaults() []Fault {
	return []Fault{
		{"lost", "addPin.created.readable"},
		{"text-cut", "addPin.created.kept"},
		{"green-is-blue", "addPin.created.kept"},
		{"same-id", "addPin.created.distinct"},
		{"refused-kept", "addPin.created.no-trace"},
		{"removes-nothing", "removePin.deleted.unlisted"},
		{"removed-listed", "removePin.deleted.unlisted"},
		{"remove-twice-409", "removePin.deleted.again"},
		{"more-early", "listPins.list.pages-complete"},
	}
}

// PinMeanings returns the freedoms of the pins, each with the kinds of rules that it must not break.
func PinMeanings() []Freedom {
	return []Freedom{
		{"", []string{"created.readable", "created.kept", "created.distinct", "created.no-trace", "deleted.unlisted", "deleted.again"}},
		{"more-if-full", []string{"list.pages-end", "list.pages-complete"}},
		{"newest-first", []string{"created.readable", "created.kept"}},
		{"lists-late", []string{"created.readable", "created.kept"}},
		{"unlists-late", []string{"deleted.unlisted"}},
		{"moderates", []string{"created.readable"}},
		{"publishes-later", []string{"created.readable"}},
		{"accepts-only", []string{"created.readable"}},
		{"shows-ten", []string{"created.readable"}},
		{"others-write", []string{"created.readable", "created.kept", "deleted.unlisted"}},
		{"marks-deleted", []string{"deleted.unlisted"}},
		{"excerpts", []string{"created.kept"}},
		{"trims", []string{"created.kept"}},
		{"sets-colour", []string{"created.kept"}},
		{"list-lower-case", []string{"created.kept"}},
		{"hides-text", []string{"created.kept"}},
		{"masks-text", []string{"created.kept"}},
	}
}
