package sample_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// What the tests of the formats rest on.
func TestSamples(t *testing.T) {
	if res := sample.Good(t).Result; res.Verdict != verdict.Conformant || len(res.Causes) != 0 {
		t.Errorf("the good one is %s: %s", res.Verdict, res.Because)
	}
	if res := sample.Broken(t).Result; res.Verdict != verdict.Violated || len(res.Causes) < 4 {
		t.Errorf("the broken one is %s, with %d causes", res.Verdict, len(res.Causes))
	}
	if res := sample.Hostile(t).Result; res.Verdict != verdict.Violated || len(res.Causes) < 2 {
		t.Errorf("the hostile one is %s, with %d causes", res.Verdict, len(res.Causes))
	}
	big := sample.Big(t, 2000)
	if n, m := len(big.Record.Scenarios), len(big.Record.Exchanges); n < 2000 || m < 3500 || big.Result.Verdict != verdict.Violated {
		t.Errorf("the big one has %d scenarios, %d exchanges, and is %s", n, m, big.Result.Verdict)
	}
	for _, v := range []*view.View{sample.Broken(t), big} {
		for i := range v.Record.Scenarios {
			for _, f := range v.Record.Scenarios[i].Findings {
				for _, ex := range v.Cited(f) {
					if ex.Scenario == "" && v.Record.Scenarios[i].ID != "preflight" {
						t.Fatalf("finding %s of %s cites exchange %d of nobody", f.Rule, v.Record.Scenarios[i].ID, ex.Seq)
					}
				}
			}
		}
	}
}
