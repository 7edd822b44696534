package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"go.uber.org/goleak"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// prover returns a prover that uses the present suite.
func prover(t *testing.T) (*Prover, []Case) {
	t.Helper()
	k := runtest.New(t)
	cases, err := Cases(bundled.Petstore(), k.Contract, k.Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return &Prover{
		Interface: bundled.Petstore(),
		Contract:  k.Contract, Catalogue: k.Catalogue, Promises: k.Promises, Suite: k.Suite, Compiled: k.Compiled, Workers: 2, Concurrency: 8, Seed: 1,
		Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
	}, cases
}

// TestCases expects every case to be described, to have a name of its own and a rule that the catalogue knows.
func TestCases(t *testing.T) {
	p, cases := prover(t)
	name, ids := regexp.MustCompile(`^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$`), map[string]bool{}
	kinds := map[CaseKind]int{}
	covered := map[string]bool{}
	for _, c := range cases {
		kinds[c.Kind]++
		if !name.MatchString(c.Name) || c.Family == "" || c.Says == "" || !strings.HasSuffix(c.Says, ".") || strings.Contains(c.Says, "\n") {
			t.Errorf("%+v is not described well", c)
		}
		if ids[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		ids[c.Name] = true
		if _, known := p.Catalogue.Rule(c.Rule); !known && c.Kind != Clean {
			t.Errorf("%s names the rule %q", c.Name, c.Rule)
		}
		if c.Kind == Fault {
			covered[c.Rule] = true
		}
		if c.Now != "" {
			if _, err := time.Parse(time.DateOnly, c.Now); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
	for _, r := range p.Catalogue.Rules {
		if r.Level == spec.Must && r.Untestable == "" && !covered[r.ID] {
			t.Errorf("the must rule %s has no fault", r.ID)
		}
	}
	if kinds[Clean] != 1 || kinds[Fault] < 500 || kinds[Freedom] < 45 {
		t.Errorf("there are %v", kinds)
	}
}

// TestRun judges a handful of services: the clean one by the whole suite, the others by the part that is about them.
func TestRun(t *testing.T) {
	p, cases := prover(t)
	told := 0
	run := func(names ...string) []Outcome {
		chosen, err := Find(cases, names)
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := p.Run(t.Context(), chosen, false, func(Outcome) { told++ })
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range outcomes {
			if o.Name != chosen[i].Name || !o.OK || o.Kind == Fault && (!o.Leading || len(o.Killers) == 0) || o.Kind != Fault && !o.Accepted {
				t.Errorf("%s: %+v", o.Name, o)
			}
		}
		return outcomes
	}
	outcomes := run("clean")
	p.Selection.Rules = []string{"list.limit.honoured", "get.unknown", "auth.missing"}
	outcomes = append(outcomes, run("limit-one-more", "auth-no-challenge", "getPet-404-as-410", "tls")...)
	proof := p.measure(outcomes, true, false)
	f := proof.Figures
	if len(proof.Problems) > 0 || f.Faults != 3 || f.Diagnosed != 3 || f.Leading != 3 || f.Freedoms != 1 || f.Accepted != 1 || told != len(outcomes) {
		t.Errorf("%d told, %+v, %v", told, f, proof.Problems)
	}
	if len(proof.Rows) != 3 || !slices.Contains(proof.Rows[1].Names, "limit-one-more") {
		t.Errorf("the matrix is %+v", proof.Rows)
	}
}

// TestMisjudged expects everything that is not as expected to be named: cases with wrong claims.
func TestMisjudged(t *testing.T) {
	p, cases := prover(t)
	find := func(name string) Case {
		found, err := Find(cases, []string{name})
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
	harmless, wrong, unfair := find("ids-negative"), find("limit-one-more"), find("limit-ignored")
	harmless.Kind, harmless.Level = Fault, spec.Must
	wrong.Rule = "get.found"
	unfair.Kind = Freedom
	p.Selection.Rules = []string{"list.limit.honoured", "list.status.honoured"}
	outcomes, err := p.Run(t.Context(), []Case{harmless, wrong, unfair}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof := p.measure(outcomes, true, false)
	f := proof.Figures
	if !slices.Equal(f.Survived, []string{"ids-negative"}) || !slices.Equal(f.Misdiagnosed, []string{"limit-one-more"}) ||
		!slices.Equal(f.Accused, []string{"limit-ignored"}) || len(proof.Problems) != 3 {
		t.Errorf("%+v, %q", f, proof.Problems)
	}
	whole := p.measure(outcomes, false, false)
	if len(whole.Figures.Uncovered) < 60 {
		t.Errorf("only %v have no fault", whole.Figures.Uncovered)
	}
}

// TestCancelled expects a proof that was cancelled to say so, and to leave nothing behind.
func TestCancelled(t *testing.T) {
	p, cases := prover(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Run(ctx, cases, false, nil); err == nil {
		t.Error("a proof that was ended seems whole")
	}
}

func TestFind(t *testing.T) {
	_, cases := prover(t)
	for words, least := range map[string]int{"clean": 1, "auth": 25, "list.*": 50, "*-401-*": 50, "fault": 500, "freedom": 45, "auth.missing": 2} {
		found, err := Find(cases, []string{words})
		if err != nil || len(found) < least {
			t.Errorf("%s: %d found, %v", words, len(found), err)
		}
	}
	if _, err := Find(cases, []string{"clean", "nonesuch"}); err == nil || !strings.Contains(err.Error(), "nonesuch") {
		t.Errorf("what is not there is found: %v", err)
	}
}

func TestWorse(t *testing.T) {
	before := spec.Proven{Faults: 500, Killed: 499, Diagnosed: 499, Leading: 450, LedAtLeast: 445, Freedoms: 50, Accepted: 50, Survived: []string{"a"}, Misled: map[string]string{}}
	better := before
	better.Killed, better.Survived, better.Leading = 500, nil, 446
	if worse := worse(before, better); len(worse) > 0 {
		t.Errorf("%v", worse)
	}
	if kept := tighten(before, better); kept.LedAtLeast != 445 || kept.Leading != 446 {
		t.Errorf("a floor of 445 became one of %d", kept.LedAtLeast)
	}
	better.Leading = 470
	if kept := tighten(before, better); kept.LedAtLeast != 465 {
		t.Errorf("470 of 500 give a floor of %d", kept.LedAtLeast)
	}
	now := before
	now.Killed, now.Survived, now.Accused, now.Leading = 498, []string{"a", "b"}, []string{"c"}, 400
	if worse := worse(before, now); len(worse) != 4 {
		t.Errorf("%q", worse)
	}
	before.Quick = &spec.Quick{Found: 499, Accepted: 50}
	for found, want := range map[int]int{499: 0, 498: 1} {
		now = before
		now.Quick = &spec.Quick{Found: found, Accepted: 50}
		if worse := worse(before, now); len(worse) != want {
			t.Errorf("a quick part that finds %d, and 499 before, is worse in %q", found, worse)
		}
	}
}

func TestStale(t *testing.T) {
	kept := spec.Proven{Contract: "a", Catalogue: "b", Features: "c"}
	now := kept
	if stale := stale(kept, now); stale != "" {
		t.Errorf("of the same suite %s is said to have changed", stale)
	}
	now.Catalogue, now.Features = "d", "e"
	if stale := stale(kept, now); stale != "rules and features" {
		t.Errorf("%q changed", stale)
	}
}

// TestUnexercised expects the clean service to be judged by all rules: a part of the suite is not enough.
func TestUnexercised(t *testing.T) {
	p, cases := prover(t)
	p.Selection.Rules = []string{"list.limit.honoured"}
	outcomes, err := p.Run(t.Context(), cases[:1], false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o := outcomes[0]; o.OK || o.Failure == "" {
		t.Errorf("a clean service of which a part was asked is %+v", o)
	}
}

// TestTell expects the text to contain the figures and the names.
func TestTell(t *testing.T) {
	proof := Measurement{
		Figures: spec.Proven{
			Faults: 2, Killed: 1, Diagnosed: 1, Freedoms: 1, Accepted: 1, Rules: 1, Survived: []string{"left"}, Misled: map[string]string{"led": "list.array"},
		},
		Problems: []string{"the fault left survives: a | b"},
		Rows: []Row{{Rule: "list.empty", Level: spec.Must, Killers: []string{"1", "2", "3", "4", "5", "6"}, Faults: []Outcome{
			{Case: Case{Name: "led"}, Killed: true, Diagnosed: true, Lead: "list.array"}, {Case: Case{Name: "left"}},
		}}},
		Outcomes: []Outcome{{Case: Case{Name: "led", Rule: "list.empty"}}},
	}
	var text, page, data bytes.Buffer
	for _, err := range []error{Text(&text, proof), Markdown(&page, proof), JSON(&data, proof)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1 of 2 (50.0 %)", "list.empty, led by list.array", "the fault left survives"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	for _, want := range []string{"`left` **survives**", "(led by `list.array`)", "and 1 more", `a \| b`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in\n%s", want, page.String())
		}
	}
	if !json.Valid(data.Bytes()) {
		t.Errorf("no JSON: %s", data.String())
	}
}

// TestMutations expects every derived fault to be supported by the reference service.
func TestMutations(t *testing.T) {
	v, err := variants.Mutated(mutate.Mutation{Do: "nonesuch", Status: 200})
	if err == nil {
		t.Errorf("an unknown act gives %v", v)
	}
}

// TestKept expects the stored figures to be readable, and to be those of a suite that detects something.
func TestKept(t *testing.T) {
	kept, err := bundled.Petstore().Proof()
	if err != nil {
		t.Fatal(err)
	}
	if kept.Faults < 500 || kept.Killed < kept.Faults*99/100 || kept.Accepted != kept.Freedoms {
		t.Errorf("%+v", kept)
	}
}
