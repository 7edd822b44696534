package prove

import (
	"testing"

	"github.com/hallmark-kit/hallmark/tests/skip"
)

// sampled leaves out two of three cases under the race detector and eight of nine under -short: each is several runs of the
// whole suite. "make test FULL=1" tests all of them without the detector.
func sampled(t *testing.T, i int) {
	t.Helper()
	if skip.RaceDetector && i%3 != 0 || testing.Short() && i%9 != 0 {
		t.Skip("only a sample of the cases is judged")
	}
}

// skipWholeRuns leaves out a test of many whole runs, as sampled does.
func skipWholeRuns(t *testing.T) {
	t.Helper()
	if testing.Short() || skip.RaceDetector {
		t.Skip("make test FULL=1 judges these, without the race detector")
	}
}
