package reports

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/spec"
)

// started is when the runs of these tests began.
var started = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

// frozen reads the catalogue of the tests, once.
var frozen = sync.OnceValues(func() (*spec.Catalogue, error) {
	text, err := os.ReadFile("testdata/rules.yaml")
	if err != nil {
		return nil, err
	}
	return spec.LoadCatalogue(text)
})

func catalogue(t testing.TB) []spec.Rule {
	t.Helper()
	return sources(t).Catalogue.Rules
}

func sources(t testing.TB) Sources {
	t.Helper()
	c, err := frozen()
	if err != nil {
		t.Fatal(err)
	}
	return Sources{Catalogue: c}
}

func viewOf(t testing.TB, rec *Record) *View {
	t.Helper()
	return NewView(rec, sources(t))
}

// formats are those of this package.
func formats() []Format { return []Format{JSON(), JUnit()} }

// run builds records as a run would fill them.
type run struct {
	rec Record
}

// newRun begins a record in which every rule was exercised, so that a test shows only what it is about.
func newRun(t testing.TB) *run {
	t.Helper()
	r := &run{rec: Record{
		Schema: Schema, Complete: true, Started: started, Ended: started.Add(800 * time.Millisecond),
		Suite:   Suite{Version: "0.1.0", Contract: "sha256:c0", Catalogue: "sha256:ca", Features: "sha256:fe"},
		Proof:   proven(),
		Target:  Target{BaseURL: "https://pets.example.com/v1"},
		Options: Options{Seed: 42, Concurrency: 4, Rerun: "hallmark run --base-url https://pets.example.com/v1"},
	}}
	r.rec.Exercised = map[string]int{}
	for _, rule := range catalogue(t) {
		if rule.Untestable == "" && rule.Level != spec.Open {
			r.rec.Exercised[rule.ID] = 5
		}
	}
	return r
}

// exchange adds one and gives its number. The request is "GET /pets?limit=3", the body the response's.
func (r *run) exchange(request string, status int, body string) int {
	seq := len(r.rec.Exchanges) + 1
	method, path, _ := strings.Cut(request, " ")
	path, sent, _ := strings.Cut(path, " ")
	ex := spec.Exchange{
		Seq: seq, Started: started, Elapsed: 3 * time.Millisecond,
		Request: spec.Request{
			Method: method, URL: "https://pets.example.com/v1" + path,
			Header: http.Header{"Authorization": {"Bearer $HALLMARK_API_KEY"}},
		},
		Response: &spec.Response{
			Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: spec.Bytes(body), Size: len(body),
		},
	}
	if sent != "" {
		ex.Request.Body = spec.Bytes(sent)
		ex.Request.Header.Set("Content-Type", "application/json")
	}
	r.rec.Exchanges = append(r.rec.Exchanges, ex)
	return seq
}

// scenario adds one about a rule, in the feature of the rule's area, one line further down each time.
func (r *run) scenario(rule string, outcome Outcome, findings ...spec.Finding) *Scenario {
	feature := "features/" + spec.Rule{ID: rule}.Area() + ".feature"
	id := fmt.Sprintf("%s:%d", feature, 10+len(r.rec.Scenarios))
	s := Scenario{
		ID: id, Feature: feature, Sentence: "A sentence about " + rule, Name: fmt.Sprintf("case %d", len(r.rec.Scenarios)+1),
		Rules: []string{rule}, Outcome: outcome, Findings: findings, Started: started, Elapsed: 4 * time.Millisecond,
	}
	for _, f := range findings {
		s.Exchanges = append(s.Exchanges, f.Exchanges...)
	}
	r.rec.Scenarios = append(r.rec.Scenarios, s)
	return &r.rec.Scenarios[len(r.rec.Scenarios)-1]
}

// ask adds an exchange of an operation that should have been answered with one of the expected statuses.
func (r *run) ask(operation string, status int, expected ...int) int {
	request := map[string]string{"listPets": "GET /pets", "createPet": "POST /pets {}", "getPet": "GET /pets/7"}[operation]
	if operation == "getPet" {
		request = fmt.Sprint("GET /pets/", 7+len(r.rec.Exchanges)) // no two of these make the same request
	}
	seq := r.exchange(request, status, "{}")
	r.rec.Exchanges[seq-1].Operation, r.rec.Exchanges[seq-1].Expect.Statuses = operation, expected
	return seq
}

// got adds a failed scenario of a rule whose request of an operation got a status that it should not have got.
func (r *run) got(rule, operation string, status int, expected ...int) int {
	seq := r.ask(operation, status, expected...)
	r.scenario(rule, Failed, r.statusFinding(rule, seq, expected[0], status))
	return seq
}

// schema makes a finding about the form of a response, as the contract's schemas give them.
func (r *run) schema(rule string, seq int, pointer, contract, actual string) spec.Finding {
	f := r.finding(rule, seq, pointer, "as the contract says", actual)
	f.Contract, f.Cause = contract, rule+" "+contract
	return f
}

// wrongStatus adds a failed scenario of a rule whose request got a status that it should not have got.
func (r *run) wrongStatus(rule, request string, expected, actual int) {
	seq := r.exchange(request, actual, `{"code":"x","message":"y","status":`+fmt.Sprint(actual)+`}`)
	r.scenario(rule, Failed, r.statusFinding(rule, seq, expected, actual))
}

func (r *run) statusFinding(rule string, seq, expected, actual int) spec.Finding {
	return spec.Finding{
		Rule: rule, Expected: fmt.Sprintf("status %d", expected), Actual: fmt.Sprintf("status %d", actual),
		Where: r.where(seq), Exchanges: []int{seq}, Cause: fmt.Sprintf("%s: status %d", rule, actual),
	}
}

// where names an exchange as the checks do.
func (r *run) where(seq int) string {
	ex := r.rec.Exchanges[seq-1]
	return fmt.Sprintf("%s %s → %d", ex.Request.Method, strings.TrimPrefix(ex.Request.URL, "https://pets.example.com/v1"), ex.Response.Status)
}

// finding makes one about a place in a response.
func (r *run) finding(rule string, seq int, pointer, expected, actual string) spec.Finding {
	f := spec.Finding{
		Rule: rule, Expected: expected, Actual: actual, Where: r.where(seq), Pointer: pointer, Exchanges: []int{seq}, Cause: rule,
	}
	if pointer != "" {
		f.Where += ", " + pointer
	}
	return f
}

// summary tells causes in a line each: "auth.required: 3 scenarios ← auth.missing 2, auth.empty 1".
func summary(causes []Cause) []string {
	var lines []string
	for _, c := range causes {
		line := fmt.Sprintf("%s: %d/%d", c.Rule, len(c.Scenarios), c.Findings)
		for i, a := range c.Also {
			sep := ", "
			if i == 0 {
				sep = " ← "
			}
			line += fmt.Sprintf("%s%s %d", sep, a.Rule, a.Findings)
		}
		lines = append(lines, line)
	}
	return lines
}
