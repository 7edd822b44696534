package coverage

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func TestItKeepsTheSchema(t *testing.T) {
	published := sample.Schema(t, filepath.Join("..", "..", "docs", "coverage.schema.json"))
	for name, v := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			sample.Valid(t, published, sample.Sound(t, Format(), v))
		})
	}
}

func TestItSaysWhatIsMissing(t *testing.T) {
	good := sample.Good(t)
	rec := *good.Record
	rec.Options.RequireCoverage = map[record.Dimension]float64{record.Operations: 100}
	var r report
	read(t, view.New(&rec, good.Sources), &r)
	if !r.Known || r.Totals["operations"].Judged == 0 || r.Required["operations"] != 100 {
		t.Fatalf("%+v", r)
	}
	gaps := 0
	for _, op := range r.Operations {
		for _, e := range op.Statuses {
			if (e.State == "right") != (e.Reason == "") {
				t.Errorf("%s %s is %s, because %q", op.Operation, e.Name, e.State, e.Reason)
			}
		}
		for _, s := range op.Schemas {
			gaps += len(s.Elements)
			if n := s.Total.All - s.Total.Judged + s.Total.Broken; s.Reason == "" && n != len(s.Elements)+s.More {
				t.Errorf("%s %s: %d elements are listed, not %d", op.Operation, s.Of, len(s.Elements), n)
			}
		}
	}
	if gaps == 0 {
		t.Error("no run takes every branch")
	}
}

func TestItSaysThatNothingIsKnown(t *testing.T) {
	good := sample.Good(t)
	rec := *good.Record
	rec.Coverage = nil
	var r report
	read(t, view.New(&rec, good.Sources), &r)
	if r.Known || len(r.Operations) > 0 {
		t.Errorf("%+v", r)
	}
}

func read(t *testing.T, v *view.View, into *report) {
	t.Helper()
	if err := json.Unmarshal(sample.Written(t, Format(), v), into); err != nil {
		t.Fatal(err)
	}
}
