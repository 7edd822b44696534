package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Runs that begin within a second have journals of their own, in the order in which they began.
func TestJournalsWithinASecond(t *testing.T) {
	folder := t.TempDir()
	a := &app{lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, stderr: io.Discard}
	begun := time.Now()
	var want []string
	for i := range keptJournals {
		j, err := a.openJournal("", begun.Add(time.Duration(i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		want = append(want, filepath.Base(j.path))
	}
	got := journals(filepath.Join(folder, "hallmark"))
	if len(got) != len(want) {
		t.Fatalf("%d journals, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("journal %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// Old journals go, but never the last ones, and never a file that somebody named.
func TestOldJournalsGo(t *testing.T) {
	folder, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.journal")
	a := &app{lookup: func(name string) (string, bool) { return folder, name == "XDG_STATE_HOME" }, stderr: io.Discard}
	begun := time.Now().Add(-2 * keptFor)
	for i := range keptJournals + 5 {
		named := ""
		if i == 0 {
			named = elsewhere
		}
		j, err := a.openJournal(named, begun.Add(time.Duration(i)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		_ = j.close()
		if err := os.Chtimes(j.path, begun, begun); err != nil {
			t.Fatal(err)
		}
	}
	state := filepath.Join(folder, "hallmark")
	removeOldJournals(state, time.Now().Add(2*keptFor))
	if got := len(journals(state)); got != keptJournals {
		t.Errorf("%d journals are left, want %d", got, keptJournals)
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error("a journal that was named has gone")
	}
}
