package impostor

import (
	"crypto/subtle"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// operation is one of the three that the interface defines.
type operation string

const (
	listPets  operation = "listPets"
	createPet operation = "createPet"
	getPet    operation = "getPet"
	elsewhere operation = "" // any other method or path
)

// call is one request on its way through the service.
type call struct {
	op    operation
	req   *http.Request
	body  []byte
	petID string // the last segment of the path, of getPet
	nth   int64  // the call's number, from 1
}

// answer is what will be sent.
type answer struct {
	status int
	header http.Header
	body   any // nil: none
}

// refusal is a reason not to do what was asked.
type refusal struct {
	status  int
	code    string
	message string
}

// draft is an animal to be created.
type draft struct {
	name     string
	category int64
	status   string
	given    []field // the body as it came
}

// service is the store behind HTTP. Its function fields are the places where a
// variant may differ; faithful fills all of them.
type service struct {
	key    string
	prefix string
	store  *store
	calls  atomic.Int64
	chores []func(done <-chan struct{}) // run in the background

	route func(r *http.Request) (operation, string)
	sleep func(time.Duration)

	// handle makes the response to a call; admit decides on its credential.
	handle func(*call) *answer
	admit  func(*call) bool
	// list, create and get do the work once the call is admitted.
	list   func(*call) *answer
	create func(*call) *answer
	get    func(*call) *answer

	// invalidLimit, unknownStatus and invalidID settle values outside the interface.
	readLimit     func(*call) (int, *refusal)
	readStatus    func(*call) (string, *refusal)
	invalidLimit  func(c *call, text string) (int, *refusal)
	unknownStatus func(c *call, text string) (string, *refusal)
	invalidID     func(c *call, text string) (int64, *refusal)

	// rows are the animals in the order of the list, page those of one response.
	rows    func(*call) []animal
	page    func(c *call, limit int, status string) []animal
	matches func(c *call, a animal, status string) bool
	cut     func(c *call, rows []animal, limit int) []animal

	// pick finds a field of the request body; forgive may accept a flaw of it,
	// and blame words the refusal otherwise. vet refuses valid bodies.
	pick      func(fields []field, name string) string
	forgive   func(c *call, f flaw, text string, d *draft) bool
	blame     func(c *call, f flaw) *refusal
	readDraft func(*call) (draft, *refusal)
	vet       func(*call, draft) *refusal

	assignID func(draft) int64
	presume  func(draft) string // the status when none is given
	keep     func(*call, animal) animal
	find     func(c *call, id int64) (animal, bool)

	showPet   func(*call, animal) any
	showList  func(*call, []animal) any
	showError func(*call, refusal) any

	// finish has the last word on the response, render turns its body into
	// text, send puts it on the wire.
	finish func(*call, *answer)
	render func(*call, *answer) []byte
	send   func(w http.ResponseWriter, c *call, a *answer, text []byte)
}

// faithful returns the service that keeps the interface.
func faithful(key string) *service {
	s := &service{key: key, prefix: "/v1", store: newStore(), sleep: time.Sleep}
	s.route = s.findRoute
	s.handle = s.serve
	s.admit = s.holdsKey
	s.list, s.create, s.get = s.doList, s.doCreate, s.doGet
	s.readLimit, s.readStatus = s.limitAsked, s.statusAsked
	s.invalidLimit = func(*call, string) (int, *refusal) {
		return 0, &refusal{400, "invalid_limit", "limit must be an integer from 1 to 100"}
	}
	s.unknownStatus = func(*call, string) (string, *refusal) {
		return "", &refusal{400, "invalid_status", "status must be available, pending or sold"}
	}
	s.invalidID = func(*call, string) (int64, *refusal) { return 0, unknownAnimal() }
	s.rows = func(*call) []animal { return s.store.all() }
	s.page = s.firstMatches
	s.matches = func(_ *call, a animal, status string) bool { return status == "" || a.status == status }
	s.cut = func(_ *call, rows []animal, limit int) []animal { return rows[:min(limit, len(rows))] }
	s.pick = lastOf
	s.forgive = func(*call, flaw, string, *draft) bool { return false }
	s.blame = func(_ *call, f flaw) *refusal { return &refusal{400, "invalid_body", string(f)} }
	s.readDraft = s.draftOf
	s.vet = func(*call, draft) *refusal { return nil }
	var last atomic.Int64
	s.assignID = func(draft) int64 { return last.Add(1) }
	s.presume = func(draft) string { return "" }
	s.keep = func(_ *call, a animal) animal { s.store.add(a); return a }
	s.find = func(_ *call, id int64) (animal, bool) { return s.store.get(id) }
	s.showPet = func(_ *call, a animal) any { return petOf(a) }
	s.showList = s.listOf
	s.showError = func(_ *call, r refusal) any {
		return object{{"code", r.code}, {"message", r.message}, {"status", r.status}}
	}
	s.finish = s.addHeaders
	s.render = func(_ *call, a *answer) []byte {
		if a.body == nil {
			return nil
		}
		return style{}.text(a.body)
	}
	s.send = write
	return s
}

// begin starts the chores and returns a function that ends them.
func (s *service) begin() (end func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, chore := range s.chores {
		all.Go(func() { chore(done) })
	}
	return func() {
		close(done)
		all.Wait()
	}
}

// maxBody is far above what a client of this interface has reason to send.
const maxBody = 8 << 20

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{req: r, nth: s.calls.Add(1)}
	c.op, c.petID = s.route(r)
	c.body, _ = io.ReadAll(io.LimitReader(r.Body, maxBody))
	a := s.handle(c)
	s.finish(c, a)
	s.send(w, c, a, s.render(c, a))
}

func (s *service) findRoute(r *http.Request) (operation, string) {
	path, ok := strings.CutPrefix(r.URL.Path, s.prefix)
	if !ok {
		return elsewhere, ""
	}
	if path == "/pets" {
		switch r.Method {
		case http.MethodGet:
			return listPets, ""
		case http.MethodPost:
			return createPet, ""
		}
	}
	id, ok := strings.CutPrefix(path, "/pets/")
	if ok && id != "" && !strings.Contains(id, "/") && r.Method == http.MethodGet {
		return getPet, id
	}
	return elsewhere, ""
}

func (s *service) serve(c *call) *answer {
	if c.op == elsewhere {
		return s.failure(c, refusal{404, "no_such_route", "nothing is served here"})
	}
	if !s.admit(c) {
		return s.failure(c, refusal{401, "unauthorized", "a valid API key is needed"})
	}
	return s.work(c)
}

func (s *service) work(c *call) *answer {
	switch c.op {
	case listPets:
		return s.list(c)
	case createPet:
		return s.create(c)
	default:
		return s.get(c)
	}
}

// credential splits the Authorization header; present reports whether it came.
func credential(c *call) (scheme, token string, present bool) {
	values := c.req.Header.Values("Authorization")
	if len(values) == 0 {
		return "", "", false
	}
	scheme, token, _ = strings.Cut(values[0], " ")
	return scheme, strings.TrimSpace(token), true
}

func (s *service) holdsKey(c *call) bool {
	scheme, token, _ := credential(c)
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(token), []byte(s.key)) == 1
}

func (s *service) doList(c *call) *answer {
	limit, no := s.readLimit(c)
	if no != nil {
		return s.failure(c, *no)
	}
	status, no := s.readStatus(c)
	if no != nil {
		return s.failure(c, *no)
	}
	return success(200, s.showList(c, s.page(c, limit, status)))
}

const defaultLimit = 20

func (s *service) limitAsked(c *call) (int, *refusal) {
	query := c.req.URL.Query()
	if !query.Has("limit") {
		return defaultLimit, nil
	}
	text := query.Get("limit")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 100 || strconv.Itoa(n) != text {
		return s.invalidLimit(c, text)
	}
	return n, nil
}

func (s *service) statusAsked(c *call) (string, *refusal) {
	query := c.req.URL.Query()
	if !query.Has("status") {
		return "", nil
	}
	text := query.Get("status")
	if !isStatus(text) {
		return s.unknownStatus(c, text)
	}
	return text, nil
}

func (s *service) firstMatches(c *call, limit int, status string) []animal {
	var found []animal
	for _, a := range s.rows(c) {
		if s.matches(c, a, status) {
			found = append(found, a)
		}
	}
	return s.cut(c, found, limit)
}

func (s *service) doCreate(c *call) *answer {
	d, no := s.readDraft(c)
	if no == nil {
		no = s.vet(c, d)
	}
	if no != nil {
		return s.failure(c, *no)
	}
	return success(201, s.showPet(c, s.keep(c, s.animalOf(d))))
}

// animalOf returns a draft its id, and a status if the service has a default.
func (s *service) animalOf(d draft) animal {
	a := animal{id: s.assignID(d), name: d.name, category: d.category, status: d.status}
	if a.status == "" {
		a.status = s.presume(d)
	}
	return a
}

func (s *service) doGet(c *call) *answer {
	id, err := strconv.ParseInt(c.petID, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != c.petID {
		var no *refusal
		if id, no = s.invalidID(c, c.petID); no != nil {
			return s.failure(c, *no)
		}
	}
	a, ok := s.find(c, id)
	if !ok {
		return s.failure(c, *unknownAnimal())
	}
	return success(200, s.showPet(c, a))
}

func unknownAnimal() *refusal {
	return &refusal{404, "not_found", "no animal has this identifier"}
}

func success(status int, body any) *answer {
	return &answer{status: status, header: jsonHeader(), body: body}
}

func (s *service) failure(c *call, r refusal) *answer {
	return &answer{status: r.status, header: jsonHeader(), body: s.showError(c, r)}
}

func jsonHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}}
}

// petOf is the animal as the interface shows it.
func petOf(a animal) object {
	o := object{{"id", a.id}, {"name", a.name}, {"categoryId", a.category}}
	if a.status != "" {
		o = append(o, member{"status", a.status})
	}
	return append(o, a.extra...)
}

func (s *service) listOf(c *call, rows []animal) any {
	items := make(array, 0, len(rows))
	for _, a := range rows {
		items = append(items, s.showPet(c, a))
	}
	return items
}

// addHeaders sets what HTTP's own standards recommend.
func (s *service) addHeaders(c *call, a *answer) {
	if a.status == 401 {
		a.header.Set("WWW-Authenticate", `Bearer realm="pets"`)
	}
	if c.op == getPet {
		deprecated := time.Date(2025, 12, 5, 0, 0, 0, 0, time.UTC)
		removed := time.Date(2030, 12, 5, 0, 0, 0, 0, time.UTC)
		a.header.Set("Deprecation", "@"+strconv.FormatInt(deprecated.Unix(), 10))
		a.header.Set("Sunset", removed.Format(http.TimeFormat))
	}
}

func write(w http.ResponseWriter, _ *call, a *answer, text []byte) {
	maps.Copy(w.Header(), a.header)
	if a.status == http.StatusNoContent {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(a.status)
	_, _ = w.Write(text)
}
