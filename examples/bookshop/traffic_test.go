package main

import (
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// trafficOf returns what single exchanges of a whole run against a variant of the shop show.
func trafficOf(t *testing.T, variant string, seed int64) map[string]spec.Finding {
	t.Helper()
	d := contract(t, uint64(seed))
	judge := traffic.New(traffic.Basis{Contract: d.contract, Catalogue: d.catalogue, Promises: d.promises},
		traffic.Options{Place: traffic.At(d.contract, "http://books.test"), Most: traffic.LongestBody})
	tap := &traffic.Tap{Most: traffic.LongestBody, Requests: true, Submit: judge.Add}
	d.play(t, variant, steps.Config{
		Options: scenario.Options{Seed: seed, Patience: scenario.Patience{Least: time.Millisecond}, Transport: tap.Transport(inMemory{service.New(variant)})}, Suite: d.suite,
	})
	var rec record.Record
	judge.Fill(&rec, "the run")
	all := broken(rec)
	for rule := range all {
		if r, known := d.catalogue.Rule(rule); known && !r.Level.Fails() {
			delete(all, rule)
		}
	}
	// A freedom may keep the run from calling some operations, such as one that shows late what was written.
	if rec.Traffic.Judged < rec.Traffic.Seen/2 || variant == "" && len(rec.Traffic.Unseen) > 0 {
		t.Errorf("of %d exchanges %d were judged, and %q not seen: %v", rec.Traffic.Seen, rec.Traffic.Judged, rec.Traffic.Unseen, rec.Traffic.NotJudged)
	}
	return all
}

// The traffic of the shop, and of its freedoms, shows no broken rule.
func TestTrafficAccusesNobody(t *testing.T) {
	variants := []string{""}
	for _, f := range service.Freedoms() {
		variants = append(variants, f.Name)
	}
	for i, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			skip.Sampled(t, i, 16)
			t.Parallel()
			for rule, f := range trafficOf(t, variant, int64(11+i%4)) {
				t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
			}
		})
	}
}
