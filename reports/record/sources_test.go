package record_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/reports/record"
	"hallmark/spec"
)

func TestSourcesComeBackFromAJournal(t *testing.T) {
	for name, want := range map[string]record.Sources{
		"whole": {
			Rules:        []spec.Rule{{ID: "a.b", Level: spec.Must, Says: "<a> & \u202eb."}, {ID: "c.d"}},
			ContractFile: "shop.yaml", Own: "shop.yaml", Contract: map[string]string{"": "openapi: 3.1.0\n", "pets.yaml": "\x7f\t"},
			Features: map[string]string{"derived/a.feature": "Feature: A\n"},
		},
		"empty":    {Rules: []spec.Rule{}, Contract: map[string]string{}, Features: map[string]string{}},
		"left out": {Rules: []spec.Rule{{ID: "a"}}},
	} {
		packed, err := want.Pack()
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		r := record.NewRecorder(record.Record{Sources: packed})
		r.Keep(record.NewJournal(&text, 0))
		r.Finish(record.Ending{Complete: true})
		rec, err := record.ReadJournal(&text, "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := rec.Sources.Sources()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
