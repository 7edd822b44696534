package steps

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps/scenario"
	"hallmark/tests/exchangetest"
	"hallmark/tests/rehearse"
)

// again is a suite that calls operations, and calls those with undocumented responses again.
const again = `
Feature: F
  @rule:list.accepted
  Scenario: a list
    When listPets is called
    Then the response is 200
  @rule:auth.missing
  Scenario: a list without a credential
    Given the credential is missing
    When listPets is called with limit 7
    Then the response is 401
  @rule:create.name.required
  Scenario: a creation without a name
    Given a plain body without name
    When createPet is called
    Then the response is 400
  @rule:answer.status @phase:end
  Scenario: once more
    When whatever got a response that its operation never gives is asked for once more
    Then each is answered as it was before
`

// TestOnceMore expects a failure to be attributed to the moment if the same request later succeeds, and only then.
func TestOnceMore(t *testing.T) {
	failed := 0
	plainly := func(status int) func(*http.Request, []byte) int {
		return func(r *http.Request, _ []byte) int {
			if r.Method != "GET" || r.URL.RawQuery != "" {
				return 0
			}
			return firstTime(&failed, status)
		}
	}
	for name, test := range map[string]struct {
		fails  func(r *http.Request, body []byte) int // the status to answer with; 0 passes the request on
		breaks string
	}{
		"nothing is wrong":         {func(*http.Request, []byte) int { return 0 }, ""},
		"one server error":         {plainly(500), "list.accepted answer.status"},
		"a teapot for one request": {plainly(418), "list.accepted answer.status"},
		"a creation that fails once": {func(_ *http.Request, body []byte) int {
			if len(body) == 0 {
				return 0
			}
			return firstTime(&failed, 500)
		}, "create.name.required answer.status"},
		"a credential that fails once": {func(r *http.Request, _ []byte) int {
			if !strings.Contains(r.URL.RawQuery, "limit=7") {
				return 0
			}
			return firstTime(&failed, 503)
		}, "answer.status"},
		"always a server error for it": {func(_ *http.Request, body []byte) int {
			if len(body) == 0 {
				return 0
			}
			return 500
		}, "create.name.required"},
		"a status that the operation has elsewhere": {func(r *http.Request, _ []byte) int {
			if r.Method != "GET" {
				return 0
			}
			return firstTime(&failed, 401)
		}, "auth.accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			failed = 0
			service := rehearse.NewShop()
			started := false
			service.Instead = func(r *http.Request, body []byte) *rehearse.Reply {
				if !started { // the preflight
					started = true
					return nil
				}
				if status := test.fails(r, body); status != 0 {
					return rehearse.ErrorReply(status)
				}
				return nil
			}
			p := playRun(t, t.Context(), service, with(t, again), func(c *Config) { c.Concurrency, c.Seed = 1, 4 })
			if p.err != nil {
				t.Fatal(p.err)
			}
			var broken []string
			for _, f := range p.musts(t) {
				broken = append(broken, f.Rule)
			}
			slices.Sort(broken)
			want := strings.Fields(test.breaks)
			slices.Sort(want)
			if !slices.Equal(broken, want) {
				t.Errorf("%v are broken, not %v", broken, want)
			}
			outcome := record.Passed
			if slices.Contains(want, "answer.status") {
				if len(want) > 1 {
					outcome = record.Failed
				}
				if len(p.res.Causes) != 1 || !slices.Contains(want, p.res.Causes[0].Rule) {
					t.Errorf("the causes are %+v", p.res.Causes)
				}
			}
			if s := p.scenario(t, "once more"); s.Outcome != outcome {
				t.Errorf("it %s: %s", s.Outcome, s.Reason)
			}
		})
	}
}

// What shows again only now and then in the scenario that leads its cause, and each time in another one, is not intermittent.
func TestOtherScenariosOfACauseAreRepeated(t *testing.T) {
	const features = "@rule:list.accepted\nFeature: F\n  Scenario: sometimes\n    When listPets is called with limit 1\n    Then the response is 200\n" +
		"  Scenario: always\n    When listPets is called with limit 2\n    Then the response is 200\n"
	service := rehearse.NewShop()
	asked := 0
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.URL.RawQuery == "limit=1" {
			asked++
		}
		if r.URL.RawQuery == "limit=2" || r.URL.RawQuery == "limit=1" && asked <= 2 {
			return rehearse.ErrorReply(500)
		}
		return nil
	}
	p := playRun(t, t.Context(), service, with(t, features), func(c *Config) { c.Concurrency, c.Confirm = 1, 2 })
	if p.res.ExitCode != verdict.ExitViolated || len(p.res.Causes) != 1 || p.res.Causes[0].Mark() != "" {
		t.Errorf("judged %s (%s): %+v", p.res.Verdict, p.res.Because, p.rec.Confirmations)
	}
	if asked != 3 {
		t.Errorf("what fails sometimes was asked for %d times, not once and twice more", asked)
	}
}

// A failure while the store is small is attributed to the moment only if the same request also succeeded then: the
// empty store may be the reason, and it is no longer empty at the end.
func TestOnceMoreOfASmallStore(t *testing.T) {
	small := strings.Replace(again, "@rule:list.accepted\n", "@rule:list.accepted @phase:first\n", 1)
	for name, test := range map[string]struct {
		feature string
		fails   int // which of the plain lists after the preflight
		moment  bool
	}{
		"the first list":  {small, 1, false},
		"the second list": {strings.Replace(small, "    Then the response is 200\n", "    Then the response is 200\n    When listPets is called\n    Then the response is 200\n", 1), 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			service, lists := rehearse.NewShop(), 0
			service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
				if r.Method == "GET" && r.URL.RawQuery == "" {
					if lists++; lists == test.fails+1 {
						return rehearse.ErrorReply(500)
					}
				}
				return nil
			}
			p := playRun(t, t.Context(), service, with(t, test.feature), func(c *Config) { c.Concurrency, c.Seed, c.Confirm = 1, 4, 0 })
			if p.err != nil {
				t.Fatal(p.err)
			}
			if f := p.musts(t); len(f) == 0 || test.moment != slices.ContainsFunc(f, func(f spec.Finding) bool { return f.Rule == "answer.status" }) {
				t.Errorf("found is %+v", f)
			}
		})
	}
}

// firstTime returns a status once, then 0.
func firstTime(failed *int, status int) int {
	if *failed++; *failed > 1 {
		return 0
	}
	return status
}

// TestOnceMoreIsBounded expects few additional requests to a service that is down, and no finding about the
// moment.
func TestOnceMoreIsBounded(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(*http.Request, []byte) *rehearse.Reply {
		if len(service.Asked) > 40 {
			return rehearse.ErrorReply(500)
		}
		return nil
	}
	st := rehearse.New(t, "auth.steady", service)
	st.Do("160 requests are made, each second one with a bad credential", "each bad one was answered 401 and each right one was let in")
	before := len(service.Asked)
	st.Do("whatever got a response that its operation never gives is asked for once more")
	if n := len(service.Asked) - before; n < 3 || n > scenario.MaxDoubts {
		t.Errorf("%d requests more", n)
	}
	told := len(st.Scenario.Findings())
	st.Do("each is answered as it was before")
	if n := len(st.Scenario.Findings()); n > told {
		t.Errorf("%d findings more: %s", n-told, exchangetest.Lines(st.Scenario.Findings()[told:]))
	}
}

// TestASmallStoreIsNotAskedAgain expects requests that depend on a small store not to be repeated.
func TestASmallStoreIsNotAskedAgain(t *testing.T) {
	failed := 0
	service := rehearse.NewShop()
	service.Instead = func(*http.Request, []byte) *rehearse.Reply {
		if len(service.Asked) < 2 {
			return nil
		}
		if status := firstTime(&failed, 500); status != 0 {
			return rehearse.ErrorReply(status)
		}
		return nil
	}
	small := strings.Replace(again, "@rule:list.accepted", "@rule:list.accepted @phase:first", 1)
	p := playRun(t, t.Context(), service, with(t, small), func(c *Config) { c.Concurrency = 1 })
	if len(p.res.Causes) != 1 || p.res.Causes[0].Rule != "list.accepted" {
		t.Errorf("the causes are %+v", p.res.Causes)
	}
}
