package record_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// journalled records a small run with a journal, and returns both.
func journalled(t *testing.T, end bool) (record.Record, *bytes.Buffer) {
	t.Helper()
	var file bytes.Buffer
	j := record.NewJournal(&file, 0)
	r := record.NewRecorder(record.Record{Target: record.Target{BaseURL: "https://pets.example.com/v1"}, Started: fixture.Started})
	r.Keep(j)
	first := r.Asking("plain", "a")
	second := r.Asking("refused", "a")
	r.Settle(first, record.Created, "9223372036854775807")
	r.Settle(second, record.Refused, "")
	r.ExercisedAll([]string{"pet.id", "pet.name"})
	r.AddExchange(answer(2, "a", strings.Repeat("x", 10_000)))
	r.AddExchange(answer(1, "a", "<html> & \xff"))
	r.AddScenario(record.Scenario{ID: "a", Rules: []string{"pet.id"}, Outcome: record.Failed, Exchanges: []int{2, 1}, Findings: []spec.Finding{citing("c", 2)}})
	r.AddOpinion(record.Opinion{Finding: "c", Rule: "pet.id", Exchange: 2, Opinion: spec.Opinion{Says: spec.Disputed, Reason: "no"}})
	r.Asking("under way", "b")
	r.ExercisedAll([]string{"pet.id", "pet.id", "pet.id"})
	r.AddScenario(record.Scenario{ID: "b", Rules: []string{"pet.id"}, Outcome: record.Passed})
	r.ExercisedAll([]string{"pet.name"})
	rec := r.Snapshot()
	if end {
		rec = r.Finish(record.Ending{Complete: true, At: fixture.Started})
	}
	if err := j.Err(); err != nil {
		t.Fatal(err)
	}
	return rec, &file
}

func TestAJournalHoldsTheWholeRecord(t *testing.T) {
	want, file := journalled(t, true)
	got, err := reports.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, *got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the journal tells another story than the record (-record +journal):\n%s", diff)
	}
	// In version 1 creations had the name of the interface's resource.
	_, file = journalled(t, true)
	first := strings.NewReplacer(record.JournalSchema, record.JournalSchema1, `{"creation":{`, `{"animal":{`).Replace(file.String())
	if !strings.Contains(first, `{"animal":{`) {
		t.Fatal("the journal lists no creations")
	}
	got, err = record.ReadJournal(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	ignoreTimes := cmpopts.IgnoreFields(record.Creation{}, "Asked")
	if diff := cmp.Diff(want, *got, cmpopts.EquateEmpty(), ignoreTimes); diff != "" {
		t.Errorf("the journal of version 1 tells another story than the record (-record +journal):\n%s", diff)
	}
	fates := []record.Fate{want.Created[0].Fate, want.Created[1].Fate}
	if len(want.Created) != 2 || !slices.Equal(fates, []record.Fate{record.Created, record.Unknown}) || want.Created[0].ID != "9223372036854775807" {
		t.Errorf("the animals are %+v", want.Created)
	}
}

func TestAJournalOfAKilledRun(t *testing.T) {
	_, file := journalled(t, false)
	whole := file.String()
	lines := strings.SplitAfter(whole, "\n")
	// Wherever the process was killed, everything that had been written whole is there.
	for cut := range len(whole) {
		rec, err := record.ReadJournal(strings.NewReader(whole[:cut]))
		ended := 0
		for at, line := 0, 0; line < len(lines); line++ {
			if at += len(lines[line]); at <= cut && strings.HasPrefix(lines[line], `{"scenario"`) {
				ended++
			}
		}
		switch {
		case cut < len(lines[0])-1:
			if err == nil {
				t.Fatalf("cut at %d, in its first line, the journal is read as %+v", cut, rec)
			}
		case err != nil:
			t.Fatalf("cut at %d, the journal cannot be read: %v", cut, err)
		case len(rec.Scenarios) != ended || rec.Complete:
			t.Fatalf("cut at %d, it holds %d scenarios of %d, complete: %v", cut, len(rec.Scenarios), ended, rec.Complete)
		}
	}
	rec, err := record.ReadJournal(strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Exercised["pet.id"]; got != 4 {
		t.Errorf("pet.id was judged %d times by the journal, and 4 times in truth", got)
	}
	if last := rec.Created[len(rec.Created)-1]; last.Name != "under way" || last.Fate != record.Unknown {
		t.Errorf("the last animal is %+v; no response had come for it", last)
	}
}

func TestReadJournalRefuses(t *testing.T) {
	_, file := journalled(t, true)
	head, rest, _ := strings.Cut(file.String(), "\n")
	for name, c := range map[string]struct{ text, want string }{
		"nothing":           {"", "the journal is empty"},
		"another file":      {"hello\n", "this is not the journal of a run"},
		"another schema":    {`{"schema":"hallmark.journal/v3","head":{}}` + "\n", "has the schema hallmark.journal/v3"},
		"no head":           {`{"schema":"hallmark.journal/v1"}` + "\n", "this is not the journal"},
		"damage in a line":  {head + "\n{\"scenario\":{]\n" + rest, "damaged in line 2: a name in double quotes is expected"},
		"a record, instead": {`{"schema":"hallmark.record/v1"}` + "\n", "this is not the journal"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := record.ReadJournal(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestReadTakesBothForms(t *testing.T) {
	want, _ := journalled(t, true)
	var file bytes.Buffer
	if err := reports.WriteJSON(&file, &want, verdict.Result{}); err != nil {
		t.Fatal(err)
	}
	got, err := reports.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, *got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the record changed on its way (-written +read):\n%s", diff)
	}
}

// fullDisk accepts some lines, and half of the next.
type fullDisk struct {
	bytes.Buffer
	lines int
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(line []byte) (int, error) {
	if d.lines--; d.lines < 0 {
		n, _ := d.Buffer.Write(line[:len(line)/2])
		return n, errFull
	}
	return d.Buffer.Write(line)
}

func TestAJournalOnAFullDisk(t *testing.T) {
	disk := &fullDisk{lines: 3}
	j := record.NewJournal(disk, 0)
	r := record.NewRecorder(record.Record{})
	r.Keep(j)
	for _, id := range []string{"a", "b", "c", "d"} {
		r.AddScenario(record.Scenario{ID: id, Outcome: record.Passed})
	}
	rec := r.Finish(record.Ending{Complete: true})
	if len(rec.Scenarios) != 4 || !errors.Is(j.Err(), errFull) {
		t.Errorf("the record holds %d scenarios, the journal says %v", len(rec.Scenarios), j.Err())
	}
	kept, err := record.ReadJournal(&disk.Buffer)
	if err != nil || len(kept.Scenarios) != 2 {
		t.Errorf("the journal gives %+v, %v; two scenarios were written whole", kept, err)
	}
}

// A journal ends at its limit, says so, and goes on to list animals.
func TestJournalLimit(t *testing.T) {
	for _, body := range []int{100, record.PartBytes + 1} {
		limit := int64(10*body + 10_000)
		var file bytes.Buffer
		j := record.NewJournal(&file, limit)
		r := record.NewRecorder(record.Record{})
		r.Keep(j)
		n := r.Asking("first", "0")
		for i := range 40 {
			id := strconv.Itoa(i)
			r.AddExchange(answer(i+1, id, strings.Repeat("\x01", body)))
			r.AddScenario(record.Scenario{ID: id, Outcome: record.Passed, Exchanges: []int{i + 1}, Findings: []spec.Finding{citing("c"+id, i+1)}})
			if int64(file.Len()) > limit+1000 {
				t.Fatalf("bodies of %d bytes: after %d scenarios the journal takes %d bytes; its limit is %d", body, i+1, file.Len(), limit)
			}
		}
		r.Settle(n, record.Created, "7")
		r.Asking("last", "39")
		rec := r.Finish(record.Ending{Complete: true})
		if len(rec.Scenarios) != 40 || j.Err() != nil || !j.Full() {
			t.Errorf("bodies of %d bytes: the record holds %d scenarios, the journal says %v, full: %v", body, len(rec.Scenarios), j.Err(), j.Full())
		}
		kept, err := record.ReadJournal(&file)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(kept.Scenarios); n == 0 || n == 40 || len(kept.Exchanges) != n {
			t.Errorf("bodies of %d bytes: the journal holds %d scenarios and %d exchanges", body, n, len(kept.Exchanges))
		}
		if kept.Complete || !strings.Contains(kept.Cut, "reached its limit") {
			t.Errorf("bodies of %d bytes: complete: %v, cut: %q", body, kept.Complete, kept.Cut)
		}
		if diff := cmp.Diff(rec.Created, kept.Created); diff != "" {
			t.Errorf("the animals differ (-record +journal):\n%s", diff)
		}
	}
}

func TestJournalBelowItsLimit(t *testing.T) {
	want, file := journalled(t, true)
	size := int64(file.Len())
	for _, limit := range []int64{0, size} {
		var same bytes.Buffer
		j := record.NewJournal(&same, limit)
		r := record.NewRecorder(record.Record{})
		r.Keep(j)
		for _, s := range want.Scenarios {
			r.AddScenario(s)
		}
		r.Finish(record.Ending{Complete: true})
		kept, err := record.ReadJournal(&same)
		if err != nil || j.Full() || !kept.Complete || kept.Cut != "" {
			t.Errorf("limit %d: %+v, %v", limit, kept, err)
		}
	}
}

func TestAJournalIsSafeForConcurrentUse(t *testing.T) {
	var file bytes.Buffer
	r := record.NewRecorder(record.Record{})
	r.Keep(record.NewJournal(&file, 0))
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 20 {
				seq := 1 + worker*20 + i
				n := r.Asking("x", "s")
				r.ExercisedAll([]string{"pet.id"})
				r.AddExchange(answer(seq, "s", "{}"))
				r.Settle(n, record.Created, "1")
				r.AddScenario(record.Scenario{ID: "s", Outcome: record.Passed, Exchanges: []int{seq}})
			}
		})
	}
	all.Wait()
	r.Finish(record.Ending{Complete: true})
	rec, err := record.ReadJournal(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Scenarios) != 160 || len(rec.Exchanges) != 160 || len(rec.Created) != 160 || rec.Exercised["pet.id"] != 160 {
		t.Errorf("of 160 each, the journal holds %d scenarios, %d exchanges, %d animals, %d judgements",
			len(rec.Scenarios), len(rec.Exchanges), len(rec.Created), rec.Exercised["pet.id"])
	}
}

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
		rec, err := record.ReadJournal(&text)
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
