package prove

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

func TestCover(t *testing.T) {
	fault := func(name string, finders ...string) Outcome {
		return Outcome{Case: Case{Kind: Fault, Name: name}, Diagnosed: true, finders: finders}
	}
	asks := map[string]work{"a": {requests: 5}, "b": {requests: 1}, "c": {requests: 9}, "d": {requests: 2}, "e": {requests: 2}}
	for name, test := range map[string]struct {
		outcomes []Outcome
		want     map[string][]string
	}{
		"the cheaper of two":                       {[]Outcome{fault("1", "a", "b")}, map[string][]string{"b": {"1"}}},
		"the one that finds most for its requests": {[]Outcome{fault("1", "c", "a"), fault("2", "c", "d"), fault("3", "c", "e")}, map[string][]string{"a": {"1"}, "d": {"2"}, "e": {"3"}}},
		"the one that finds most":                  {[]Outcome{fault("1", "b", "c"), fault("2", "c"), fault("3", "d")}, map[string][]string{"c": {"1", "2"}, "d": {"3"}}},
		"of equals the first":                      {[]Outcome{fault("1", "e", "d")}, map[string][]string{"d": {"1"}}},
		"nothing for the preflight":                {[]Outcome{fault("1", "preflight")}, map[string][]string{}},
		"nothing that is not a fault":              {[]Outcome{{Case: Case{Kind: Freedom, Name: "1"}, finders: []string{"a"}}}, map[string][]string{}},
		"nothing that was misnamed":                {[]Outcome{{Case: Case{Kind: Fault, Name: "1"}, finders: []string{"a"}}}, map[string][]string{}},
		"nothing that is not needed":               {[]Outcome{fault("1", "a", "b"), fault("2", "a", "b"), fault("3", "a", "c"), fault("4", "a", "c"), fault("5", "b"), fault("6", "c"), fault("7", "b"), fault("8", "c")}, map[string][]string{"b": {"1", "2", "5", "7"}, "c": {"3", "4", "6", "8"}}},
		"a first that is not superior":             {[]Outcome{fault("1", "a", "b"), fault("2", "a", "b"), fault("3", "a", "c"), fault("4", "b"), fault("5", "c")}, map[string][]string{"b": {"1", "2", "4"}, "c": {"3", "5"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, cover(test.outcomes, asks)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The given scenarios are chosen in any case, and what they find needs no other.
func TestCoverKeepsWhatIsGiven(t *testing.T) {
	outcomes := []Outcome{
		{Case: Case{Kind: Fault, Name: "1"}, Diagnosed: true, finders: []string{"a", "b"}},
		{Case: Case{Kind: Fault, Name: "2"}, Diagnosed: true, finders: []string{"c"}},
	}
	asks := map[string]work{"a": {requests: 9}, "b": {requests: 1}, "c": {requests: 1}, "d": {requests: 1}}
	if diff := cmp.Diff(map[string][]string{"a": {"1"}, "c": {"2"}, "d": {}}, cover(outcomes, asks, "a", "d")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The scenarios that create most for their requests come first, until they reach their share.
func TestCreators(t *testing.T) {
	all := map[string]work{"a": {10, 5}, "b": {1, 1}, "c": {1, 1}, "d": {40, 2}, "e": {3, 0}, "f": {2, 1}}
	if got, want := creators(all), []string{"b", "c", "a"}; !slices.Equal(got, want) {
		t.Errorf("%v create their share, want %v", got, want)
	}
	if got := creators(nil); len(got) > 0 {
		t.Errorf("nothing has the creators %v", got)
	}
}

// A fault that shows only together with another scenario brings a second one into the quick part, and what the
// part does not find is not in its figures.
func TestQuickPartIsChecked(t *testing.T) {
	p, cases := prover(t)
	p.Selection.Rules = []string{"list.limit.honoured", "auth.missing"}
	chosen, err := Find(cases, []string{"clean", "limit-one-more", "auth-missing", "ids-negative"})
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := p.Run(t.Context(), chosen, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	quick, err := quicken(t.Context(), p, outcomes)
	if err != nil {
		t.Fatal(err)
	}
	if quick.Found != 2 || quick.Accepted != 1 || len(quick.Finds) != quick.Part.Scenarios || quick.Part.Scenarios >= quick.Whole.Scenarios || quick.Part.Exchanges >= quick.Whole.Exchanges {
		t.Errorf("%+v", quick)
	}
	// One finder is not enough for it: the scenario runs, and finds something else.
	for i, o := range outcomes {
		if o.Name == "limit-one-more" {
			of := slices.IndexFunc(outcomes, func(o Outcome) bool { return o.Name == "auth-missing" })
			outcomes[i].finders = append(slices.Clone(outcomes[of].finders[:1]), o.finders...)
		}
	}
	quick, err = quicken(t.Context(), p, outcomes)
	if err != nil || quick.Found != 2 {
		t.Errorf("%+v, %v", quick, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quicken(ctx, p, outcomes); err == nil {
		t.Error("what was ended has a quick part")
	}
}

// mostMissed bounds the number of faults that the quick part misses.
const mostMissed = 3

// The stored quick part finds what it says, one scenario at a time.
func TestKeptQuickPart(t *testing.T) {
	p, cases := prover(t)
	kept, err := bundled.Petstore().Proof()
	if err != nil || kept.Quick == nil || kept.Quick.Found+len(kept.Quick.Missed) != kept.Diagnosed || len(kept.Quick.Missed) > mostMissed || kept.Quick.Accepted != kept.Accepted {
		t.Fatalf("%+v, %v", kept.Quick, err)
	}
	if s := stale(kept, spec.Proven{Contract: p.Contract.Digest(), Catalogue: p.Catalogue.Digest(), Features: p.Suite.Digest()}); s != "" {
		t.Fatalf("the %s changed", s)
	}
	p.Short, p.Concurrency = true, 1
	p.Selection = suite.Selection{Quick: slices.Sorted(maps.Keys(kept.Quick.Finds))}
	for _, id := range p.Selection.Quick {
		if !p.Suite.Has(id) {
			t.Errorf("there is no scenario %s", id)
		}
	}
	for i, c := range cases {
		if c.Kind == Clean || slices.Contains(kept.Quick.Missed, c.Name) || i%8 != 0 { // hallmark prove --full judges them all
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			skip.Sampled(t, i, 64)
			t.Parallel()
			if o := p.repeat(t.Context(), c, false); !o.OK {
				t.Errorf("%+v", o)
			}
		})
	}
}

// A short proof names the same faults as a whole one.
func TestShortProof(t *testing.T) {
	p, cases := prover(t)
	p.Short, p.Finders = true, map[string]string{"limit-one-more": "features/petstore/nonesuch.feature:1"}
	find := func(name string) Case { return caseCalled(t, cases, name) }
	harmless, wrong := find("ids-negative"), find("auth-missing")
	harmless.Kind, harmless.Rule = Fault, "list.limit.honoured"
	wrong.Rule = "get.unknown"
	outcomes, err := p.Run(t.Context(), []Case{find("limit-one-more"), find("auth-no-challenge"), harmless, wrong}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof := p.measure(outcomes, true, false)
	if f := proof.Figures; f.Killed != 3 || f.Diagnosed != 2 || !slices.Equal(f.Survived, []string{"ids-negative"}) || !slices.Equal(f.Misdiagnosed, []string{"auth-missing"}) {
		t.Errorf("%+v", f)
	}
	if outcomes[0].exchanges >= outcomes[2].exchanges {
		t.Errorf("%d exchanges for what is found, %d for what is not", outcomes[0].exchanges, outcomes[2].exchanges)
	}
	if !proof.Short || len(proof.Problems) != 2 {
		t.Errorf("%q", proof.Problems)
	}
}
