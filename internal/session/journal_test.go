package session_test

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// Runs that begin within a second have journals of their own, in the order in which they began.
func TestJournalsWithinASecond(t *testing.T) {
	folder := t.TempDir()
	env := &cli.Env{Lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, Stderr: io.Discard}
	begun := time.Now()
	var want []string
	for i := range session.KeptJournals {
		j, err := session.OpenJournal(env, "", 0, begun.Add(time.Duration(i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		want = append(want, filepath.Base(j.Path))
	}
	got := session.Journals(filepath.Join(folder, "hallmark"))
	if len(got) != len(want) {
		t.Fatalf("%d journals, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("journal %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// Old journals are removed, but never the last ones, and never a file that was given by name.
func TestOldJournalsGo(t *testing.T) {
	folder, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.journal")
	env := &cli.Env{Lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, Stderr: io.Discard}
	begun := time.Now().Add(-2 * session.KeptFor)
	for i := range session.KeptJournals + 5 {
		named := ""
		if i == 0 {
			named = elsewhere
		}
		j, err := session.OpenJournal(env, named, 0, begun.Add(time.Duration(i)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		_ = j.Close()
		if err := os.Chtimes(j.Path, begun, begun); err != nil {
			t.Fatal(err)
		}
	}
	state := filepath.Join(folder, "hallmark")
	session.RemoveOldJournals(state, 0, time.Now().Add(2*session.KeptFor))
	if got := len(session.Journals(state)); got != session.KeptJournals {
		t.Errorf("%d journals are left, want %d", got, session.KeptJournals)
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error("a journal that was named has gone")
	}
}

// If the journals take too much space, the oldest are removed when a run begins, however young and few they are,
// except those that a run is still writing, and files that were given by name.
func TestJournalsAreBoundedInSize(t *testing.T) {
	folder, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.journal")
	env := &cli.Env{Lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, Stderr: io.Discard}
	begun := time.Now()
	const each, space = 10_000, 45_000
	var made []*session.Journal
	for i := range 8 {
		named := ""
		if i == 1 {
			named = elsewhere
		}
		j, err := session.OpenJournal(env, named, 0, begun.Add(time.Duration(i)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(j.Path, each); err != nil {
			t.Fatal(err)
		}
		if i != 2 { // that run goes on
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
		made = append(made, j)
	}
	defer func() { _ = made[2].Close() }()
	last, err := session.OpenJournal(env, "", space, begun.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = last.Close() }()
	var left []int
	for i, j := range made {
		if _, err := os.Stat(j.Path); err == nil {
			left = append(left, i)
		}
	}
	// Three of them fit into three quarters of the space.
	if want := []int{1, 2, 6, 7}; !slices.Equal(left, want) {
		t.Errorf("the journals %v are left, want %v", left, want)
	}
	if _, err := os.Stat(last.Path); err != nil {
		t.Error("the journal of the run that begins is gone")
	}
}

// doctor repeats what the last run learned, if that was a run by the same contract at the same address.
func TestLastRun(t *testing.T) {
	folder := t.TempDir()
	env := &cli.Env{Lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, Stderr: io.Discard}
	if got := session.LastRun(env, "sha256:a", ""); got != nil {
		t.Errorf("without a run: %v", got)
	}
	j, err := session.OpenJournal(env, "", 0, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	r := record.NewRecorder(record.Record{Suite: record.Suite{Contract: "sha256:a"}, Target: record.Target{BaseURL: "http://a.test"}})
	r.Keep(j.Lines)
	bodies := []record.BodySearch{{Operation: "a", Named: []string{"/x"}}}
	r.Finish(record.Ending{Complete: true, Bodies: bodies, Suggestions: []record.Suggestion{{Operation: "a", Key: "a./x", Example: "1"}}})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		contract, address string
		want              []record.BodySearch
	}{
		{"sha256:a", "", bodies}, {"sha256:a", "http://a.test", bodies}, {"sha256:a", "http://b.test", nil}, {"sha256:b", "", nil},
	} {
		got := record.Record{}
		if last := session.LastRun(env, test.contract, test.address); last != nil {
			got = *last
		}
		if !reflect.DeepEqual(got.Bodies, test.want) || (got.Suggestions == nil) != (test.want == nil) {
			t.Errorf("%s at %q: got %+v, want %+v", test.contract, test.address, got, test.want)
		}
	}
}
