package vocabulary_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/steps/vocabulary"
	"hallmark/tests/rehearse"
)

// stage returns a scenario without a target, for properties that send no requests. It may create at most most
// resources; 0 means any number.
func stage(t *testing.T, most int) *scenario.Scenario {
	t.Helper()
	r, err := scenario.New(scenario.Options{
		Seed: 7, Contract: rehearse.Must(t, rehearse.Contract), Catalogue: rehearse.Must(t, rehearse.Catalogue),
		Target: scenario.Target{MaxCreated: most},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.NewScenario(&suite.Scenario{}, spec.Rule{})
}

// pretend explores bodies of which wrong returns the findings, and counts the tries.
func pretend(t *testing.T, s *scenario.Scenario, n int, wrong func(d generate.ValidBody) []spec.Finding) int {
	t.Helper()
	op := rehearse.Operation(t, "createPet")
	cases := generate.Valid(op, map[string]string{"categoryId": "1"}, n, func(i int) int { return i })
	tries := 0
	var mu sync.Mutex
	err := vocabulary.NewExploration(s, vocabulary.Property[generate.ValidBody]{
		Noun: "body", Plural: "bodies",
		Ask: func(_ context.Context, u *scenario.Scenario, d generate.ValidBody) (generate.ValidBody, error) {
			mu.Lock()
			defer mu.Unlock()
			tries++
			u.AddExchange(&spec.Exchange{
				Seq: tries, Request: spec.Request{Method: "POST", URL: "http://x/v1/pets", Body: []byte(d.String())},
			})
			u.Find(nil, wrong(d)...)
			return d, nil
		},
		Smaller: generate.ValidBody.Smaller,
		Creates: func(generate.ValidBody) int { return 1 },
	}).Explore(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	return tries
}

func hasAstral(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}

func TestShrinksToTheSmallest(t *testing.T) {
	s := stage(t, 0)
	tries := pretend(t, s, 40, func(d generate.ValidBody) []spec.Finding {
		if _, names := d.Write("hallmark"); hasAstral(names[0]) {
			return []spec.Finding{{Rule: "create.name.unusual", Actual: phrase.Of("status 500"), Status: 500}}
		}
		return nil
	})
	if len(s.Findings()) != 1 {
		t.Fatalf("one defect is told %d times", len(s.Findings()))
	}
	if tries > 40+vocabulary.MaxTriesEach {
		t.Errorf("%d tries for 40 bodies", tries)
	}
	story := s.Findings()[0].Story
	if len(story) != 2 || !strings.Contains(story[0], "of --seed 7, made smaller in ") {
		t.Fatalf("the story is %q", story)
	}
	body := story[1]
	if n := len([]rune(body)); !hasAstral(body) || n > 75 || strings.Contains(body, "status") || !strings.Contains(body, `"categoryId": 1`) {
		t.Errorf("the smallest body is %d characters long: %s", n, body)
	}
}

func TestShrinkingIsBounded(t *testing.T) {
	s := stage(t, 0)
	kinds := 0
	tries := pretend(t, s, 50, func(d generate.ValidBody) []spec.Finding {
		kinds++ // a new defect each time, and none that shows again
		return []spec.Finding{{Rule: "create.name.unusual", Status: kinds}}
	})
	if tries > 50+vocabulary.MaxTries {
		t.Errorf("%d tries for 50 bodies; at most %d are allowed", tries, 50+vocabulary.MaxTries)
	}
	if len(s.Findings()) == 0 {
		t.Error("what does not show again is not told")
	}
}

func TestExploringLeavesAnimals(t *testing.T) {
	s := stage(t, 10)
	for range 10 {
		s.Budget.Reserve(false)
	}
	err := vocabulary.NewExploration(s, vocabulary.Property[generate.ValidBody]{
		Noun: "body", Plural: "bodies", Creates: func(generate.ValidBody) int { return 1 },
		Ask: func(context.Context, *scenario.Scenario, generate.ValidBody) (generate.ValidBody, error) {
			t.Error("an animal is created beyond the limit")
			return generate.ValidBody{}, nil
		},
	}).Explore(t.Context(), make([]generate.ValidBody, 3))
	if err == nil || !strings.Contains(err.Error(), "the run may create no more") {
		t.Errorf("the scenario ends with %v", err)
	}
}

func TestConsequencesAreNoCauses(t *testing.T) {
	s := stage(t, 0)
	pretend(t, s, 2, func(generate.ValidBody) []spec.Finding {
		return []spec.Finding{{Rule: "create.accepted", Actual: phrase.Of("status 204")}, {Rule: "answer.body", Actual: phrase.Of("none"), After: "create.accepted"}}
	})
	if len(s.Findings()) != 2 || len(s.Findings()[0].Story) == 0 {
		t.Errorf("told are %v", s.Findings())
	}
}

// What a defect concerns explains other findings of the run, so all of it is kept although it is reported once.
func TestADefectConcernsAllThatShowedIt(t *testing.T) {
	s := stage(t, 0)
	tries := 0
	pretend(t, s, 3, func(generate.ValidBody) []spec.Finding {
		tries++
		id := []string{strconv.Itoa(tries)}
		return []spec.Finding{{Rule: "create.id.unique", About: spec.About{IDs: id, Shows: spec.Ambiguous}}, {Rule: "create.accepted", About: spec.About{IDs: id}}}
	})
	if len(s.Findings()) != 2 {
		t.Fatalf("told are %v", s.Findings())
	}
	for _, f := range s.Findings() {
		for id := 1; id <= 3; id++ {
			if !slices.Contains(f.About.IDs, strconv.Itoa(id)) {
				t.Errorf("%s is about %q, and not about %d", f.Rule, f.About.IDs, id)
			}
		}
	}
}

func TestRemarksAreToldOnce(t *testing.T) {
	s := stage(t, 0)
	tries := pretend(t, s, 5, func(generate.ValidBody) []spec.Finding {
		return []spec.Finding{{Rule: "get.sunset", Actual: phrase.Of("none")}}
	})
	if len(s.Findings()) != 1 || len(s.Findings()[0].Story) != 0 || tries != 5 {
		t.Errorf("after %d tries told are %v", tries, s.Findings())
	}
}
