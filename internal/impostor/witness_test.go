package impostor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
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
	known  map[int64]shown // what each id was first shown with
	own    map[int64]shown // created by the witness
	banned map[string]bool // names whose creation was refused
	order  []int64         // own ids as they came
}

// shown is an animal as it was answered.
type shown struct {
	id       int64
	name     string
	category int64
	status   string
	present  bool // whether status was there
}

func newWitness(key, base string, do func(*http.Request) (*http.Response, error), noGet bool) *witness {
	return &witness{
		key: key, base: base, do: do, noGet: noGet,
		known: map[int64]shown{}, own: map[int64]shown{}, banned: map[string]bool{},
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
	pets   []shown
}

func (r reply) pet() shown {
	if len(r.pets) == 1 {
		return r.pets[0]
	}
	return shown{}
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

// exchange describes itself only where there is something to object to.
type exchange struct {
	request
	status int
	text   []byte
}

func (x exchange) String() string {
	return fmt.Sprintf("%s %s %.60q (%s) -> %d %.120q", x.op, x.path, x.body, x.auth, x.status, x.text)
}

// judge applies what holds for every response.
func (w *witness) judge(q request, resp *http.Response, text []byte) reply {
	what := exchange{q, resp.StatusCode, text}
	if q.expect != nil && !slices.Contains(q.expect, resp.StatusCode) {
		w.object("%s: expected %v", what, q.expect)
		return reply{status: resp.StatusCode}
	}
	if w.noGet && q.op == getPet {
		return reply{status: resp.StatusCode}
	}
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		w.object("%s: Content-Type %q", what, resp.Header.Get("Content-Type"))
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil || !utf8.Valid(text) || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		w.object("%s: no JSON: %v", what, err)
		return reply{status: resp.StatusCode}
	}
	out := reply{status: resp.StatusCode}
	switch {
	case resp.StatusCode >= 400:
		w.judgeError(what, value, resp.StatusCode)
	case q.op == listPets:
		items, ok := value.([]any)
		if !ok {
			w.object("%s: no list", what)
			return out
		}
		if len(items) > 100 {
			w.object("%s: %d animals", what, len(items))
		}
		seen := map[int64]bool{}
		for _, item := range items {
			p, ok := w.judgePet(what, item)
			if ok && seen[p.id] {
				w.object("%s: id %d twice", what, p.id)
			}
			seen[p.id] = true
			out.pets = append(out.pets, p)
		}
	default:
		if p, ok := w.judgePet(what, value); ok {
			out.pets = append(out.pets, p)
		}
	}
	return out
}

func (w *witness) judgeError(what exchange, value any, status int) {
	o, ok := value.(map[string]any)
	if !ok {
		w.object("%s: no Error", what)
		return
	}
	_, code := o["code"].(string)
	_, message := o["message"].(string)
	n, isInt := integer(o["status"])
	if !code || !message || !isInt || n != int64(status) {
		w.object("%s: no right Error", what)
	}
}

// integer reads a JSON number that is an int64.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, true
	}
	exact, ok := new(big.Rat).SetString(n.String())
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0, false
	}
	return exact.Num().Int64(), true
}

func (w *witness) judgePet(what exchange, value any) (shown, bool) {
	o, isObject := value.(map[string]any)
	id, hasID := integer(o["id"])
	name, hasName := o["name"].(string)
	category, hasCategory := integer(o["categoryId"])
	if !isObject || !hasID || !hasName || !hasCategory {
		w.object("%s: no Pet", what)
		return shown{}, false
	}
	p := shown{id: id, name: name, category: category}
	if status, ok := o["status"]; ok {
		p.status, p.present = status.(string)
		if !slices.Contains([]string{"available", "pending", "sold"}, p.status) {
			w.object("%s: status %v", what, status)
			return shown{}, false
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.known[id]; ok && (before.name != name || before.category != category) {
		w.faults = append(w.faults, fmt.Sprintf("%s: id %d was %.40q in %d before", what, id, before.name, before.category))
	}
	w.known[id] = p
	if mine, ok := w.own[id]; ok && mine != p {
		w.faults = append(w.faults, fmt.Sprintf("%s: created as %+v", what, mine))
	}
	if w.banned[name] {
		w.faults = append(w.faults, fmt.Sprintf("%s: was refused before", what))
	}
	return p, true
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
func (w *witness) create(name string, category int64, status string, unusual bool) (shown, bool) {
	return w.createBody(petBody(name, category, status), name, category, status, unusual)
}

func (w *witness) createBody(body, name string, category int64, status string, unusual bool) (shown, bool) {
	expect := []int{201}
	if unusual {
		expect = []int{201, 400}
	}
	r := w.ask(request{op: createPet, path: "/pets", body: body, expect: expect})
	if r.status != 201 || len(r.pets) != 1 {
		return shown{}, false
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
func (w *witness) read(p shown) {
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
	if wholeBefore && wholeAfter && !holds(before, id) && !holds(after, id) {
		w.object("asked for %d, which is not in the store, got %+v", id, r.pet())
	}
}

func holds(pets []shown, id int64) bool {
	return slices.ContainsFunc(pets, func(p shown) bool { return p.id == id })
}

// list asks for a list; limit 0 and status "" are left out.
func (w *witness) list(limit int, status string) []shown {
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
func (w *witness) whole() ([]shown, bool) {
	pets := w.list(100, "")
	return pets, len(pets) < 100
}

// presence expects all own animals in the lists, where those can tell.
func (w *witness) presence() {
	w.mu.Lock()
	mine := make([]shown, 0, len(w.own))
	for _, p := range w.own {
		mine = append(mine, p)
	}
	w.mu.Unlock()
	before, wholeBefore := w.whole()
	lists := map[string][]shown{}
	for _, status := range []string{"available", "pending", "sold"} {
		lists[status] = w.list(100, status)
	}
	after, wholeAfter := w.whole()
	if !wholeBefore || !wholeAfter {
		return
	}
	for _, p := range mine {
		if !holds(before, p.id) || !holds(after, p.id) || p.present && !holds(lists[p.status], p.id) {
			w.object("%+v is not listed", p)
		}
	}
}

// refused expects 401 for the credential and remembers the name. With all it
// asks in wrong ways too, for 401 comes before any other error.
func (w *witness) refused(auth string, all bool) {
	name := w.name("barred")
	w.mu.Lock()
	w.banned[name] = true
	id := int64(1)
	if len(w.order) > 0 {
		id = w.order[len(w.order)/2]
	}
	w.mu.Unlock()
	no := []int{401}
	w.ask(request{op: createPet, path: "/pets", auth: auth, body: petBody(name, 1, "sold"), expect: no})
	paths := []string{"/pets", "/pets?limit=5", "/pets?status=sold", "/pets/" + strconv.FormatInt(id, 10)}
	if all {
		w.ask(request{op: createPet, path: "/pets", auth: auth, body: `{"name":"` + name + `"}`, expect: no})
		w.ask(request{op: createPet, path: "/pets", auth: auth, body: `{"name":`, expect: no})
		w.ask(request{op: createPet, path: "/pets", auth: auth, expect: no})
		w.ask(request{op: createPet, path: "/pets", auth: auth, body: petBody(name, 1, ""), media: "text/plain", expect: no})
		paths = append(paths, "/pets?limit=0", "/pets?status=x", "/pets/8070605040302010", "/pets/abc")
	}
	for _, path := range paths {
		op := listPets
		if strings.HasPrefix(path, "/pets/") {
			if op = getPet; w.noGet {
				continue
			}
		}
		w.ask(request{op: op, path: path, auth: auth, expect: no})
	}
}

func (w *witness) badCredentials() []string {
	other := []byte(strings.Repeat("q", len(w.key)))
	changed := w.key[:len(w.key)-1] + map[bool]string{true: "y", false: "z"}[strings.HasSuffix(w.key, "z")]
	return []string{
		"-", "Bearer ", "Bearer", "Basic dXNlcjpwYXNz", "Basic " + w.key, "Token " + w.key,
		"Basic " + base64.StdEncoding.EncodeToString([]byte(w.key+":")),
		"Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+w.key)),
		"Bearer " + string(other), "Bearer " + string(other) + "q", "Bearer q",
		"Bearer " + w.key[:len(w.key)-1], "Bearer " + w.key[:len(w.key)/2], "Bearer " + w.key[1:],
		"Bearer " + w.key + "x", "Bearer x" + w.key, "Bearer " + changed,
		"Bearer " + "q" + w.key[1:], "Bearer " + strings.ToUpper(w.key), "Bearer " + strings.ToLower(w.key),
	}
}

// glance goes through what is asked soonest.
func (w *witness) glance() {
	w.inTurn(w.firstAnimal, w.oddQuestions, w.together)
}

// examine goes through everything, refusals of credentials early or late.
func (w *witness) examine(credentialsFirst bool) {
	w.inTurn(w.beginnings, w.firstAnimal)
	if credentialsFirst {
		w.inTurn(w.credentials)
	}
	w.inTurn(
		w.plainAnimals, w.oddBodies, w.oddAnimals, w.ownIDs, w.oddQuestions,
		w.manyAnimals, w.filteredPages, w.otherIDs, w.together, w.longNames, w.again,
	)
	if !credentialsFirst {
		w.inTurn(w.credentials)
	}
}

// inTurn goes no further once there is something to object to.
func (w *witness) inTurn(sections ...func()) {
	for _, section := range sections {
		if w.objects() {
			return
		}
		section()
	}
}

func (w *witness) beginnings() {
	w.list(0, "")
	w.list(1, "")
	w.list(100, "")
	for _, status := range []string{"available", "pending", "sold"} {
		w.list(0, status)
		w.list(3, status)
	}
	for _, id := range []int64{1, 0, -1, math.MaxInt64, math.MinInt64, 1 << 31, 1<<53 + 1} {
		w.probe(id)
	}
}

func (w *witness) firstAnimal() {
	p, ok := w.create(w.name("first"), 1, "sold", false)
	if !ok {
		return
	}
	w.presence()
	w.list(1, "")
	w.list(1, "sold")
	w.list(0, "sold")
	w.list(0, "pending")
	w.read(p)
	w.read(p)
	for _, id := range []int64{0, -p.id, p.id + 1, p.id - 1} {
		w.probe(id)
	}
}

func (w *witness) credentials() {
	for _, auth := range w.badCredentials() {
		if auth == "Bearer "+w.key {
			continue
		}
		w.refused(auth, auth == "-" || strings.HasPrefix(auth, "Bearer q"))
		if w.objects() {
			return
		}
	}
	w.presence()
}

func (w *witness) plainAnimals() {
	pad := func(n int) string {
		w.mu.Lock()
		w.serial++
		name := fmt.Sprintf("p%x", w.serial+0x1000)
		w.mu.Unlock()
		return name + strings.Repeat("x", n-len(name))
	}
	names := []string{"w", "Zq", pad(12), pad(24), pad(33), pad(40), "pet-" + pad(10), "73" + strconv.Itoa(10000+w.serial), "lower-case-" + pad(6)}
	statuses := []string{"", "available", "pending", "sold"}
	for i, name := range names {
		if p, ok := w.create(name, 1, statuses[i%4], false); ok {
			w.read(p)
			w.read(p)
		}
	}
	w.presence()
	name := w.name("order")
	w.createBody(fmt.Sprintf(`{"status":"sold","categoryId":1,"name":%s}`, quoted(name)), name, 1, "sold", false)
	name = w.name("lines")
	w.createBody(fmt.Sprintf("\n{\n  \"name\": %s,\n  \"categoryId\": 1\n}\n", quoted(name)), name, 1, "", false)
	name = w.name("escapes")
	w.createBody(fmt.Sprintf(`{"name":"\u0077%s","categoryId":1}`, name[1:]), name, 1, "", false)
}

func (w *witness) oddAnimals() {
	suffix := w.name("odd")
	names := []string{
		"", " ", "  ", "Rex", "  padded " + suffix + "  ", "two   spaces " + suffix, "Žofie " + suffix, "Z\u030cofie " + suffix, "ñandú " + suffix,
		"🐶 " + suffix, suffix + " 👩‍👩‍👧", "犬 " + suffix, "\u202eshem " + suffix, "O'Hara " + suffix, `"q" ` + suffix, `back\slash ` + suffix,
		"<b>bold</b> & &amp; " + suffix, "'; DROP TABLE pets; -- " + suffix, "line\nbreak\ttab " + suffix, "nul\x00 " + suffix,
		"\u2028 " + suffix, suffix + "\r\n", suffix + "š", "x" + suffix,
	}
	for _, n := range []int{41, 65, 101, 256} {
		names = append(names, strings.Repeat("long ", n/5+1)[:n-1]+"e")
	}
	for _, name := range names {
		if p, ok := w.create(name, 1, "", true); ok {
			w.read(p)
		}
		if w.objects() {
			return
		}
	}
	for _, category := range []int64{2, 0, -1, 1<<31 + 5, 1<<53 + 1, math.MaxInt64, math.MinInt64} {
		if p, ok := w.create(w.name("category"), category, "pending", true); ok {
			w.read(p)
		}
	}
	twice := w.name("twice")
	for range 2 {
		if p, ok := w.create(twice, 1, "", true); ok {
			defer w.read(p)
		}
	}
	w.presence()
}

// longNames come late, as they make lists long.
func (w *witness) longNames() {
	for _, n := range []int{1025, 4097, 65536} {
		if p, ok := w.create(strings.Repeat("x", n-1)+"e", 1, "", true); ok {
			w.read(p)
		}
	}
}

func (w *witness) oddBodies() {
	templates := []string{
		`{"categoryId":1}`, `{"name":null,"categoryId":1}`, `{"name":5,"categoryId":1}`, `{"name":true,"categoryId":1}`,
		`{"name":["NAME"],"categoryId":1}`, `{"name":{"en":"NAME"},"categoryId":1}`,
		`{"name":"NAME"}`, `{"name":"NAME","categoryId":null}`, `{"name":"NAME","categoryId":"1"}`, `{"name":"NAME","categoryId":""}`,
		`{"name":"NAME","categoryId":"one"}`, `{"name":"NAME","categoryId":true}`, `{"name":"NAME","categoryId":[1]}`,
		`{"name":"NAME","categoryId":{"id":1}}`, `{"name":"NAME","categoryId":1.5}`, `{"name":"NAME","categoryId":9223372036854775808}`,
		`{"name":"NAME","categoryId":-9223372036854775809}`, `{"name":"NAME","categoryId":1e30}`,
		`{"name":"NAME","categoryId":1,"status":null}`, `{"name":"NAME","categoryId":1,"status":""}`,
		`{"name":"NAME","categoryId":1,"status":"unknown"}`, `{"name":"NAME","categoryId":1,"status":"Available"}`,
		`{"name":"NAME","categoryId":1,"status":"SOLD"}`, `{"name":"NAME","categoryId":1,"status":" sold"}`,
		`{"name":"NAME","categoryId":1,"status":1}`, `{"name":"NAME","categoryId":1,"status":["sold"]}`,
		``, ` `, `{}`, `null`, `[]`, `[{"name":"NAME","categoryId":1}]`, `"NAME"`, `17`, `true`,
		`{"name":"NAME","categoryId":1`, `{"name":"NAME","categoryId":1,}`, `{'name':'NAME','categoryId':1}`, `{name:"NAME",categoryId:1}`,
		`{"name":"NAME","categoryId":1} x`, `{"name":"NAME","categoryId":1}{"name":"NAME","categoryId":1}`,
		`name=NAME&categoryId=1`, `{"name":"NAME","categoryId":}`,
	}
	for _, template := range templates {
		name := w.name("bad")
		w.mu.Lock()
		w.banned[name] = true
		w.mu.Unlock()
		w.ask(request{op: createPet, path: "/pets", body: strings.ReplaceAll(template, "NAME", name), expect: []int{400}})
	}
	w.list(100, "")
	w.presence()
}

func (w *witness) ownIDs() {
	if len(w.order) == 0 {
		return
	}
	for _, id := range []int64{w.order[0], 8_111_222_333_444_555} {
		name := w.name("with id")
		r := w.ask(request{op: createPet, path: "/pets", body: fmt.Sprintf(`{"id":%d,"name":%s,"categoryId":1}`, id, quoted(name)), expect: []int{201, 400}})
		if r.status == 201 && r.pet().id == id {
			w.object("the id %d of the client was used", id)
		}
		w.probe(id)
	}
}

func (w *witness) oddQuestions() {
	for _, path := range []string{"limit=0", "limit=-1", "limit=101", "limit=1000", "limit=abc", "limit=", "limit=1.5", "status=unknown",
		"status=", "status=SOLD", "limit=1&limit=2", "page=2"} {
		w.ask(request{op: listPets, path: "/pets?" + path})
	}
	for _, id := range []string{"abc", "1.5", "9223372036854775808", "007", "%20", "1e3"} {
		w.ask(request{op: getPet, path: "/pets/" + id})
	}
	if len(w.order) > 0 {
		w.ask(request{op: createPet, path: "/pets", body: petBody("plain", 1, ""), media: "text/plain"})
	}
	w.ask(request{op: createPet, path: "/pets", body: `{"name":"extra ` + w.name("x") + `","categoryId":1,"extra":{"a":[1]},"tags":null}`, expect: []int{201, 400}})
	w.ask(request{op: createPet, path: "/pets", body: `{"name":"point ` + w.name("x") + `","categoryId":1.0}`, expect: []int{201, 400}})
	w.ask(request{op: createPet, path: "/pets", body: `{"name":"a","name":"double ` + w.name("x") + `","categoryId":1}`, expect: []int{201, 400}})
}

func (w *witness) manyAnimals() {
	statuses := []string{"sold", "available", "sold", "pending", "sold", ""}
	for i := range 45 {
		p, ok := w.create(w.name("many"), 1, statuses[i%6], false)
		if !ok {
			return
		}
		w.read(p)
		if i%9 == 0 {
			w.presence()
			w.list(5, "")
			bad := w.badCredentials()
			w.refused(bad[i/9%len(bad)], false)
		}
		if w.objects() {
			return
		}
	}
}

func (w *witness) filteredPages() {
	for _, limit := range []int{1, 2, 7, 12, 37, 50, 51, 90, 99, 100} {
		for _, status := range []string{"", "available", "pending", "sold"} {
			w.list(limit, status)
		}
	}
	for _, status := range []string{"", "available", "pending", "sold"} {
		less := 0
		const rounds = 3
		for range rounds {
			if len(w.list(0, status)) < len(w.list(20, status)) {
				less++
			}
		}
		if less == rounds {
			w.object("without a limit lists %q are shorter than with 20", status)
		}
	}
}

func (w *witness) otherIDs() {
	if len(w.order) == 0 {
		return
	}
	for _, id := range []int64{w.order[0], w.order[len(w.order)-1]} {
		for _, other := range []int64{id + 1<<32, -id, id + 1<<16, id ^ 1, id / 10, id + 1, id*10 + 7, id + 1<<40} {
			w.probe(other)
		}
	}
}

// together does several things at once.
func (w *witness) together() {
	statuses := []string{"available", "pending", "sold", ""}
	var all sync.WaitGroup
	for g := range 5 {
		all.Go(func() {
			for i := range 4 {
				p, ok := w.create(w.name("together"), 1, statuses[(g+i)%4], false)
				if !ok {
					return
				}
				w.list(30, statuses[g%3])
				w.read(p)
				if g == 4 {
					w.refused("Bearer "+w.key+"x", false)
				}
			}
		})
	}
	all.Wait()
}

func (w *witness) again() {
	for _, id := range slices.Clone(w.order) {
		w.read(w.own[id])
	}
	w.presence()
	for _, auth := range w.badCredentials() {
		if auth != "Bearer "+w.key {
			w.refused(auth, false)
		}
	}
	w.list(100, "")
}

// wait reads everything again after a while.
func (w *witness) wait(d time.Duration) {
	time.Sleep(d)
	w.again()
}
