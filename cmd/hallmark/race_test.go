package main

import "testing"

// sampled leaves out all but every nth case of a heavy table under -short, which is how "make test" runs; "make test FULL=1",
// and so CI, judges them all.
func sampled(t *testing.T, i, nth int) {
	t.Helper()
	if testing.Short() && i%nth != 0 {
		t.Skip("-short: only a sample of this table is tested")
	}
}

// skipUnderRace leaves out what "make test" asks without the race detector: what judges services over and over would take
// minutes under it, and memory means nothing there.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("this is tested without the race detector")
	}
}

// skipInShort leaves out under -short what tests the same as another test that is kept.
func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test FULL=1 tests this")
	}
}
