package reports

import (
	"bytes"
	"slices"
	"testing"
)

// An animal that was refused, or never answered for, is listed once a response shows it; in the journal, too.
func TestLedgerOfWhatIsSeen(t *testing.T) {
	var file bytes.Buffer
	r := NewRecorder(Record{Started: started})
	r.Keep(NewJournal(&file, 0))
	created := r.Asking("created", "a")
	r.Settle(created, Created, "1")
	refused := r.Asking("refused", "a", "also refused")
	r.Settle(refused, Refused, "")
	lost := r.Asking("lost", "a")
	r.Settle(lost, Unknown, "")
	gone := r.Asking("refused and gone", "a")
	r.Settle(gone, Refused, "")
	late := r.Asking("late", "a")
	for name, id := range map[string]string{"created": "99", "also refused": "2", "lost": "3", "late": "5", "of nobody": "6"} {
		r.Seen(name, id)
	}
	r.Seen("refused", "7") // that request has its animal
	r.Settle(late, Refused, "")
	rec := r.Finish(Ending{Complete: true})
	type row struct {
		id, name string
		fate     Fate
	}
	rows := func(all []Animal) (out []row) {
		for _, a := range all {
			out = append(out, row{a.ID, a.Name, a.Fate})
		}
		return out
	}
	want := []row{{"1", "created", Created}, {"2", "also refused", Created}, {"3", "lost", Created}, {"5", "late", Created}}
	if got := rows(rec.Animals); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(read.Animals); !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
}
