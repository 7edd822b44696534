package client

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"hallmark/spec"
)

const (
	// StartWidth is how many requests are under way at first where the run finds the number itself.
	StartWidth = 8
	// MostWidth is how many are under way at most then.
	MostWidth = 64
	// growth is by what factor the width grows.
	growth = 1.5
	// tolerated is by what factor responses may take longer than at first before it grows no more.
	tolerated = 1.3
	// leastWindow is from how many responses on is decided, and never from fewer than are under way at a time.
	leastWindow = 16
	// known is how many responses of an operation tell how long it takes.
	known = 3
	// calm is how many windows without a complaint let the width grow beyond where it was taken back; twice as many the next time.
	calm = 4
)

// sample is what one request tells of how the target bears the load.
type sample struct {
	operation string
	took      time.Duration
	// strain is the answer of a target that is asked too much ("429"), or that none came; empty for any other.
	strain string
	// change counts the changes of the width before the request was sent.
	change int
	// full reports whether as many requests were under way as might be: else it tells nothing of the width.
	full bool
}

// control finds out how many requests at a time a target bears. It decides by what it is told alone, and knows no clock. The width grows
// by half while responses take as long as they did at first, is halved when the target answers 429, 502, 503 or 504 or loses a connection,
// and goes back by a step when responses take longer.
type control struct {
	width, widest int
	// ceiling is where the target complained last: beyond it grows only what has been calm for some windows.
	ceiling, calm, rest int
	// changes counts the changes of the width, and taken those before the last one that took it back.
	changes, taken int
	why            string
	usual          map[string]*usual
	// ratios are how much longer than usual the responses of this window took, seen counts them with those of unknown operations.
	ratios []float64
	seen   int
}

// usual is how long an operation takes.
type usual struct {
	first []time.Duration
	// typical is the median of the first, 0 before it is known; answered reports whether it answered without strain.
	typical  time.Duration
	answered bool
}

func newControl() *control {
	return &control{width: StartWidth, widest: StartWidth, ceiling: MostWidth, rest: calm, usual: map[string]*usual{}}
}

// observe takes one sample, and changes the width where it is the last of a window or tells of strain.
func (c *control) observe(s sample) {
	u := c.usual[s.operation]
	if u == nil {
		u = &usual{}
		c.usual[s.operation] = u
	}
	if s.strain != "" {
		// An operation that never answered otherwise says nothing of the load; one that speaks of too many requests does.
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

// learn takes one of the first responses of an operation.
func (u *usual) learn(took time.Duration) {
	if u.first = append(u.first, took); len(u.first) == known {
		slices.Sort(u.first)
		u.typical = max(u.first[known/2], 1)
	}
}

// grow lets more be under way after a window without complaint, up to where there was one.
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

// takeBack makes the width smaller, for a reason.
func (c *control) takeBack(width, ceiling int, why string) {
	c.width, c.ceiling, c.calm, c.why = width, ceiling, 0, why
	c.ratios, c.seen = c.ratios[:0], 0
	c.changes++
	c.taken = c.changes
}

// median returns the median of some numbers, 0 of none.
func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// tooMany is the strain of a target that says itself that it is asked too much.
const tooMany = "the target answered 429"

// strainOf says what of an exchange tells that the target is asked too much; empty for nothing.
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
