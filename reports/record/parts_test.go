package record_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
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
		read, err := record.ReadJournal(&file)
		if err != nil || !reflect.DeepEqual(read.Width, width) || !reflect.DeepEqual(kept.Width, width) || !read.Options.Adaptive {
			t.Errorf("%v: %+v and %+v of %+v", err, kept.Width, read, width)
		}
	}
}

func TestInterruptionsInSentences(t *testing.T) {
	p := record.Patience{Interrupted: &record.Interruptions{Allowed: 10 * time.Second, Refused: 8, Longest: 2 * time.Second, Lost: 3, Replayed: 2}}
	const want = "8 requests waited for a connection, for 2.0 s at most (--patience 10s).\n" +
		"3 exchanges were lost; their scenarios were repeated, 2 times."
	if got := strings.Join(p.Sentences(), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if p.Hangs() || len(record.Patience{}.Sentences()) != 0 {
		t.Error("something hangs, or is said of nothing")
	}
}

func TestInterruptionsOfShards(t *testing.T) {
	var none *record.Interruptions
	one := &record.Interruptions{Lost: 1, Longest: time.Second, Hanging: []string{"getPet"}}
	if none.Plus(none) != nil || none.Plus(one) != one || one.Plus(nil) != one {
		t.Error("nothing changes what there is")
	}
	both := one.Plus(&record.Interruptions{Lost: 2, Refused: 4, Longest: 3 * time.Second, Hanging: []string{"createPet", "getPet"}})
	if both.Lost != 3 || both.Refused != 4 || both.Longest != 3*time.Second || strings.Join(both.Hanging, " ") != "createPet getPet" || one.Lost != 1 {
		t.Errorf("%+v", both)
	}
}

func TestAnOperationThatHangsIsInTheVerdict(t *testing.T) {
	rec := record.Record{Lost: "getPet hangs: no whole response within 10s (--timeout)", Patience: record.Patience{Interrupted: &record.Interruptions{Hanging: []string{"getPet"}}}}
	res := verdict.Draw(&rec, nil)
	if res.Because != "the target could not be judged completely: "+rec.Lost || res.ExitCode != verdict.ExitUnjudged {
		t.Errorf("%s, exit code %d", res.Because, res.ExitCode)
	}
}

func TestUnjudgedWords(t *testing.T) {
	at := func(line, values int) record.Unjudged {
		return record.Unjudged{Remark: record.Remark{Line: line, Pointer: "/a", Text: "why", Operations: []string{"op"}}, Values: values}
	}
	for _, test := range []struct {
		unjudged []record.Unjudged
		want     string
	}{
		{nil, ""},
		{[]record.Unjudged{at(0, 1)}, "1 value in responses could not be judged, by the contract at /a (why)"},
		{[]record.Unjudged{at(1, 1), at(2, 5), at(3, 1), at(4, 1), at(5, 1)}, "9 values in responses could not be judged, by the contract at line 2 (why); line 1 (why); line 3 (why); 2 more places"},
	} {
		rec := record.Record{Unjudged: test.unjudged}
		if got := rec.UnjudgedWords(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestPlusUnjudged(t *testing.T) {
	a := []record.Unjudged{{Remark: record.Remark{Pointer: "/a", Text: "x", Operations: []string{"one"}}, Values: 2}}
	b := []record.Unjudged{{Remark: record.Remark{Pointer: "/a", Text: "x", Operations: []string{"two"}}, Values: 1}, {Remark: record.Remark{Pointer: "/b", Text: "x"}, Values: 1}}
	all := record.PlusUnjudged(a, b)
	if len(all) != 2 || all[0].Values != 3 || len(all[0].Operations) != 2 || a[0].Values != 2 {
		t.Errorf("%+v of %+v", all, a)
	}
}
