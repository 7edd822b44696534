package impostor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// witness talks to one service and notes what breaks the interface. It knows
// only the interface, nothing of the variants, and shows of each legal one
// that it is legal and of each broken one that it is broken.
type witness struct {
	key    string
	base   string
	do     func(*http.Request) (*http.Response, error)
	noGet  bool // getPet need not be there any more
	mu     sync.Mutex
	faults []string
	serial int
	known  map[int64]petShown // what each id was first shown with
	own    map[int64]petShown // created by the witness
	banned map[string]bool    // names whose creation was refused
	order  []int64            // own ids as they came
}

// petShown is an animal as it was answered.
type petShown struct {
	id       int64
	name     string
	category int64
	status   string
	present  bool // whether status was there
}

func newWitness(key, base string, do func(*http.Request) (*http.Response, error), noGet bool) *witness {
	return &witness{
		key: key, base: base, do: do, noGet: noGet,
		known: map[int64]petShown{}, own: map[int64]petShown{}, banned: map[string]bool{},
	}
}

// inProcess asks a handler without a network between.
func inProcess(h http.Handler) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		if r.Body == nil {
			r.Body = http.NoBody
		}
		r.RemoteAddr = "192.0.2.1:4711"
		h.ServeHTTP(rec, r)
		return rec.Result(), nil
	}
}

func (w *witness) object(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

func (w *witness) objects() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.faults) > 0
}

// request is one question.
type request struct {
	op     operation
	path   string // after the base, with its query
	auth   string // the Authorization header; "-" for none, "" for the right one
	body   string
	media  string // "" for application/json
	expect []int  // statuses; none: any, as the question is an open one
}

// reply is what came back, already judged by what holds for every response.
type reply struct {
	status int
	pets   []petShown
}

func (r reply) pet() petShown {
	if len(r.pets) == 1 {
		return r.pets[0]
	}
	return petShown{}
}

func (w *witness) ask(q request) reply {
	for range 20 {
		method := http.MethodGet
		var body io.Reader
		if q.op == createPet {
			method = http.MethodPost
			if q.body != "" {
				body = strings.NewReader(q.body)
			}
		}
		r, err := http.NewRequest(method, w.base+q.path, body)
		if err != nil {
			w.object("cannot ask %s: %v", q.path, err)
			return reply{}
		}
		switch q.auth {
		case "":
			r.Header.Set("Authorization", "Bearer "+w.key)
		case "-":
		default:
			r.Header.Set("Authorization", q.auth)
		}
		if method == http.MethodPost && q.media != "-" {
			r.Header.Set("Content-Type", "application/json")
			if q.media != "" {
				r.Header.Set("Content-Type", q.media)
			}
		}
		resp, err := w.do(r)
		if err != nil {
			w.object("%s %s: %v", method, q.path, err)
			return reply{}
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			w.object("%s %s: %v", method, q.path, err)
			return reply{}
		}
		if (resp.StatusCode == 429 || resp.StatusCode == 503) && resp.Header.Get("Retry-After") != "" {
			continue
		}
		return w.judge(q, resp, text)
	}
	w.object("%s %s: busy too often", q.op, q.path)
	return reply{}
}

// name makes a name of its own.
func (w *witness) name(hint string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serial++
	return fmt.Sprintf("wit-%s %04d", hint, w.serial)
}

func quoted(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return strings.TrimSpace(b.String())
}

func petBody(name string, category int64, status string) string {
	body := fmt.Sprintf(`{"name":%s,"categoryId":%d`, quoted(name), category)
	if status != "" {
		body += fmt.Sprintf(`,"status":%s`, quoted(status))
	}
	return body + "}"
}

// create adds an animal; if unusual, the service may refuse it by 400.
func (w *witness) create(name string, category int64, status string, unusual bool) (petShown, bool) {
	return w.createBody(petBody(name, category, status), name, category, status, unusual)
}

func (w *witness) createBody(body, name string, category int64, status string, unusual bool) (petShown, bool) {
	expect := []int{201}
	if unusual {
		expect = []int{201, 400}
	}
	r := w.ask(request{op: createPet, path: "/pets", body: body, expect: expect})
	if r.status != 201 || len(r.pets) != 1 {
		return petShown{}, false
	}
	p := r.pet()
	if p.name != name || p.category != category || status != "" && p.status != status {
		w.object("created %.80q in %d as %+v", name, category, p)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if other, taken := w.own[p.id]; taken {
		w.faults = append(w.faults, fmt.Sprintf("id %d was given to %.40q and to %.40q", p.id, other.name, name))
	}
	w.own[p.id] = p
	w.order = append(w.order, p.id)
	return p, true
}

// read asks for an animal that is there.
func (w *witness) read(p petShown) {
	if w.noGet {
		return
	}
	r := w.ask(request{op: getPet, path: fmt.Sprintf("/pets/%d", p.id), expect: []int{200}})
	if len(r.pets) == 1 && r.pet() != p {
		w.object("read %+v, created %+v", r.pet(), p)
	}
}

// probe asks for an id that may or may not be there.
func (w *witness) probe(id int64) {
	if w.noGet {
		return
	}
	q := request{op: getPet, path: fmt.Sprintf("/pets/%d", id), expect: []int{200, 404}}
	r := w.ask(q)
	if len(r.pets) != 1 {
		return
	}
	if r.pet().id != id {
		w.object("asked for %d, got %d", id, r.pet().id)
	}
	before, wholeBefore := w.whole()
	if r = w.ask(q); len(r.pets) != 1 {
		return
	}
	after, wholeAfter := w.whole()
	if wholeBefore && wholeAfter && !containsID(before, id) && !containsID(after, id) {
		w.object("asked for %d, which is not in the store, got %+v", id, r.pet())
	}
}

func containsID(pets []petShown, id int64) bool {
	return slices.ContainsFunc(pets, func(p petShown) bool { return p.id == id })
}

// list asks for a list; limit 0 and status "" are left out.
func (w *witness) list(limit int, status string) []petShown {
	query := ""
	if limit > 0 {
		query = "?limit=" + strconv.Itoa(limit)
	}
	if status != "" {
		query += map[bool]string{true: "?", false: "&"}[query == ""] + "status=" + status
	}
	pets := w.ask(request{op: listPets, path: "/pets" + query, expect: []int{200}}).pets
	most := limit
	if limit == 0 {
		most = 20
	}
	if len(pets) > most {
		w.object("list %q holds %d", query, len(pets))
	}
	for _, p := range pets {
		if status != "" && p.status != status {
			w.object("list %q holds %+v", query, p)
		}
	}
	return pets
}

// whole returns the greatest list, and whether it is the whole store.
func (w *witness) whole() ([]petShown, bool) {
	pets := w.list(100, "")
	return pets, len(pets) < 100
}

// presence expects all own animals in the lists, where those can tell.
func (w *witness) presence() {
	w.mu.Lock()
	mine := make([]petShown, 0, len(w.own))
	for _, p := range w.own {
		mine = append(mine, p)
	}
	w.mu.Unlock()
	before, wholeBefore := w.whole()
	lists := map[string][]petShown{}
	for _, status := range []string{"available", "pending", "sold"} {
		lists[status] = w.list(100, status)
	}
	after, wholeAfter := w.whole()
	if !wholeBefore || !wholeAfter {
		return
	}
	for _, p := range mine {
		if !containsID(before, p.id) || !containsID(after, p.id) || p.present && !containsID(lists[p.status], p.id) {
			w.object("%+v is not listed", p)
		}
	}
}
