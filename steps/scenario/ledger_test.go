package scenario_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// list returns a scenario that has asked for a list, and the exchange.
func list(t *testing.T) (*scenario.Scenario, *spec.Exchange) {
	t.Helper()
	st := rehearse.New(t, "list.accepted", rehearse.NewShop())
	st.Do("listPets is called with limit 3")
	return st.Scenario, st.Scenario.Latest()
}

func TestFindingsSayWhereTheyComeFrom(t *testing.T) {
	s, ex := list(t)
	judged := len(s.Exercised())
	s.Find(ex, spec.Finding{Rule: "list.unique", Actual: phrase.Of("twice")})
	f := s.Findings()[0]
	if f.Operation != "listPets" || !slices.Equal(f.Exchanges, []int{ex.Seq}) || f.Cause != "list.unique twice" || !strings.HasPrefix(f.Where.String(), "GET /pets?limit=3 → 200") {
		t.Errorf("%+v", f)
	}
	if all := s.Exercised()[judged:]; !slices.Equal(all, []string{"list.unique"}) {
		t.Errorf("judged are %q", all)
	}
	if !s.Broken(ex) || !s.Breached() {
		t.Errorf("broken %v, breached %v", s.Broken(ex), s.Breached())
	}
	if !s.NewFindings() || s.NewFindings() {
		t.Error("a finding is not new, or new twice")
	}
}

func TestTextsOfFindingsAreCut(t *testing.T) {
	s, ex := list(t)
	s.Report(ex, spec.Finding{Rule: "list.unique", Detail: strings.Repeat("x", 5*scenario.LongestTold)})
	if n := len(s.Findings()[0].Detail); n > 2*scenario.LongestTold {
		t.Errorf("%d characters are kept", n)
	}
	if all := s.Exercised(); slices.Contains(all, "list.unique") {
		t.Error("what is only reported counts as judged")
	}
}

func TestWhatWasFoundBeforeALossStands(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "list.accepted", service)
	s := st.Scenario
	s.Find(nil, spec.Finding{Rule: "list.unique", Cause: "once"}, spec.Finding{Rule: "list.unique", Cause: "always"})
	service.Lose = func(*http.Request) error { return http.ErrServerClosed }
	if err := st.Play("createPet is called"); err == nil || !s.PlaysAgain(t.Context()) {
		t.Fatalf("what is lost is not played again: %v", err)
	}
	st.Next(s.Run, "list.accepted")
	st.Scenario.Resume(s.Attempts())
	st.Scenario.Find(nil, spec.Finding{Rule: "list.unique", Cause: "always"})
	out := st.Scenario.Ended(nil)
	if len(out.Findings) != 2 || out.Replays != 1 || len(out.Exchanges) != 1 {
		t.Errorf("%d findings, %d replays, exchanges %v", len(out.Findings), out.Replays, out.Exchanges)
	}
}
