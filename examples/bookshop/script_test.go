package main

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/scripttest"
)

// scripted is how many faults are tried.
const scripted = 44

// unscripted says of some faults why a script cannot show them.
func unscripted(f service.Fault) string {
	switch {
	case strings.HasSuffix(f.Rule, ".concurrent"), strings.Contains(f.Name, "in-a-crowd"):
		return "it takes requests at the same time"
	case strings.HasSuffix(f.Name, ".untyped"):
		return "the server of net/http names a media type"
	case strings.HasSuffix(f.Name, ".crashes-again"), strings.HasSuffix(f.Name, ".refused-stored"):
		return "it takes a request of another scenario"
	}
	return ""
}

// The script of a failure, run in a shell against another shop with the same fault, shows the failure.
func TestScriptsShowTheirFailures(t *testing.T) {
	scripttest.Need(t)
	d := contract(t, 5)
	var faults []service.Fault
	for _, f := range service.Faults() {
		if _, known := d.catalogue.Rule(f.Rule); known && unscripted(f) == "" {
			faults = append(faults, f)
		}
	}
	for i := range scripted {
		if testing.Short() && i%8 != 0 {
			continue
		}
		fault := faults[i*len(faults)/scripted]
		t.Run(fault.Name, func(t *testing.T) {
			rule, _ := d.catalogue.Rule(fault.Rule)
			var v *view.View
			var c *verdict.Cause
			for _, chosen := range []suite.Selection{{Rules: []string{fault.Rule}}, {Operations: rule.Operations}} {
				if len(chosen.Rules) > 0 && d.suite.Rules()[fault.Rule] == 0 || c != nil {
					continue // it is judged on every response
				}
				rec := d.play(t, fault.Name, steps.Config{Options: scenario.Options{Seed: 5, Patience: scenario.Patience{Least: atOnce}}, Suite: d.suite, Selection: chosen})
				rec.Target.BaseURL = "http://books.test"
				v = view.New(&rec, view.Sources{Catalogue: d.catalogue, Contract: d.contract})
				c = scripttest.CauseOf(v, fault.Rule)
			}
			if c == nil {
				t.Skip("the scenarios of its operation do not find it")
			}
			script, output, lacks := scripttest.Run(t, v, c, service.New(fault.Name), "",
				"HALLMARK_API_KEY="+service.StaffKey, "HALLMARK_CREDENTIAL_STAFF="+service.StaffKey, "HALLMARK_CREDENTIAL_CUSTOMER="+service.CustomerToken,
				"HALLMARK_CREDENTIAL_NEIGHBOUR_CUSTOMER="+service.NeighbourToken, "HALLMARK_CREDENTIAL_NEW_PASSWORD=Pw-0123456789abcdefg")
			if lacks != "" {
				t.Errorf("the output lacks %s; the finding is: expected %s, actual %s, where %s\n%s\n--- output\n%s", lacks, c.Lead.Expected, c.Lead.Actual, c.Lead.Where, script, output)
			}
		})
	}
}
