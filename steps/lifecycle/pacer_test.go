package lifecycle

import (
	"context"
	"errors"
	"testing"
	"time"
)

// How often a read is repeated depends on the patience alone, however long the responses take.
func TestPacer(t *testing.T) {
	for _, c := range []struct {
		patience time.Duration
		want     int
	}{{0, 0}, {time.Millisecond, 1}, {50 * time.Millisecond, 2}, {60 * time.Millisecond, 2}, {61 * time.Millisecond, 3}} {
		next, repeated := newPacer(c.patience), 0
		for {
			<-time.After(c.patience) // a response that takes as long as the patience
			more, err := next.wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
			repeated++
		}
		if repeated != c.want {
			t.Errorf("with a patience of %v a read is repeated %d times, want %d", c.patience, repeated, c.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if more, err := newPacer(time.Second).wait(ended); more || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context wait returns %v, %v", more, err)
	}
}
