package reports_test

import (
	"bytes"
	"slices"
	"testing"

	"hallmark/reports"
	"hallmark/reports/fixture"
)

// An animal that was refused, or never answered for, is listed once a response shows it; in the journal, too.
func TestLedgerOfWhatIsSeen(t *testing.T) {
	var file bytes.Buffer
	r := reports.NewRecorder(reports.Record{Started: fixture.Started})
	r.Keep(reports.NewJournal(&file, 0))
	created := r.Asking("created", "a")
	r.Settle(created, reports.Created, "1")
	refused := r.Asking("refused", "a", "also refused")
	r.Settle(refused, reports.Refused, "")
	lost := r.Asking("lost", "a")
	r.Settle(lost, reports.Unknown, "")
	gone := r.Asking("refused and gone", "a")
	r.Settle(gone, reports.Refused, "")
	late := r.Asking("late", "a")
	for name, id := range map[string]string{"created": "99", "also refused": "2", "lost": "3", "late": "5", "of nobody": "6"} {
		r.Seen(name, id)
	}
	r.Seen("refused", "7") // that request has its animal
	r.Settle(late, reports.Refused, "")
	rec := r.Finish(reports.Ending{Complete: true})
	type row struct {
		id, name string
		fate     reports.Fate
	}
	rows := func(all []reports.Animal) (out []row) {
		for _, a := range all {
			out = append(out, row{a.ID, a.Name, a.Fate})
		}
		return out
	}
	want := []row{{"1", "created", reports.Created}, {"2", "also refused", reports.Created}, {"3", "lost", reports.Created}, {"5", "late", reports.Created}}
	if got := rows(rec.Animals); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	read, err := reports.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(read.Animals); !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
}
