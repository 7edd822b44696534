package lanes_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hallmark/steps/lanes"
)

// Each thing is done once, neighbours in their order, and no more at a time than there are lanes.
func TestDo(t *testing.T) {
	for _, test := range []struct{ concurrency, n, width int }{
		{0, 5, 1}, {1, 5, 1}, {2, 5, 3}, {4, 40, 7}, {8, 40, lanes.Most}, {8, 3, 3}, {8, 1, 1}, {8, 0, 0},
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

// What one caller holds another one cannot have, and gets when the first is done.
func TestLanesAreShared(t *testing.T) {
	l := lanes.New(2)
	width := func() int {
		var mu sync.Mutex
		now, widest := 0, 0
		synctest.Test(t, func(t *testing.T) {
			_ = l.Do(2, func(int) error {
				mu.Lock()
				now++
				widest = max(widest, now)
				mu.Unlock()
				<-time.After(time.Second)
				mu.Lock()
				defer mu.Unlock()
				now--
				return nil
			})
		})
		return widest
	}
	inner, done := 0, make(chan struct{})
	_ = l.Do(3, func(i int) error {
		if i == 0 {
			inner = width()
			close(done)
		}
		<-done
		return nil
	})
	if inner != 1 {
		t.Errorf("%d at a time while no lane is free", inner)
	}
	if after := width(); after != 2 {
		t.Errorf("%d at a time when all are free again", after)
	}
}

func TestALaneEndsAtItsError(t *testing.T) {
	wrong := errors.New("wrong")
	var mu sync.Mutex
	done := map[int]bool{}
	err := lanes.New(2).Do(9, func(i int) error {
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
