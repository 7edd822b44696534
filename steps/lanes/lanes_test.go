package lanes_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/steps/lanes"
)

// Each thing is done once, neighbours in their order, and no more at a time than there are lanes.
func TestDo(t *testing.T) {
	for _, test := range []struct{ concurrency, n, width int }{
		{0, 5, 1}, {1, 5, 1}, {2, 5, 2}, {4, 40, 4}, {64, 40, lanes.Most}, {8, 3, 3}, {8, 1, 1}, {8, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var done []int
			now, widest := 0, 0
			err := lanes.New(test.concurrency).Do(test.n, func(i int) error {
				mu.Lock()
				now++
				widest = max(widest, now)
				mu.Unlock()
				<-time.After(time.Second)
				mu.Lock()
				defer mu.Unlock()
				now--
				done = append(done, i)
				return nil
			})
			if err != nil || widest != test.width {
				t.Errorf("%+v: %v, and %d at a time", test, err, widest)
			}
			if test.width == 1 && !slices.IsSorted(done) {
				t.Errorf("%+v: they were done in the order %v", test, done)
			}
			slices.Sort(done)
			for i := range test.n {
				if i >= len(done) || done[i] != i {
					t.Fatalf("%+v: done were %v", test, done)
				}
			}
		})
	}
}

func TestALaneEndsAtItsError(t *testing.T) {
	wrong := errors.New("wrong")
	var mu sync.Mutex
	done := map[int]bool{}
	err := lanes.New(3).Do(9, func(i int) error {
		mu.Lock()
		defer mu.Unlock()
		done[i] = true
		if i == 3 {
			return wrong
		}
		return nil
	})
	if !errors.Is(err, wrong) || done[4] || done[5] || len(done) != 7 {
		t.Errorf("%v, done were %v", err, done)
	}
}
