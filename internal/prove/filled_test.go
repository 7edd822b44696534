package prove

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// TestStoppedRunsClaimNothing stops runs of broken services after various numbers of requests: wherever that is,
// the broken rule is found broken, or not exercised. It never conforms.
func TestStoppedRunsClaimNothing(t *testing.T) {
	skipWholeRuns(t)
	p, cases := prover(t)
	cases, err := Find(cases, []string{"list-null-when-empty", "limit-one-more", "filter-stamps", "forgets-first", "list-lacks-newest"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for n := 5; n < 1200; n += 149 {
			one := *p
			one.Limits = client.Limits{MaxRequests: n}
			rec, err := one.play(t.Context(), c, 0, one.Selection)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range verdict.Draw(&rec, p.Catalogue.Rules).Rules {
				if v.Rule == c.Rule && v.Verdict == verdict.Conforms {
					t.Errorf("%s, ended after %d requests: %s conforms, judged %d times", c.Name, n, v.Rule, v.Exercised)
				}
			}
		}
	}
}

// TestFilledStoresClaimNothing judges services whose breach cannot show on a store that holds animals.
func TestFilledStoresClaimNothing(t *testing.T) {
	p, cases := prover(t)
	cases, err := Find(cases, []string{"clean", "list-null-when-empty", "filter-all-when-none", "page-half-full"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.runFilled(t.Context(), cases, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.NotExercised != 2 || f.Conform != 0 || f.Accepted != 2 {
		t.Errorf("%d not exercised, %d conform, %d accepted: %+v", f.NotExercised, f.Conform, f.Accepted, f.Outcomes)
	}
}
