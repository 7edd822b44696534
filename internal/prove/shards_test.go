package prove

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/steps/suite"
)

// TestShardsSayTheSame judges services whole and in shards, each with a service of its own: the merged verdict and
// the verdict of each rule must be those of the whole. What the faults show does not depend on how long lists are when they are asked for.
func TestShardsSayTheSame(t *testing.T) {
	t.Parallel()
	p, cases := prover(t)
	cases, err := Find(cases, []string{"clean", "limit-ignored", "default-50", "auth-prefix", "list-category-0", "name-capitalised", "createPet-401-as-403"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			sampled(t, i)
			t.Parallel()
			whole, err := p.play(t.Context(), c, 0, p.Selection)
			if err != nil {
				t.Fatal(err)
			}
			of := 2 + i%4
			var all []record.Named
			for k := 1; k <= of; k++ {
				one := *p
				one.Selection.Shard = suite.Shard{Index: k, Of: of}
				selected, part, err := p.Suite.Selected(one.Selection, p.Catalogue, p.Contract)
				if err != nil {
					t.Fatal(err)
				}
				if want := selected.Scenarios / of; part < want || part > want+1 {
					t.Errorf("shard %d/%d has %d of %d scenarios", k, of, part, selected.Scenarios)
				}
				rec, err := one.play(t.Context(), c, k, one.Selection)
				if err != nil {
					t.Fatal(err)
				}
				rec.Options.Shard, rec.Selected = one.Selection.Shard.String(), selected
				res := verdict.Draw(&rec, p.Catalogue.Rules)
				if res.Verdict == verdict.Conformant || res.ExitCode != verdict.ExitOK && res.Verdict != verdict.Violated {
					t.Errorf("shard %d/%d is %s, exit code %d: %s", k, of, res.Verdict, res.ExitCode, res.Because)
				}
				all = append(all, record.Named{Name: fmt.Sprintf("%d.json", k), Record: &rec})
			}
			merged, err := record.Merge(all)
			if err != nil {
				t.Fatal(err)
			}
			want, got := verdict.Draw(&whole, p.Catalogue.Rules), verdict.Draw(merged, p.Catalogue.Rules)
			if got.Verdict != want.Verdict || got.ExitCode != want.ExitCode || got.Because != want.Because {
				t.Errorf("merged of %d: %s, exit code %d: %s; whole: %s, %d: %s", of, got.Verdict, got.ExitCode, got.Because, want.Verdict, want.ExitCode, want.Because)
			}
			judged, merges := verdicts(want), verdicts(got)
			maps.DeleteFunc(judged, func(rule string, v verdict.Verdict) bool {
				// A broken service may fill its store more than those of the shards, so that not everything can be tested
				// there.
				inPart := c.Kind == Fault && v != merges[rule] && (v == verdict.NotExercised && merges[rule] == verdict.Conforms ||
					v == verdict.Conforms && merges[rule] == verdict.NotExercised)
				if inPart {
					delete(merges, rule)
				}
				return inPart
			})
			if diff := cmp.Diff(judged, merges); diff != "" {
				t.Errorf("the verdicts of the rules differ (-whole +merged of %d):\n%s", of, diff)
			}
		})
	}
}

func verdicts(res verdict.Result) map[string]verdict.Verdict {
	all := map[string]verdict.Verdict{}
	for _, r := range res.Rules {
		all[r.Rule] = r.Verdict
	}
	return all
}
