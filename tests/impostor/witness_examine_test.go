package impostor

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

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

// examineBriefly goes through what is asked soonest.
func (w *witness) examineBriefly() {
	w.run(w.firstAnimal, w.openQuestions, w.overlapping)
}

// examine goes through everything, refusals of credentials early or late.
func (w *witness) examine(credentialsFirst bool) {
	w.run(w.beginnings, w.firstAnimal)
	if credentialsFirst {
		w.run(w.credentials)
	}
	w.run(
		w.plainAnimals, w.invalidBodies, w.unusualAnimals, w.clientIDs, w.openQuestions,
		w.manyAnimals, w.filteredPages, w.unknownIDs, w.overlapping, w.longNames, w.readAllAgain,
	)
	if !credentialsFirst {
		w.run(w.credentials)
	}
}

// run goes no further once there is something to object to.
func (w *witness) run(sections ...func()) {
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

func (w *witness) unusualAnimals() {
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

func (w *witness) invalidBodies() {
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

func (w *witness) clientIDs() {
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

func (w *witness) openQuestions() {
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
		// A legal service may be one short by chance, in a quarter of the rounds.
		steadily := true
		for range 10 {
			if steadily = len(w.list(0, status)) < len(w.list(20, status)); !steadily {
				break
			}
		}
		if steadily {
			w.object("without a limit lists %q are shorter than with 20", status)
		}
	}
}

func (w *witness) unknownIDs() {
	if len(w.order) == 0 {
		return
	}
	for _, id := range []int64{w.order[0], w.order[len(w.order)-1]} {
		for _, other := range []int64{id + 1<<32, -id, id + 1<<16, id ^ 1, id / 10, id + 1, id*10 + 7, id + 1<<40} {
			w.probe(other)
		}
	}
}

// overlapping does several things at once.
func (w *witness) overlapping() {
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

func (w *witness) readAllAgain() {
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
	w.readAllAgain()
}
