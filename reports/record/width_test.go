package record_test

import (
	"bytes"
	"reflect"
	"testing"

	"hallmark/reports/record"
)

func TestWidth(t *testing.T) {
	narrow, wide := &record.Width{Widest: 12, Last: 12, Why: "auto takes no more"}, &record.Width{Widest: 40, Last: 8, Why: "with 40 at a time the target answered 429"}
	for _, test := range []struct {
		name     string
		w, other *record.Width
		says     string
	}{
		{"none", nil, nil, ""},
		{"one", nil, narrow, "up to 12 requests at a time (--concurrency auto); auto takes no more"},
		{"the wider of two", narrow, wide, "up to 40 requests at a time (--concurrency auto), 8 at the end; with 40 at a time the target answered 429"},
	} {
		if one, other := test.w.Plus(test.other).Sentence(), test.other.Plus(test.w).Sentence(); one != test.says || other != test.says {
			t.Errorf("%s: %q and %q", test.name, one, other)
		}
	}
	told, found := record.Record{Options: record.Options{Concurrency: 5}}, record.Record{Options: record.Options{Concurrency: 64, Adaptive: true}, Width: narrow}
	if told.AtOnce() != 5 || found.AtOnce() != 12 {
		t.Errorf("%d and %d at a time", told.AtOnce(), found.AtOnce())
	}
}

// The width outlives the journal; a journal of an earlier version has none.
func TestWidthIsKept(t *testing.T) {
	for _, width := range []*record.Width{nil, {Widest: 40, Last: 8, Why: "w"}} {
		var file bytes.Buffer
		r := record.NewRecorder(record.Record{Options: record.Options{Concurrency: 64, Adaptive: true}})
		journal := record.NewJournal(&file, 0)
		r.Keep(journal)
		kept := r.Finish(record.Ending{Complete: true, Width: width})
		if err := journal.Err(); err != nil {
			t.Fatal(err)
		}
		read, err := record.ReadJournal(&file, "pet")
		if err != nil || !reflect.DeepEqual(read.Width, width) || !reflect.DeepEqual(kept.Width, width) || !read.Options.Adaptive {
			t.Errorf("%v: %+v and %+v of %+v", err, kept.Width, read, width)
		}
	}
}
