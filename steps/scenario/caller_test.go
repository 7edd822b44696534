package scenario_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/steps/credentials"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// rules are those of the bookshop: what every run judges by, and one rule of its own.
const rules = `
- {id: answer.status, level: must, section: All, says: The status is documented., always: true}
- {id: answer.body, level: must, section: All, says: The body fits., always: true}
- {id: shop.shape, level: must, section: All, says: What is answered has its shape., always: true, contract: [/paths, /components]}
- {id: answer.media-type, level: must, section: All, says: The media type fits., always: true}
- {id: answer.json, level: must, section: All, says: JSON is JSON., always: true}
- {id: error.body, level: must, section: All, says: Errors have their body., always: true}
- {id: auth.accepted, level: must, section: All, says: The right key is accepted.}
- {id: order.found, level: must, section: Orders, says: An order that was placed is found.}
`

// bookshop is a service of an interface without Go code: it answers each request with the next of its answers, and
// repeats the last; without any the connection is lost.
type bookshop struct {
	mu      sync.Mutex
	answers []string // "status body"
	asked   []*http.Request
}

func (b *bookshop) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, r)
	if len(b.answers) == 0 {
		return nil, errors.New("connection reset by peer")
	}
	status, body, _ := strings.Cut(b.answers[0], " ")
	if len(b.answers) > 1 {
		b.answers = b.answers[1:]
	}
	code := map[string]int{"200": 200, "201": 201, "400": 400, "404": 404, "500": 500}[status]
	return &http.Response{
		StatusCode: code, Status: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
	}, nil
}

const anOrder = `{"number": 7, "isbn": "1234", "copies": 1, "gift": false}`

// play begins a scenario of the bookshop's only own rule.
func (b *bookshop) play(t *testing.T, change func(*scenario.Options)) *scenario.Scenario {
	t.Helper()
	text, err := os.ReadFile("../../spec/derive/testdata/bookshop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := openapi.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.LoadCatalogue([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	o := scenario.Options{
		Target:   scenario.Target{BaseURL: "http://books.test/v1", Key: "a-key-of-the-bookshop", MaxCreated: 2},
		Contract: contract, Catalogue: catalogue, Seed: 1, Timeout: time.Minute, Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		Transport: b, Agent: "hallmark/test", ID: "books1", Recorder: record.NewRecorder(record.Record{}),
	}
	if change != nil {
		change(&o)
	}
	run, err := scenario.New(o)
	if err != nil {
		t.Fatal(err)
	}
	run.Reserve(false, nil)
	about, _ := catalogue.Rule("order.found")
	steps := []suite.Step{{Keyword: "When", Text: "an order is read"}, {Keyword: "Then", Text: "it is there"}}
	return run.NewScenario(&suite.Scenario{URI: "features/orders.feature", Line: 3, Rules: []string{"order.found"}, Steps: steps}, about)
}

// ask calls an operation with the right key.
func ask(t *testing.T, s *scenario.Scenario, operation string, arguments ...scenario.Argument) (*scenario.Answer, error) {
	t.Helper()
	op, err := s.Operation(operation)
	if err != nil {
		t.Fatal(err)
	}
	return s.Perform(t.Context(), op, arguments, nil, credentials.Right(s.Run.Target.Key), "")
}

// A response whose value was released is complete again once its value is read.
func TestLight(t *testing.T) {
	b := &bookshop{answers: []string{"200 " + anOrder, "200 {"}}
	s := b.play(t, nil)
	for _, readable := range []bool{true, false} {
		a, err := ask(t, s, "readOrder", scenario.Argument{Name: "number", Value: "1"})
		if err != nil {
			t.Fatal(err)
		}
		s.Judge(a)
		light := a.Light()
		whole := light.Whole().Value
		if light.Value.Valid || whole.Valid != readable || readable && !whole.Equal(a.Value) {
			t.Errorf("%s is %v, light %v, and whole again %v", a.Exchange.Response.Body, a.Value, light.Value, whole)
		}
	}
}

func TestCallsAreMadeFromTheContract(t *testing.T) {
	b := &bookshop{answers: []string{"200 " + anOrder, "200 []", "201 " + anOrder}}
	s := b.play(t, nil)
	for _, c := range []struct {
		operation string
		arguments []scenario.Argument
		want      string
	}{
		{"readOrder", []scenario.Argument{{Name: "number", Value: "7/8"}}, "GET http://books.test/v1/orders/7%2F8"},
		{"findOrders", []scenario.Argument{{Name: "state", Value: "open"}, {Name: "text", Value: "a&b"}}, "GET http://books.test/v1/orders?state=open&text=a%26b"},
		{"placeOrder", nil, "POST http://books.test/v1/orders"},
	} {
		a, err := ask(t, s, c.operation, c.arguments...)
		if err != nil {
			t.Fatalf("%s: %v", c.operation, err)
		}
		r := b.asked[len(b.asked)-1]
		if got := r.Method + " " + r.URL.String(); got != c.want {
			t.Errorf("%s asks %s, want %s", c.operation, got, c.want)
		}
		if r.Header.Get("Authorization") != "Bearer "+s.Run.Target.Key || r.Header.Get("User-Agent") != "hallmark/test (run books1; features/orders.feature:3)" {
			t.Errorf("%s sends %v", c.operation, r.Header)
		}
		if a.Status()/100 != 2 || !a.Right || a.Exchange.Operation != c.operation || a.Exchange.Scenario != s.ID() {
			t.Errorf("%s is answered with %+v", c.operation, a)
		}
	}
	if found := s.Findings(); len(found) > 0 {
		t.Errorf("held against a service that keeps the contract: %+v", found)
	}
}

// A response is judged by the contract as soon as it is received, and its status by what the scenario expects.
func TestResponsesAreJudged(t *testing.T) {
	b := &bookshop{answers: []string{`200 {"number": "7", "isbn": "1234", "copies": 1, "gift": false}`, `404 {"reason": "gone"}`}}
	s := b.play(t, nil)
	a, err := ask(t, s, "readOrder")
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Findings(); len(f) != 1 || f[0].Rule != "shop.shape" || f[0].Pointer != "/number" {
		t.Errorf("a text for a number: %+v", f)
	}
	if !s.Expect(a, "order.found", 200) {
		t.Error("a status that is expected is not kept")
	}
	if a, err = ask(t, s, "readOrder"); err != nil {
		t.Fatal(err)
	}
	if s.Expect(a, "order.found", 200) {
		t.Error("another status than the expected one is kept")
	}
	ended := s.Ended(nil)
	if f := ended.Findings; len(f) != 2 || f[1].Rule != "order.found" || f[1].Kind != spec.KindStatus || f[1].Status != 404 {
		t.Errorf("%+v", f)
	}
	if ended.Outcome != record.Failed || ended.ID != "features/orders.feature:3" || len(ended.Exchanges) != 2 {
		t.Errorf("%+v", ended)
	}
}

// What an interface without Go code creates is called a resource.
func TestBudgetOfARun(t *testing.T) {
	b := &bookshop{answers: []string{"201 " + anOrder, "500 {}", "201 " + anOrder}}
	s := b.play(t, nil)
	var err error
	for range 4 {
		if _, err = ask(t, s, "placeOrder"); err != nil {
			break
		}
	}
	var stop scenario.Stop
	if !errors.As(err, &stop) || stop.Reason != "the run may create no more than 2 resources (--max-created)" {
		t.Errorf("it ends with %v", err)
	}
	rec := s.Run.Recorder.Snapshot()
	if len(rec.Created) == 0 || rec.Created[0].Fate != record.Created || rec.Created[0].Scenario != s.ID() {
		t.Errorf("created are %+v", rec.Created)
	}
	if len(b.asked) != len(rec.Created) {
		t.Errorf("%d requests, and %d are on the list", len(b.asked), len(rec.Created))
	}

	s = b.play(t, func(o *scenario.Options) { o.Target.ReadOnly = true })
	before := len(b.asked)
	if _, err := ask(t, s, "placeOrder"); !errors.As(err, &stop) || len(b.asked) != before {
		t.Errorf("a read-only run asks for a creation: %v", err)
	}
}

func TestLostConnections(t *testing.T) {
	b := &bookshop{}
	s := b.play(t, nil)
	_, err := ask(t, s, "readOrder")
	if !errors.Is(err, scenario.ErrLost) || len(s.Findings()) > 0 {
		t.Fatalf("%v, %+v", err, s.Findings())
	}
	ended := s.Ended(err)
	if ended.Outcome != record.Errored || !strings.Contains(ended.Reason, "the connection was lost: GET /orders/1") {
		t.Errorf("%s: %s", ended.Outcome, ended.Reason)
	}
}

func TestHowScenariosEnd(t *testing.T) {
	for name, c := range map[string]struct {
		err     error
		outcome record.Outcome
		reason  string
		excused bool
	}{
		"well":              {nil, record.Passed, "", false},
		"for a reason":      {scenario.Stopf("the store holds %d orders", 3), record.Skipped, "the store holds 3 orders", false},
		"without a case":    {scenario.Excusef("it has no such operation"), record.Skipped, "it has no such operation", true},
		"by a step's error": {errors.New("no operation has been called"), record.Errored, "no operation has been called", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := new(bookshop).play(t, nil)
			s.AddStep(record.Step{Keyword: "When", Text: "an order is read", Outcome: record.Passed})
			ended := s.Ended(c.err)
			if ended.Outcome != c.outcome || ended.Reason != c.reason || ended.Excused != c.excused {
				t.Errorf("%s %q, excused %v", ended.Outcome, ended.Reason, ended.Excused)
			}
			if len(ended.Steps) != 2 || ended.Steps[1].Text != "it is there" || ended.Steps[1].Outcome != record.Skipped {
				t.Errorf("the steps are %+v", ended.Steps)
			}
		})
	}
}
