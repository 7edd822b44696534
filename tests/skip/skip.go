package skip

import (
	"hash/fnv"
	"testing"
)

// Sampled skips all but every nth case of an expensive table under -short, as used by "make test". "make test FULL=1", and so CI, runs them
// all.
func Sampled(t *testing.T, i, nth int) {
	t.Helper()
	if testing.Short() && i%nth != 0 {
		t.Skip("-short: only a sample of this table is tested")
	}
}

// SampledByName is Sampled for a table without an order: about one of nth cases is run, always the same ones.
func SampledByName(t *testing.T, nth uint32) {
	t.Helper()
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.Name()))
	Sampled(t, int(h.Sum32()%nth), int(nth))
}

// UnderRace skips tests that "make test" runs without the race detector: those that judge services repeatedly would take minutes under it,
// and memory measurements are meaningless there.
func UnderRace(t *testing.T) {
	t.Helper()
	if RaceDetector {
		t.Skip("this is tested without the race detector")
	}
}

// InShort skips, under -short, tests that largely repeat another test.
func InShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test FULL=1 tests this")
	}
}
