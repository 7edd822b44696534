package steps

import (
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

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

// A bug that lets something in that exists only once does not show again: the repetition gets a conflict. It is not intermittent for that.
func TestAConflictWithWhatTheBugLetInIsNotIntermittent(t *testing.T) {
	const features = "@rule:create.refused\nFeature: F\n  Scenario: let in\n    Given a plain body where name is \"\"\n    When createPet is called\n    Then the response is 400 or 409\n"
	service := rehearse.NewShop()
	created := false
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.Method != http.MethodPost {
			return nil
		}
		if created {
			return rehearse.ErrorReply(http.StatusConflict)
		}
		created = true
		return service.Create([]byte(`{"name": "first", "categoryId": 1}`))
	}
	p := playRun(t, t.Context(), service, with(t, features), func(c *Config) { c.Concurrency, c.Confirm = 1, 1 })
	if p.res.ExitCode != verdict.ExitViolated || len(p.res.Causes) != 1 || p.res.Causes[0].Mark() != "" {
		t.Errorf("judged %s (%s): %+v %+v", p.res.Verdict, p.res.Because, p.rec.Confirmations, p.res.Causes)
	}
}
