package replay_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/replay"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

func TestSelect(t *testing.T) {
	all := []bundle.Failure{{Broken: []string{"list.array", "pet.id"}}, {Broken: []string{"get.known"}}}
	for _, c := range []struct {
		rules string
		want  int
	}{{"", 2}, {"pet.id", 1}, {"get.known list.array", 2}, {"list", 0}} {
		got, err := replay.Select(all, strings.Fields(c.rules))
		if len(got) != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("%q selects %d failures, %v; %d were expected", c.rules, len(got), err, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	result := func(state replay.State) *replay.Result {
		return &replay.Result{Failure: bundle.Failure{Rule: "list.array", Says: "A list is an array."}, State: state, Because: "it was seen"}
	}
	for _, c := range []struct {
		states []replay.State
		code   int
		last   string
	}{
		{[]replay.State{replay.NoLongerFails}, verdict.ExitOK, "1 failure: 1 no longer fails"},
		{[]replay.State{replay.NoLongerFails, replay.Inconclusive}, verdict.ExitUnjudged, "2 failures: 1 no longer fails, 1 inconclusive"},
		{[]replay.State{replay.Inconclusive, replay.FailsDifferently}, verdict.ExitViolated, "2 failures: 1 fails differently, 1 inconclusive"},
		{[]replay.State{replay.StillFails, replay.StillFails}, verdict.ExitViolated, "2 failures: 2 still fail"},
	} {
		var results []*replay.Result
		for _, state := range c.states {
			results = append(results, result(state))
		}
		var text strings.Builder
		if err := replay.Write(&text, results); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(text.String(), "\n\n"+c.last+"\n") {
			t.Errorf("it ends in another line than %q:\n%s", c.last, text.String())
		}
		if code := replay.ExitCode(results); code != c.code {
			t.Errorf("%q has the exit code %d; %d was expected", c.states, code, c.code)
		}
	}
}

func TestFind(t *testing.T) {
	all := []bundle.Failure{
		{Rule: "list.array", Broken: []string{"list.array", "pet.id"}, Scenarios: []string{"features/list.feature:7"}},
		{Rule: "pet.id", Broken: []string{"pet.id"}, Scenarios: []string{"features/get.feature:9"}},
	}
	for id, want := range map[string]int{"list.array": 1, "pet.id": 2, "features/get.feature:9": 1, "list": 0, "": 0} {
		if got := replay.Find(all, id); len(got) != want {
			t.Errorf("%q finds %d failures; %d were expected", id, len(got), want)
		}
	}
}
