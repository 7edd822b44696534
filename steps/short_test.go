package steps

import "testing"

// Sampled leaves out all but every nth case of a heavy table under -short, which is how "make test" runs; "make test FULL=1",
// and so CI, tests them all.
func Sampled(t *testing.T, i, nth int) {
	t.Helper()
	if testing.Short() && i%nth != 0 {
		t.Skip("-short: only a sample of this table is tested")
	}
}
