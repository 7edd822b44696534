package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

func TestFailFast(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
		if r.URL.Query().Get("limit") == "50" && len(service.Pets) > 50 {
			return service.Pets[:51]
		}
		return page
	})
	p := playRun(t, t.Context(), service, func(c *Config) { c.FailFast, c.Concurrency = true, 1 })
	if p.err != nil || p.ending.Complete || p.ending.Lost != "" || p.res.ExitCode != verdict.ExitViolated {
		t.Errorf("%v, complete: %v, lost %q, exit code %d", p.err, p.ending.Complete, p.ending.Lost, p.res.ExitCode)
	}
	n := p.outcomes()
	if n[record.Failed] != 1 || n[record.Errored] != 0 || n[record.Skipped] == 0 || n[record.Passed] == 0 {
		t.Errorf("%v", n)
	}
	failed := false
	for _, s := range p.rec.Scenarios {
		failed = failed || s.Outcome == record.Failed
		if failed && s.Outcome == record.Passed {
			t.Errorf("%s ran after the violation", s.ID)
		}
		if s.Reason == "the run ended before it" && len(s.Exchanges) > 0 {
			t.Errorf("%s did not run, and has exchanges", s.ID)
		}
	}
}

// A finding that ends a run in its first phase is confirmed all the same, since the store is unchanged.
func TestFailFastConfirmsWhatNeedsASmallStore(t *testing.T) {
	const features = "@rule:list.accepted @phase:first\nFeature: F\n  Scenario: found\n    When listPets is called with limit 33\n    Then the response is 200\n" +
		"  Scenario: behind it\n    When listPets is called\n"
	p := playRun(t, t.Context(), rehearse.Answering(206, "[]"), with(t, features), func(c *Config) { c.FailFast, c.Confirm = true, 1 })
	if s := p.scenario(t, "found"); s.Outcome != record.Failed {
		t.Fatalf("%s because %q", s.Outcome, s.Reason)
	}
	tried := 0
	for _, c := range p.rec.Confirmations {
		if c.Scenario != "preflight" && (c.Tries != 1 || c.Shown != 1 || c.Reason != "") {
			t.Errorf("%+v", c)
		}
		tried += c.Tries
	}
	if tried == 0 {
		t.Errorf("nothing was repeated: %+v", p.rec.Confirmations)
	}
}

// waiting returns a server that answers limit=1 at once and wrongly, the preflight correctly, and everything else
// only after its client has disconnected.
func waiting(t *testing.T, begun *sync.WaitGroup) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.RawQuery {
		case "":
			fmt.Fprint(w, "[]")
		case "limit=1":
			begun.Wait() // until all others are in flight
			fmt.Fprint(w, "[1]")
		default:
			begun.Done()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(server.Close)
	return server
}

const wait = "@rule:list.accepted\nFeature: F\n Scenario: wrong\n  When listPets is called with limit 1\n" +
	" Scenario: slow 1\n  When listPets is called with limit 2\n" +
	" Scenario: slow 2\n  When listPets is called with limit 3\n" +
	" Scenario: slow 3\n  When listPets is called with limit 4\n"

// The run itself cancels the requests in flight when it ends; that is no outage of the service.
func TestFailFastBreaksOffWhatIsUnderWay(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(3)
	server := waiting(t, &begun)
	transport := client.NewTransport(4)
	defer transport.CloseIdleConnections()
	p := playRun(t, t.Context(), transport, with(t, wait), func(c *Config) {
		c.FailFast, c.Target.BaseURL = true, server.URL+"/v1"
	})
	if p.err != nil || p.ending.Lost != "" || p.ending.Complete || p.res.ExitCode != verdict.ExitViolated {
		t.Errorf("%v, lost %q, complete: %v, exit code %d", p.err, p.ending.Lost, p.ending.Complete, p.res.ExitCode)
	}
	if n := p.outcomes(); n[record.Failed] != 1 || n[record.Skipped] != 3 {
		t.Errorf("%v", n)
	}
}

func TestARunThatIsCalledOff(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(3)
	server := waiting(t, &begun)
	transport := client.NewTransport(4)
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		begun.Wait()
		cancel()
	}()
	features := strings.Replace(wait, "limit 1\n", "status sold and limit 1\n", 1)
	begun.Add(1)
	p := playRun(t, ctx, transport, with(t, features), func(c *Config) { c.Target.BaseURL = server.URL + "/v1" })
	if !errors.Is(p.err, context.Canceled) || p.ending.Complete || p.ending.Lost != "" {
		t.Errorf("%v, lost %q, complete: %v", p.err, p.ending.Lost, p.ending.Complete)
	}
	if n := p.outcomes(); n[record.Skipped] != 4 {
		t.Errorf("%v", n)
	}
	for _, s := range p.rec.Scenarios {
		if s.Outcome == record.Skipped && s.Reason != "the run ended before it" {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
}

// A whole run that is cancelled at any point accuses nobody.
func TestARunCalledOffAnywhereAccusesNobody(t *testing.T) {
	for _, after := range []int{1, 17, 100, 400} {
		ctx, cancel := context.WithCancel(t.Context())
		service := rehearse.NewShop()
		service.Lose = func(*http.Request) error {
			if len(service.Asked) >= after {
				cancel()
				return ctx.Err()
			}
			return nil
		}
		p := playRun(t, ctx, service)
		if !errors.Is(p.err, context.Canceled) || p.ending.Complete || p.ending.Lost != "" {
			t.Errorf("after %d: %v, lost %q, complete: %v", after, p.err, p.ending.Lost, p.ending.Complete)
		}
		played := slices.DeleteFunc(slices.Clone(p.rec.Scenarios), func(s record.Scenario) bool { return s.Preflight() })
		if all := rehearse.Must(t, rehearse.Suite).Scenarios(); after > 1 && len(played) != all {
			t.Errorf("after %d: the record tells of %d scenarios, of %d", after, len(played), all)
		}
		if found := p.musts(t); len(found) > 0 || p.outcomes()[record.Errored] > 0 {
			t.Errorf("after %d: %v\n%s", after, p.outcomes(), exchangetest.Lines(found))
		}
		cancel()
	}
}

// ── The shop itself ──
