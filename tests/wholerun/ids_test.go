package wholerun_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// What people and programs remember of a defect is its id, so it must not depend on the values that a run happens to send.
func TestADefectHasTheSameIDUnderAnotherSeed(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for _, fault := range []string{"limit-one-more", "create-not-stored"} {
		ids := map[int64]string{}
		for _, seed := range []int64{7, 8} {
			_, res := k.Run(t, serving(t, brokenService(t, fault)), referenceKey, func(c *steps.Config) { c.Seed = seed })
			if len(res.Causes) == 0 {
				t.Fatalf("%s was not found with seed %d", fault, seed)
			}
			ids[seed] = res.Causes[0].ID
		}
		if ids[7] != ids[8] || ids[7] == "" {
			t.Errorf("%s has the ids %v", fault, ids)
		}
	}
}
