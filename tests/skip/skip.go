package skip

import (
	"hash/fnv"
	"testing"
)

// Sampled leaves out all but every nth case of a heavy table under -short, which is how "make test" runs; "make test FULL=1",
// and so CI, judges them all.
func Sampled(t *testing.T, i, nth int) {
	t.Helper()
	if testing.Short() && i%nth != 0 {
		t.Skip("-short: only a sample of this table is tested")
	}
}

// SampledByName is Sampled for a table without an order: about one of nth cases is tested, always the same ones.
func SampledByName(t *testing.T, nth uint32) {
	t.Helper()
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.Name()))
	Sampled(t, int(h.Sum32()%nth), int(nth))
}

// UnderRace leaves out what "make test" asks without the race detector: what judges services over and over would take
// minutes under it, and memory means nothing there.
func UnderRace(t *testing.T) {
	t.Helper()
	if RaceDetector {
		t.Skip("this is tested without the race detector")
	}
}

// InShort leaves out under -short what tests the same as another test that is kept.
func InShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test FULL=1 tests this")
	}
}
