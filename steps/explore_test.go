package steps

import (
	"context"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/steps/budget"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// stage is a scenario without a target, for properties that ask nobody.
func stage(t *testing.T) *scenario {
	t.Helper()
	r := &run{Config: Config{Seed: 7}, catalogue: must(t, defaultCatalogue), memory: petstore.NewMemory(), budget: budget.New(0, false, nil)}
	return &scenario{run: r, pickle: &suite.Scenario{}}
}

// pretend explores bodies of which those are wrong that the function says so of, and counts the tries.
func pretend(t *testing.T, s *scenario, n int, wrong func(d generate.ValidBody) []spec.Finding) int {
	t.Helper()
	op := defaultOperation(t, "createPet")
	cases := generate.Valid(op, map[string]string{"categoryId": "1"}, n, func(i int) int { return i })
	tries := 0
	err := newExploration(s, property[generate.ValidBody]{
		noun: "body", plural: "bodies",
		ask: func(_ context.Context, u *scenario, d generate.ValidBody) (generate.ValidBody, error) {
			tries++
			u.exchanges = append(u.exchanges, &spec.Exchange{
				Seq: tries, Request: spec.Request{Method: "POST", URL: "http://x/v1/pets", Body: []byte(d.String())},
			})
			u.find(nil, wrong(d)...)
			return d, nil
		},
		smaller: generate.ValidBody.Smaller,
		animals: func(generate.ValidBody) int { return 1 },
	}).explore(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	return tries
}

func hasAstral(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}

func TestShrinksToTheSmallest(t *testing.T) {
	s := stage(t)
	tries := pretend(t, s, 40, func(d generate.ValidBody) []spec.Finding {
		if _, names := d.Write("hallmark"); hasAstral(names[0]) {
			return []spec.Finding{{Rule: "create.name.unusual", Actual: "status 500", Status: 500}}
		}
		return nil
	})
	if len(s.findings) != 1 {
		t.Fatalf("one defect is told %d times", len(s.findings))
	}
	if tries > 40+maxTriesEach {
		t.Errorf("%d tries for 40 bodies", tries)
	}
	story := s.findings[0].Story
	if len(story) != 2 || !strings.Contains(story[0], "of --seed 7, made smaller in ") {
		t.Fatalf("the story is %q", story)
	}
	body := story[1]
	if n := len([]rune(body)); !hasAstral(body) || n > 75 || strings.Contains(body, "status") || !strings.Contains(body, `"categoryId": 1`) {
		t.Errorf("the smallest body is %d characters long: %s", n, body)
	}
}

func TestShrinkingIsBounded(t *testing.T) {
	s := stage(t)
	kinds := 0
	tries := pretend(t, s, 50, func(d generate.ValidBody) []spec.Finding {
		kinds++ // a new defect each time, and none that shows again
		return []spec.Finding{{Rule: "create.name.unusual", Status: kinds}}
	})
	if tries > 50+maxTries {
		t.Errorf("%d tries for 50 bodies; at most %d are allowed", tries, 50+maxTries)
	}
	if len(s.findings) == 0 {
		t.Error("what does not show again is not told")
	}
}

func TestExploringLeavesAnimals(t *testing.T) {
	s := stage(t)
	s.run.budget = budget.New(10, false, nil)
	for range 10 {
		s.run.budget.Add()
	}
	err := newExploration(s, property[generate.ValidBody]{
		noun: "body", plural: "bodies", animals: func(generate.ValidBody) int { return 1 },
		ask: func(context.Context, *scenario, generate.ValidBody) (generate.ValidBody, error) {
			t.Error("an animal is created beyond the limit")
			return generate.ValidBody{}, nil
		},
	}).explore(t.Context(), make([]generate.ValidBody, 3))
	if err == nil || !strings.Contains(err.Error(), "--max-animals") {
		t.Errorf("the scenario ends with %v", err)
	}
}

func TestConsequencesAreNoCauses(t *testing.T) {
	s := stage(t)
	pretend(t, s, 2, func(generate.ValidBody) []spec.Finding {
		return []spec.Finding{{Rule: "create.accepted", Actual: "status 204"}, {Rule: "answer.body", Actual: "none", After: "create.accepted"}}
	})
	if len(s.findings) != 2 || len(s.findings[0].Story) == 0 {
		t.Errorf("told are %v", s.findings)
	}
}

func TestRemarksAreToldOnce(t *testing.T) {
	s := stage(t)
	tries := pretend(t, s, 5, func(generate.ValidBody) []spec.Finding { return []spec.Finding{{Rule: "get.sunset", Actual: "none"}} })
	if len(s.findings) != 1 || len(s.findings[0].Story) != 0 || tries != 5 {
		t.Errorf("after %d tries told are %v", tries, s.findings)
	}
}
