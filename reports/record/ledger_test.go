package record_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// An animal that was refused, or never answered for, is listed once a response shows it; in the journal, too.
func TestLedgerOfWhatIsSeen(t *testing.T) {
	var file bytes.Buffer
	r := record.NewRecorder(record.Record{Started: fixture.Started})
	r.Keep(record.NewJournal(&file, 0))
	created := r.Asking("created", "a")
	r.Settle(created, record.Created, "1")
	refused := r.Asking("refused", "a", "also refused")
	r.Settle(refused, record.Refused, "")
	lost := r.Asking("lost", "a")
	r.Settle(lost, record.Unknown, "")
	gone := r.Asking("refused and gone", "a")
	r.Settle(gone, record.Refused, "")
	late := r.Asking("late", "a")
	for name, id := range map[string]string{"created": "99", "also refused": "2", "lost": "3", "late": "5", "of nobody": "6"} {
		r.Seen(name, id)
	}
	r.Seen("refused", "7") // that request has its animal
	r.Settle(late, record.Refused, "")
	rec := r.Finish(record.Ending{Complete: true})
	type row struct {
		id, name string
		fate     record.Fate
	}
	rows := func(all []record.Creation) (out []row) {
		for _, a := range all {
			out = append(out, row{a.ID, a.Name, a.Fate})
		}
		return out
	}
	want := []row{{"1", "created", record.Created}, {"2", "also refused", record.Created}, {"3", "lost", record.Created}, {"5", "late", record.Created}}
	if got := rows(rec.Created); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	read, err := reports.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(read.Created); !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
}
