package reports

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hallmark/spec"
)

// goodRun is a run against a service that keeps everything.
func goodRun(t testing.TB) *run {
	t.Helper()
	r := newRun(t)
	for _, rule := range []string{"list.array", "list.limit.honoured", "create.accepted", "create.echo.name", "get.found", "auth.missing"} {
		seq := r.exchange("GET /pets?limit=3", 200, "[]")
		r.scenario(rule, Passed).Exchanges = []int{seq}
	}
	observe := func(rule string, pairs ...string) {
		s := r.scenario(rule, Passed)
		for i := 0; i < len(pairs); i += 2 {
			s.Observations = append(s.Observations, spec.Observation{Rule: rule, Asked: pairs[i], Answer: pairs[i+1], Exchange: 1})
		}
	}
	observe("list.limit.outside", "limit is 0", "400, code invalid_limit", "limit is -1", "400, code invalid_limit", "limit is 101", "200, 100 animals")
	observe("list.order", "30 animals", "by id, ascending")
	observe("create.field.unknown", "a field colour beside the others", "201, the field is ignored")
	observe("other.orders", "GET /store/orders", "404, code not_found")
	return r
}

// badRun is a run against a service with several defects, an odd answer, warnings, and rules that were not reached.
func badRun(t testing.TB) *run {
	t.Helper()
	r := goodRun(t)
	r.rec.Options.Rerun = "hallmark run --target staging"
	r.rec.Ended = started.Add(83 * time.Second)

	// Every kind of bad credential is let in by listPets.
	for _, rule := range credentials[:4] {
		r.wrongStatus(rule, "GET /pets", 401, 200)
		ex := &r.rec.Exchanges[len(r.rec.Exchanges)-1]
		ex.About = "the credential is bad"
		ex.Request.Header = http.Header{"Authorization": {"Bearer ${HALLMARK_API_KEY%?}"}}
	}
	// The limit is ignored; the offending item of a long response is found in the middle.
	var items []string
	for i := range 60 {
		items = append(items, fmt.Sprintf(`{"id":%d,"name":"animal %d","categoryId":1,"status":"available"}`, i, i))
	}
	for i := range 3 {
		seq := r.exchange(fmt.Sprintf("GET /pets?limit=%d", i+3), 200, "["+strings.Join(items, ",")+"]")
		f := r.finding("list.limit.honoured", seq, "", fmt.Sprintf("at most %d animals", i+3), "60 animals")
		f.Where += ", the array's length"
		r.scenario("list.limit.honoured", Failed, f)
	}
	items[41] = `{"id":41.5,"name":"animal 41","categoryId":1}`
	long := r.exchange("GET /pets?limit=100", 200, "["+strings.Join(items, ",")+"]")
	r.scenario("list.array", Failed, r.finding("pet.id", long, "/41/id", "an int64", "41.5"))

	// A name comes back changed, with what a terminal must not obey.
	name := "Zoë \x1b[2J\u202e" + strings.Repeat("x", 600)
	create := r.exchange(`POST /pets {"name":"`+name+`","categoryId":1}`, 201, `{"id":7,"name":"`+name[:3]+"\x1b]0;pwned\x07"+`"}`)
	read := r.exchange("GET /pets/7", 200, `{"id":7,"name":"Zo\ufffd","categoryId":1}`)
	changed := r.finding("get.created", read, "/name", `"`+name+`"`, `"Zo\ufffd"`)
	changed.Exchanges = []int{create, read}
	r.scenario("get.created", Failed, changed)

	// Standards beside the interface.
	seq := r.exchange("GET /pets/7", 200, "{}")
	header := r.finding("get.deprecation", seq, "", "a Deprecation header", "none")
	header.Where += ", header Deprecation"
	r.scenario("get.found", Passed, header)
	// A response that never came.
	lost := r.exchange("GET /pets", 0, "")
	r.rec.Exchanges[lost-1].Response = nil
	r.rec.Exchanges[lost-1].Lost = "connection reset by peer"
	// Rules that were not reached.
	for _, id := range []string{"list.empty", "list.complete", "list.status.complete", "create.id.own"} {
		delete(r.rec.Exercised, id)
	}
	r.scenario("list.empty", Skipped).Reason = "the store is not empty"
	r.scenario("list.complete", Skipped).Reason = "the store holds more than 100 animals"
	r.scenario("list.status.complete", Skipped).Reason = "the store holds more than 100 animals"
	r.rec.NotApplicable = map[string]string{"get.kept": "getPet was removed on 5 December 2030"}
	return r
}

// brokenRun is a run that our own mistakes made worthless.
func brokenRun(t testing.TB) *run {
	t.Helper()
	r := goodRun(t)
	r.rec.Complete = false
	r.rec.Failure = "the step \"Then all is well\" is undefined"
	for range 8 {
		r.scenario("list.array", Errored).Reason = "dial tcp: \x1b[31mno route\nto host"
	}
	r.wrongStatus("list.order", "GET /pets", 200, 404)
	return r
}
