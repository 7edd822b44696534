package scenario_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// scripted is a service that answers each request with the next of its answers, and repeats the last; without any
// the connection is lost.
type scripted struct {
	mu      sync.Mutex
	answers []string // "status body"
	asked   []*http.Request
}

func (b *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
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

const aPet = `{"id": 7, "name": "Rex", "categoryId": 1, "status": "available"}`

// play begins a scenario of the Petstore about what is created.
func (b *scripted) play(t *testing.T, change func(*scenario.Options)) *scenario.Scenario {
	t.Helper()
	o := rehearse.Options(t, b)
	o.Target.MaxCreated, o.ID = 2, "pets01"
	if change != nil {
		change(&o)
	}
	about, _ := o.Catalogue.Rule("get.found")
	steps := []suite.Step{{Keyword: "When", Text: "an animal is read"}, {Keyword: "Then", Text: "it is there"}}
	return scenario.New(o).NewScenario(&suite.Scenario{URI: "features/pets.feature", Line: 3, Rules: []string{"get.found"}, Steps: steps}, about)
}

// ask calls an operation with the right key.
func ask(t *testing.T, s *scenario.Scenario, operation string) (*scenario.Answer, error) {
	t.Helper()
	op, err := s.Operation(operation)
	if err != nil {
		t.Fatal(err)
	}
	return s.AskPlain(t.Context(), op, "")
}

// A response whose value was released is complete again once its value is read.
func TestLight(t *testing.T) {
	b := &scripted{answers: []string{"200 [" + aPet + "]", "200 ["}}
	s := b.play(t, nil)
	for _, readable := range []bool{true, false} {
		a, err := ask(t, s, "listPets")
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
	b := &scripted{answers: []string{"200 []", "201 " + aPet}}
	s := b.play(t, nil)
	for operation, want := range map[string]string{"listPets": "GET http://pets.test/v1/pets", "createPet": "POST http://pets.test/v1/pets"} {
		b.answers = []string{map[string]string{"listPets": "200 []", "createPet": "201 " + aPet}[operation]}
		a, err := ask(t, s, operation)
		if err != nil {
			t.Fatalf("%s: %v", operation, err)
		}
		r := b.asked[len(b.asked)-1]
		if got := r.Method + " " + r.URL.String(); got != want {
			t.Errorf("%s asks %s, want %s", operation, got, want)
		}
		if r.Header.Get("Authorization") != "Bearer "+s.Run.Target.Key || r.Header.Get("User-Agent") != "hallmark/test (run pets01; features/pets.feature:3)" {
			t.Errorf("%s sends %v", operation, r.Header)
		}
		if a.Status()/100 != 2 || !a.Right || a.Exchange.Operation != operation || a.Exchange.Scenario != s.ID() {
			t.Errorf("%s is answered with %+v", operation, a)
		}
	}
	if found := s.Findings(); len(found) > 0 {
		t.Errorf("held against a service that keeps the contract: %+v", found)
	}
}

// A response is judged by the contract as soon as it is received.
func TestResponsesAreJudged(t *testing.T) {
	b := &scripted{answers: []string{`200 [{"id": "7", "name": "Rex", "categoryId": 1}]`}}
	s := b.play(t, nil)
	if _, err := ask(t, s, "listPets"); err != nil {
		t.Fatal(err)
	}
	ended := s.Ended(nil)
	if f := ended.Findings; len(f) != 1 || f[0].Rule != "pet.id" || f[0].Pointer != "/0/id" {
		t.Errorf("a text for a number: %+v", f)
	}
	if ended.Outcome != record.Failed || ended.ID != "features/pets.feature:3" || len(ended.Exchanges) != 1 {
		t.Errorf("%+v", ended)
	}
}

func TestBudgetOfARun(t *testing.T) {
	b := &scripted{answers: []string{"201 " + aPet, "500 {}", "201 " + aPet}}
	s := b.play(t, nil)
	var err error
	for range 4 {
		if _, err = ask(t, s, "createPet"); err != nil {
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
	if _, err := ask(t, s, "createPet"); !errors.As(err, &stop) || len(b.asked) != before {
		t.Errorf("a read-only run asks for a creation: %v", err)
	}
}

func TestLostConnections(t *testing.T) {
	b := &scripted{}
	s := b.play(t, nil)
	_, err := ask(t, s, "listPets")
	if !errors.Is(err, scenario.ErrLost) || len(s.Findings()) > 0 {
		t.Fatalf("%v, %+v", err, s.Findings())
	}
	ended := s.Ended(err)
	if ended.Outcome != record.Errored || !strings.Contains(ended.Reason, "the connection was lost: GET /pets") {
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
		"for a reason":      {scenario.Stopf("the store holds %d animals", 3), record.Skipped, "the store holds 3 animals", false},
		"without a case":    {scenario.Excusef("it has no such operation"), record.Skipped, "it has no such operation", true},
		"by a step's error": {errors.New("no operation has been called"), record.Errored, "no operation has been called", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := new(scripted).play(t, nil)
			s.AddStep(record.Step{Keyword: "When", Text: "an animal is read", Outcome: record.Passed})
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
