package steps

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// An outage is no response of the service: earlier judgements stand, and nothing is added.
func TestAnOutageIsNoViolation(t *testing.T) {
	for i, after := range []int{200, 1, 2, 30, 700} {
		t.Run(fmt.Sprint("after ", after), func(t *testing.T) {
			skip.Sampled(t, i, 3)
			t.Parallel()
			service := rehearse.NewShop()
			service.Lose = func(*http.Request) error {
				if len(service.Asked) > after {
					return errGone
				}
				return nil
			}
			p := playRun(t, t.Context(), service)
			if p.err != nil || p.ending.Complete || !strings.Contains(p.ending.Lost, "the target stopped answering: connection reset by peer") {
				t.Errorf("%v, complete: %v, lost: %q", p.err, p.ending.Complete, p.ending.Lost)
			}
			if p.res.Verdict != verdict.Inconclusive || p.res.ExitCode != verdict.ExitUnjudged {
				t.Errorf("judged %s (%s), exit code %d", p.res.Verdict, p.res.Because, p.res.ExitCode)
			}
			if found := p.musts(t); len(found) > 0 {
				t.Errorf("it is accused:\n%s", exchangetest.Lines(found))
			}
			if n := len(service.Asked) - after; n > 30 {
				t.Errorf("%d requests were sent to nobody", n)
			}
			for _, s := range p.rec.Scenarios {
				if s.Outcome == record.Errored && !strings.Contains(s.Reason, "connection") {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
			if n := p.outcomes(); n[record.Skipped] == 0 || n[record.Failed] != 0 {
				t.Errorf("%v", n)
			}
		})
	}
}

// A violation seen before the outage remains one, and does not hide the outage, which is reported first, with the
// requests in flight.
func TestAnOutageDoesNotHideAViolation(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(*http.Request) error {
		if len(service.Asked) > 100 {
			return errGone
		}
		return nil
	}
	service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Header.Set("Content-Type", "text/html") }
	p := playRun(t, t.Context(), service)
	if p.res.Verdict != verdict.Violated || p.res.ExitCode != verdict.ExitViolated || p.ending.Lost == "" {
		t.Errorf("judged %s (%s), lost %q", p.res.Verdict, p.res.Because, p.ending.Lost)
	}
	// Which of those under way is the likeliest cause depends on what was answered before.
	isNamed := slices.ContainsFunc(service.Asked[100:], func(a rehearse.Asked) bool {
		return strings.Contains(p.res.Because, a.Method+" http://pets.test"+a.Path)
	})
	if !strings.HasPrefix(p.res.Because, "the target stopped answering: connection reset by peer; ") || !isNamed || !strings.Contains(p.res.Because, "in flight; ") ||
		!strings.Contains(p.res.Because, "apart from that, 1 must rule is violated") {
		t.Errorf("judged %s", p.res.Because)
	}
}

// A hanging operation affects its own scenarios, but not the confirmation of others.
func TestAHangingOperationCostsNoConfirmation(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(r *http.Request) error {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v1/pets/") {
			return context.DeadlineExceeded
		}
		return nil
	}
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost {
			a.Header.Set("Content-Type", "text/html")
		}
	}
	p := playRun(t, t.Context(), service, func(c *Config) { c.Confirm = 1 })
	if !strings.Contains(p.res.Because, "getPet hangs") || !strings.Contains(p.res.Because, "violated") || len(p.res.Causes) == 0 {
		t.Fatalf("judged %s (%s), with %d causes", p.res.Verdict, p.res.Because, len(p.res.Causes))
	}
	for _, c := range p.res.Causes {
		if c.Confirmation == nil || c.Confirmation.Tries == 0 {
			t.Errorf("%s is not repeated: %+v", c.Rule, c.Confirmation)
		}
	}
}

// A lost creation is never resent by itself: its scenario is replayed from the beginning, with another name, and
// the verdict is the same as without the loss. The lost exchange stays in the record, and the resource in the
// ledger.
func TestAScenarioWhoseCreationIsLostIsPlayedAgain(t *testing.T) {
	service := rehearse.NewShop()
	var lost atomic.Pointer[string]
	service.Lose = func(r *http.Request) error {
		body := string(service.Asked[len(service.Asked)-1].Body)
		// A creation that would be accepted: only those have a body of their own.
		if r.Method == http.MethodPost && len(service.Pets) >= 5 && lost.Load() == nil && r.Header.Get("Authorization") == "Bearer "+service.Key &&
			strings.Contains(body, `"hallmark-`) && rehearse.NewShop().Create([]byte(body)).Status == http.StatusCreated {
			lost.Store(&body)
			return errGone
		}
		return nil
	}
	p := playRun(t, t.Context(), service)
	if p.err != nil || !p.ending.Complete || p.ending.Lost != "" || p.res.Verdict != verdict.Conformant {
		t.Errorf("%v, complete: %v, lost: %q, %s: %s", p.err, p.ending.Complete, p.ending.Lost, p.res.Verdict, p.res.Because)
		for _, v := range p.res.Rules {
			if v.Verdict == verdict.NotExercised && v.Level == spec.Must {
				t.Logf("%s: %s", v.Rule, v.Reason)
			}
		}
	}
	if i := p.rec.Patience.Interrupted; i == nil || i.Lost != 1 || i.Replayed != 1 {
		t.Errorf("noted as %+v", i)
	}
	sent := 0
	for _, a := range service.Requests(http.MethodPost) {
		if lost.Load() != nil && string(a.Body) == *lost.Load() {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("the creation was sent %d times", sent)
	}
	unknown := 0
	for _, a := range p.rec.Created {
		if a.Fate == record.Unknown {
			unknown++
		}
	}
	if unknown != 1 {
		t.Errorf("%d resources are of unknown fate", unknown)
	}
	for _, ex := range p.rec.Exchanges {
		if ex.Lost == "" {
			continue
		}
		for _, s := range p.rec.Scenarios {
			if s.ID == ex.Scenario && !slices.Contains(s.Exchanges, ex.Seq) {
				t.Errorf("%s does not hold the exchange that was lost", s.ID)
			}
		}
	}
}

// Findings from before a loss stand, whether or not the next attempt shows them, and are reported once.
func TestWhatALostScenarioFoundStands(t *testing.T) {
	const feature = "@rule:list.accepted\nFeature: F\n Scenario: S\n  When listPets is called with limit 7\n  Then the response is 200\n  When createPet is called\n  Then the response is 201\n"
	for name, always := range map[string]bool{"it shows again": true, "it does not": false} {
		service := rehearse.NewShop()
		lists, posts := 0, 0
		service.Change = func(r *http.Request, a *rehearse.Reply) {
			if r.Method == http.MethodGet && r.URL.RawQuery == "limit=7" {
				if lists++; lists == 1 || always {
					a.Header.Set("Content-Type", "text/plain")
				}
			}
		}
		service.Lose = func(r *http.Request) error {
			if r.Method == http.MethodPost {
				if posts++; posts == 1 {
					return errGone
				}
			}
			return nil
		}
		p := playRun(t, t.Context(), service, with(t, feature))
		s := p.scenario(t, "S")
		if s.Outcome != record.Failed || s.Replays != 1 || len(s.Findings) != 1 || s.Findings[0].Rule != "answer.media-type" || len(s.Exchanges) != 4 {
			t.Errorf("%s: %s after %d times, %d exchanges:\n%s", name, s.Outcome, s.Replays, len(s.Exchanges), exchangetest.Lines(s.Findings))
		}
		if p.res.ExitCode != verdict.ExitViolated {
			t.Errorf("%s: exit code %d", name, p.res.ExitCode)
		}
	}
}

// A scenario that is lost each time is an outage in the end, and the run names the request.
func TestWhatIsLostEachTimeIsAnOutage(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(r *http.Request) error {
		if r.Method == http.MethodPost {
			return errGone
		}
		return nil
	}
	const feature = "@rule:create.accepted\nFeature: F\n Scenario: S\n  When createPet is called\n  Then the response is 201\n"
	p := playRun(t, t.Context(), service, with(t, feature), func(c *Config) { c.Patience.Reconnect = 50 * time.Millisecond })
	if p.err != nil || !strings.Contains(p.ending.Lost, errGone.Error()) || p.res.Verdict != verdict.Inconclusive || p.res.ExitCode != verdict.ExitUnjudged {
		t.Errorf("%v, lost %q, %s, exit code %d", p.err, p.ending.Lost, p.res.Verdict, p.res.ExitCode)
	}
	if n := len(service.Requests(http.MethodPost)); n < client.MaxLost || n > 1+scenario.MaxReplays {
		t.Errorf("%d creations", n)
	}
}

// A read that is lost once and answered the second time leaves no trace.
func TestLostReadingsAreRepeated(t *testing.T) {
	service := rehearse.NewShop()
	n, lost := 0, map[string]bool{}
	service.Lose = func(r *http.Request) error {
		// No URL twice: of two in a row the second may be the repetition.
		if n++; r.Method == http.MethodGet && n%10 == 0 && !lost[r.URL.String()] {
			lost[r.URL.String()] = true
			return errGone
		}
		return nil
	}
	p := playRun(t, t.Context(), service)
	if p.err != nil || p.res.ExitCode != 0 || p.ending.Lost != "" || p.outcomes()[record.Errored] != 0 {
		t.Errorf("%v, exit code %d (%s), lost %q", p.err, p.res.ExitCode, p.res.Because, p.ending.Lost)
	}
}
