package client

import (
	"slices"
	"testing"
	"time"
)

// follower records the widths of a control.
type follower struct {
	*control
	widths []int
}

// observe passes a sample to the control.
func (f *follower) observe(s sample) {
	f.control.observe(s)
	if f.widths[len(f.widths)-1] != f.width {
		f.widths = append(f.widths, f.width)
	}
}

// told adds n samples that were sent under the present width.
func told(f *follower, n int, s sample) {
	for range n {
		s.change, s.full = f.changes, true
		f.observe(s)
	}
}

func TestControl(t *testing.T) {
	const usual = 20 * time.Millisecond
	fine, slow := sample{operation: "a", took: usual}, sample{operation: "a", took: 2 * usual}
	for _, test := range []struct {
		name   string
		tell   func(*follower)
		widths []int // the initial one, and each after a change
		why    string
	}{
		{"nothing was told", func(*follower) {}, []int{8}, ""},
		{"latency holds", func(c *follower) { told(c, 1000, fine) }, []int{8, 12, 18, 27, 40, 60, 64}, ""},
		{"a little slower is no matter", func(c *follower) {
			told(c, 16, fine)
			told(c, 16, sample{operation: "a", took: 25 * time.Millisecond})
		}, []int{8, 12, 18}, ""},
		{"latency rises", func(c *follower) { told(c, 32, fine); told(c, 18, slow) }, []int{8, 12, 18, 12}, "with 18 at a time responses took 2.0 times as long as at first"},
		{"an operation that always takes longer", func(c *follower) {
			told(c, 3, sample{operation: "b", took: 50 * usual})
			told(c, 29, fine)
			told(c, 18, sample{operation: "b", took: 50 * usual})
		}, []int{8, 12, 18, 27}, ""},
		{"what was not full tells nothing", func(c *follower) {
			for range 1000 {
				c.observe(fine)
			}
		}, []int{8}, ""},
		{"what was sent before the last change tells nothing", func(c *follower) {
			told(c, 16, fine)
			for range 1000 {
				c.observe(sample{operation: "a", took: usual, full: true})
			}
		}, []int{8, 12}, ""},
		{"429", func(c *follower) { told(c, 32, fine); told(c, 1, sample{operation: "a", strain: tooMany}) }, []int{8, 12, 18, 9}, "with 18 at a time the target answered 429"},
		{"429 at once, without an answer before", func(c *follower) { told(c, 3, sample{operation: "a", strain: tooMany}) }, []int{8, 4, 2, 1}, "with 2 at a time the target answered 429"},
		{"several that were under way count once", func(c *follower) {
			at := c.changes
			for range 8 {
				c.observe(sample{operation: "a", strain: tooMany, change: at})
			}
		}, []int{8, 4}, "with 8 at a time the target answered 429"},
		{"a lost response of an operation that answers", func(c *follower) {
			told(c, 1, fine)
			told(c, 1, sample{operation: "a", strain: "a response was lost"})
		}, []int{8, 4}, "with 8 at a time a response was lost"},
		{"503 of an operation that never answers otherwise", func(c *follower) {
			told(c, 100, sample{operation: "b", strain: "the target answered 503"})
		}, []int{8}, ""},
		{"calm lets it grow again, up to where it was", func(c *follower) {
			told(c, 16, fine)
			told(c, 1, sample{operation: "a", strain: tooMany})
			told(c, 48, fine)
		}, []int{8, 12, 6, 9}, "with 12 at a time the target answered 429"},
		{"long calm lets it grow beyond", func(c *follower) {
			told(c, 16, fine)
			told(c, 1, sample{operation: "a", strain: tooMany})
			told(c, 16*(calm+1), fine)
		}, []int{8, 12, 6, 9, 13}, "with 12 at a time the target answered 429"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &follower{newControl(), []int{StartWidth}}
			test.tell(c)
			if !slices.Equal(c.widths, test.widths) || c.why != test.why {
				t.Errorf("widths %v because %q; want %v because %q", c.widths, c.why, test.widths, test.why)
			}
			if c.widest != slices.Max(test.widths) {
				t.Errorf("the widest is %d", c.widest)
			}
		})
	}
}
