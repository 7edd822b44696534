package bulk

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// base is the address of the service that was never asked.
const base = "https://bulk.example.com/v1"

// began is the start of every run.
var began = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

const (
	// lanes is the number of requests in flight, perScenario that of the exchanges of a scenario.
	lanes, perScenario = 8, 3
	// brokenEvery and skippedEvery say how often a rule is violated or left out.
	brokenEvery, skippedEvery = 53, 19
)

// View returns a run over that many operations.
func View(operations int) (*view.View, error) {
	text, err := document(operations)
	if err != nil {
		return nil, err
	}
	contract, err := openapi.Load(text)
	if err != nil {
		return nil, fmt.Errorf("the document cannot be read: %w", err)
	}
	promises := promise.Of(contract, 1, 0)
	catalogue, err := promises.Catalogue()
	if err != nil {
		return nil, fmt.Errorf("no rules can be derived: %w", err)
	}
	m := &maker{contract: contract, catalogue: catalogue, rec: record.Record{
		Schema: record.Schema, Complete: true, ID: "bulk00", Started: began,
		Suite:     record.Suite{Version: "v0.0.0-bulk", Contract: contract.Digest(), Catalogue: catalogue.Digest(), Features: "sha256:bulk", Foreign: []string{"contract"}},
		Target:    record.Target{BaseURL: base},
		Options:   record.Options{Seed: 1, Concurrency: lanes, Rerun: "hallmark run --contract bulk.json --base-url " + base},
		Exercised: map[string]int{},
	}}
	m.makeScenarios(promises)
	m.rec.Coverage = m.covered.Coverage(contract)
	m.rec.Ended = began.Add(slices.Max(m.free[:]) + time.Millisecond)
	return view.New(&m.rec, view.Sources{Catalogue: catalogue, Contract: contract, ContractFile: "bulk.json"}), nil
}

// maker makes up what a run would have found out.
type maker struct {
	contract  *spec.Contract
	catalogue *spec.Catalogue
	rec       record.Record
	// free is when each lane is free again.
	free [lanes]time.Duration
	// covered counts what the exchanges put to the test.
	covered record.CoverageTally
}

func (m *maker) makeScenarios(promises *promise.Promises) {
	scenarios := map[string][]promise.Scenario{}
	promises.Scenarios(m.catalogue, func(s promise.Scenario) { scenarios[s.Rule] = append(scenarios[s.Rule], s) })
	line := 1
	for i, r := range m.catalogue.Rules {
		of := scenarios[r.ID]
		if len(of) == 0 {
			of = []promise.Scenario{{Rule: r.ID, Title: "any response", Text: "\n  Given a plain request\n  When it is sent\n  Then the response is as documented\n"}}
		}
		for n, s := range of[:min(len(of), 2)] {
			line += 8
			m.scenario(r, s, "derived/"+r.Area()+".feature:"+strconv.Itoa(line), i%brokenEvery == 7, i%skippedEvery == 11 && n == 0)
		}
		if m.rec.Scenarios[len(m.rec.Scenarios)-1].Outcome == record.Skipped {
			continue
		}
		m.rec.Exercised[r.ID] = 1 + i%9
	}
}

// scenario adds a scenario of a rule.
func (m *maker) scenario(r spec.Rule, s promise.Scenario, id string, broken, skipped bool) {
	sc := record.Scenario{
		ID: id, Feature: r.Area(), Sentence: r.Says, Name: s.Title, Rules: []string{r.ID}, Operations: r.Operations, Outcome: record.Passed,
		Round: 1 + len(m.rec.Scenarios)*3/(len(m.catalogue.Rules)*2),
	}
	if skipped {
		sc.Outcome, sc.Reason = record.Skipped, "no request to "+r.Area()+" succeeded, so there is nothing to compare with"
	}
	sc.Steps = stepsOf(s.Text, sc.Outcome)
	if !skipped {
		lane := slices.Index(m.free[:], slices.Min(m.free[:]))
		sc.Started = began.Add(m.free[lane])
		for n := range perScenario {
			sc.Exchanges = append(sc.Exchanges, m.exchange(r, sc.ID, s.Title, lane, n, broken && n == perScenario-1))
		}
		sc.Elapsed = m.rec.Exchanges[len(m.rec.Exchanges)-1].Started.Sub(sc.Started)
		if broken {
			sc.Outcome = record.Failed
			sc.Steps[len(sc.Steps)-1].Outcome = record.Failed
			sc.Findings = []spec.Finding{m.finding(r, &m.rec.Exchanges[len(m.rec.Exchanges)-1])}
		}
	}
	m.rec.Scenarios = append(m.rec.Scenarios, sc)
}

// stepsOf reads the steps of a scenario in Gherkin.
func stepsOf(gherkin string, outcome record.Outcome) []record.Step {
	var all []record.Step
	for line := range strings.Lines(gherkin) {
		keyword, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch keyword {
		case "Given", "When", "Then", "And", "But":
			all = append(all, record.Step{Keyword: keyword, Text: rest, Outcome: outcome})
		}
	}
	return all
}

// exchange adds an exchange and returns its number.
func (m *maker) exchange(r spec.Rule, scenario, about string, lane, n int, broken bool) int {
	seq := len(m.rec.Exchanges) + 1
	ex := spec.Exchange{Seq: seq, Scenario: scenario, Started: began.Add(m.free[lane]), Elapsed: time.Duration(900+hash(scenario, n)%5000) * time.Microsecond}
	m.free[lane] += ex.Elapsed + 200*time.Microsecond
	if len(r.Operations) == 0 {
		ex.Request = spec.Request{Method: http.MethodGet, URL: base + "/"}
		ex.Response = &spec.Response{Status: http.StatusNotFound}
		m.rec.Exchanges = append(m.rec.Exchanges, ex)
		return seq
	}
	op, _ := m.contract.Operation(r.Operations[0])
	ex.Operation = op.ID
	id := fmt.Sprintf("%08x-%04x-4000-8000-%012x", hash(op.Path, seq/7), seq%0xffff, seq)
	ex.Request = spec.Request{Method: op.Method, URL: base + strings.ReplaceAll(op.Path, "{id}", id), Header: http.Header{
		"Accept": {"application/json, */*;q=0.1"}, "User-Agent": {"hallmark/bulk (run bulk00; " + scenario + ")"}, "X-Correlation-Id": {"bulk00-" + strconv.Itoa(seq)},
	}}
	ex.Correlation = "bulk00-" + strconv.Itoa(seq)
	if op.Body != nil {
		ex.Request.Header.Set("Content-Type", "application/json")
		ex.Request.Body = fmt.Appendf(nil, `{"name":"name %d","amount":%d,"state":"open"}`, seq, hash(id, n)%100000)
	}
	status := statusOf(op, n)
	if n == perScenario-1 {
		ex.About = about
	}
	ex.Expect = spec.Expect{Statuses: []int{status}, Rule: r.ID}
	if broken && seq%2 == 0 {
		status = http.StatusOK
		ex.Expect.Statuses = []int{http.StatusBadRequest}
	}
	ex.Response = &spec.Response{Status: status, Header: http.Header{"Date": {"Wed, 04 Mar 2026 10:00:00 GMT"}, "Content-Type": {"application/json"}}}
	ex.Response.Body = answer(op, status, id, seq)
	ex.Response.Size = len(ex.Response.Body)
	if hash(scenario, n)%211 == 0 {
		ex.Delays = 1
	}
	value := spec.Decode(ex.Response)
	marks := coverage.Mark(m.contract, op, &ex, coverage.Value{Tree: value.Tree, Readable: value.Valid, Judged: true})
	m.covered.Add(&marks, broken)
	m.rec.Exchanges = append(m.rec.Exchanges, ex)
	return seq
}

// statusOf returns the status of the exchange with that index in its scenario: successes, and now and then an error.
func statusOf(op *spec.Operation, n int) int {
	if n == perScenario-2 {
		return http.StatusBadRequest
	}
	for _, r := range op.Responses {
		if r.Status >= 200 && r.Status < 300 {
			return r.Status
		}
	}
	return http.StatusOK
}

// answer returns a body for a status.
func answer(op *spec.Operation, status int, id string, seq int) []byte {
	one := func(n int) string {
		return fmt.Sprintf(`{"id":"%s","name":"name %d","amount":%d,"state":"open","note":"a note of some words, number %d"}`, id, seq+n, hash(id, n)%100000, n)
	}
	switch {
	case status == http.StatusNoContent:
		return nil
	case status >= 400:
		return []byte(`{"message":"the request does not fit the document"}`)
	case strings.HasPrefix(op.ID, "list"):
		var all []string
		for n := range 1 + seq%6 {
			all = append(all, one(n))
		}
		return []byte("[" + strings.Join(all, ",") + "]")
	}
	return []byte(one(0))
}

// finding returns what is wrong with an exchange.
func (m *maker) finding(r spec.Rule, ex *spec.Exchange) spec.Finding {
	f := spec.Finding{
		Rule: r.ID, Operation: ex.Operation, Exchanges: []int{ex.Seq}, Cause: r.ID,
		Where: phrase.Place{Method: ex.Request.Method, Path: strings.TrimPrefix(ex.Request.URL, base), Status: ex.Response.Status},
	}
	if len(ex.Expect.Statuses) > 0 && !ex.Expect.Allows(ex.Response.Status) {
		f.Kind, f.Status = spec.KindStatus, ex.Response.Status
		f.Expected, f.Actual = phrase.Of("status {}", phrase.Status(ex.Expect.Statuses...)), phrase.Of("status {}", phrase.Status(ex.Response.Status))
		return f
	}
	f.Kind, f.Detail = spec.KindMissing, "total"
	f.Expected, f.Actual = phrase.Of("the property {}", phrase.Field("total")), phrase.Of("no property {}", phrase.Field("total"))
	f.Contract = cmp.Or(append(slices.Clone(r.Contract), "")...)
	return f
}

// hash returns a number that looks arbitrary and is always the same.
func hash(s string, n int) int {
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, s, n)
	return int(h.Sum32() >> 1)
}
