package client

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// StartWidth is the initial number of concurrent requests if the run determines it itself.
	StartWidth = 8
	// MostWidth is their maximum number in that case.
	MostWidth = 64
	// growth is the factor by which the width grows.
	growth = 1.5
	// tolerated is the factor by which response times may exceed the initial ones before the width stops growing.
	tolerated = 1.3
	// leastWindow is the minimum number of responses for a decision, which also takes at least as many as are
	// concurrent.
	leastWindow = 16
	// known is how many responses of an operation determine its usual time.
	known = 3
	// calm is how many windows without complaint let the width grow beyond the one that was taken back; twice as many
	// the next time.
	calm = 4
)

// sample is what one request shows about the load of the target.
type sample struct {
	operation string
	took      time.Duration
	// strain is a sign of overload ("429"), or that there was no response; empty otherwise.
	strain string
	// change is the number of width changes before the request was sent.
	change int
	// full reports whether the maximum number of requests were in flight: otherwise the sample says nothing about the
	// width.
	full bool
}

// control determines how many concurrent requests a target bears. It decides by its samples alone, and does not
// use a clock. The width grows by half while responses take as long as initially, is halved when the target
// answers 429, 502, 503 or 504 or loses a connection, and goes back one step when responses take longer.
type control struct {
	width, widest int
	// ceiling is where the target last complained: the width grows beyond it only after some calm windows.
	ceiling, calm, rest int
	// changes counts the changes of the width, and taken those before the last reduction.
	changes, taken int
	why            string
	usual          map[string]*usual
	// ratios holds how much longer than usual the responses of this window took; seen counts them and those of
	// unknown operations.
	ratios []float64
	seen   int
}

// usual is how long an operation takes.
type usual struct {
	first []time.Duration
	// typical is the median of the first times, or 0 before it is known; answered reports whether it has answered
	// without strain.
	typical  time.Duration
	answered bool
}

func newControl() *control {
	return &control{width: StartWidth, widest: StartWidth, ceiling: MostWidth, rest: calm, usual: map[string]*usual{}}
}

// observe adds a sample, and changes the width at the end of a window or on strain.
func (c *control) observe(s sample) {
	u := c.usual[s.operation]
	if u == nil {
		u = &usual{}
		c.usual[s.operation] = u
	}
	if s.strain != "" {
		// An operation that has never answered otherwise says nothing about the load; a 429 does.
		if (u.answered || s.strain == tooMany) && s.change >= c.taken {
			c.takeBack(max(c.width/2, 1), max(c.width*3/4, 1), fmt.Sprintf("with %d at a time %s", c.width, s.strain))
		}
		return
	}
	u.answered = true
	typical := u.typical
	if typical == 0 {
		u.learn(s.took)
	}
	if s.change != c.changes || !s.full {
		return
	}
	c.seen++
	if typical > 0 {
		c.ratios = append(c.ratios, float64(s.took)/float64(typical))
	}
	enough := max(leastWindow, c.width)
	first := c.width <= StartWidth // nothing is compared with itself
	switch {
	case c.seen < enough, !first && len(c.ratios) < enough/2:
	case !first && median(c.ratios) > tolerated:
		back := max(int(float64(c.width)/growth), StartWidth)
		c.takeBack(back, back, fmt.Sprintf("with %d at a time responses took %.1f times as long as at first", c.width, median(c.ratios)))
	default:
		c.grow()
	}
}

// learn adds one of the first response times of an operation.
func (u *usual) learn(took time.Duration) {
	if u.first = append(u.first, took); len(u.first) == known {
		slices.Sort(u.first)
		u.typical = max(u.first[known/2], 1)
	}
}

// grow increases the width after a window without complaint, up to the ceiling.
func (c *control) grow() {
	c.ratios, c.seen = c.ratios[:0], 0
	if c.width >= c.ceiling {
		if c.calm++; c.calm < c.rest || c.ceiling >= MostWidth {
			return
		}
		c.ceiling, c.calm, c.rest = min(int(float64(c.ceiling)*growth)+1, MostWidth), 0, 2*c.rest
	}
	c.width = min(max(int(float64(c.width)*growth), c.width+1), c.ceiling)
	c.widest = max(c.widest, c.width)
	c.changes++
}

// takeBack reduces the width, with a reason.
func (c *control) takeBack(width, ceiling int, why string) {
	c.width, c.ceiling, c.calm, c.why = width, ceiling, 0, why
	c.ratios, c.seen = c.ratios[:0], 0
	c.changes++
	c.taken = c.changes
}

// median returns the median of some numbers, or 0 if there are none.
func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// tooMany is the strain of a target that says that it gets too many requests.
const tooMany = "the target answered 429"

// strainOf returns the sign of overload in an exchange, or "".
func strainOf(ex *spec.Exchange) string {
	switch {
	case ex.Lost != "" && ex.Malformed == "":
		return "a response was lost"
	case ex.Response == nil:
		return ""
	case ex.Response.Status == http.StatusTooManyRequests:
		return tooMany
	case ex.Response.FromGateway():
		return "the target answered " + strconv.Itoa(ex.Response.Status)
	}
	return ""
}
