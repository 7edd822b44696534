package prove

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// TestDeviationsHold runs the suite, writes its findings as known violations, and runs it again with another seed:
// other animals, other numbers, another order. The same violations must be covered again, and nothing else may be
// found.
func TestDeviationsHold(t *testing.T) {
	t.Parallel()
	p, cases := prover(t)
	wanted := []string{"auth-prefix", "default-50", "limit-ignored", "filter-ignored-with-limit", "name-capitalised", "get-int32", "listPets-401-rubbish", "refused-bad-status-stored"}
	cases, err := Find(cases, wanted)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			sampled(t, i)
			t.Parallel()
			rec, err := p.play(t.Context(), c, 0, p.Selection)
			if err != nil {
				t.Fatal(err)
			}
			text, _, err := verdict.UpdateDeviations(nil, &rec, p.Catalogue.Rules, p.Now.AddDate(0, 0, 1))
			if err != nil {
				t.Fatal(err)
			}
			known, err := verdict.ReadDeviations([]byte(strings.ReplaceAll(string(text), ": TODO", ": https://issues.example.com/1")), p.Catalogue.Rules)
			if err != nil || len(known) == 0 {
				t.Fatalf("%d deviations, %v:\n%s", len(known), err, text)
			}
			again, err := p.play(t.Context(), c, 1, p.Selection)
			if err != nil {
				t.Fatal(err)
			}
			again.Deviations, again.Started = known, p.Now
			res := verdict.Draw(&again, p.Catalogue.Rules)
			if res.ExitCode != verdict.ExitOK || len(res.Causes) > 0 || res.Verdict == verdict.Conformant {
				t.Errorf("%s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
				for _, d := range res.Deviations {
					t.Logf("%s %s: %s: %s", d.State, d.Rule, d.Message, d.Says)
				}
				for _, cause := range res.Causes {
					t.Logf("found: %s: %s", cause.Rule, cause.Message)
				}
			}
		})
	}
}
