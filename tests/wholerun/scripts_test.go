package wholerun_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/scripttest"
)

// scripted is how many faults are tried.
const scripted = 24

// unscripted are faults that the script of one failure cannot show, and why.
var unscripted = map[string]string{
	"auth-every-11th-creation": "it counts requests", "auth-every-7th": "it counts requests", "busy-after-400": "it counts requests",
	"create-409": "it counts requests", "create-each-9th-lost": "it counts requests", "create-name-twice-409": "it counts requests",
	"create-now-and-then-refused": "it counts requests", "every-13th-fails": "it counts requests", "fails-after-400": "it counts requests",
	"get-every-5th-not-found": "it counts requests", "teapot": "it counts requests",
	"filter-all-when-none": "it shows in a store with other content", "list-null-when-empty": "it shows in a store with other content",
	"list-repeated-to-fill": "it shows in a store with other content", "list-twice-first": "it shows in a store with other content",
}

// The script of a failure, run in a shell against another service with the same fault, shows the failure.
func TestScriptsShowTheirFailures(t *testing.T) {
	scripttest.Need(t)
	k := runtest.New(t)
	var faults []variants.Fault
	for _, f := range variants.Faults() {
		if !f.Chance && unscripted[f.Name] == "" && k.Suite.Rules()[f.Rule] > 0 { // other rules are judged on every response
			faults = append(faults, f)
		}
	}
	for i := range scripted {
		if testing.Short() && i%8 != 0 {
			continue
		}
		fault := faults[i*len(faults)/scripted]
		t.Run(fault.Name, func(t *testing.T) {
			base := serving(t, brokenService(t, fault.Name))
			rec, _ := k.Run(t, base, referenceKey, func(c *steps.Config) { c.Selection = suite.Selection{Rules: []string{fault.Rule}} })
			v := view.New(&rec, view.Sources{Catalogue: k.Catalogue, Contract: k.Contract})
			c := scripttest.CauseOf(v, fault.Rule)
			if c == nil {
				t.Skip("its own scenarios do not find it")
			}
			script, output, lacks := scripttest.Run(t, v, c, brokenService(t, fault.Name), "/v1", "HALLMARK_API_KEY="+referenceKey)
			if lacks != "" {
				t.Errorf("the output lacks %s; the finding is: expected %s, actual %s, where %s\n%s\n--- output\n%s", lacks, c.Lead.Expected, c.Lead.Actual, c.Lead.Where, script, output)
			}
		})
	}
}
