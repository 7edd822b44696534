package main

import "testing"

// skipUnderRace leaves out what "make test" asks without the race detector: what judges services over and over would take
// minutes under it, and memory means nothing there.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("this is tested without the race detector")
	}
}
