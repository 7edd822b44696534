package budget

import (
	"maps"
	"slices"
	"sync"
)

const (
	// DefaultMax is the default maximum number of resources that a run creates. It is well above the 350 or so of a run of the built-in contract
	// without problems, since several scenarios create resources at a time, and lost ones are repeated.
	DefaultMax = 499
	// ForScenarios is how many of these the scenarios may create; the rest is for repetitions.
	ForScenarios = DefaultMax - DefaultMax/forConfirmation
)

// DefaultFor returns the default maximum for a run whose scenarios need that many resources of a correct service: half as many again, plus
// those for repetitions.
func DefaultFor(needed int) int {
	needed += needed / 2
	return max(DefaultMax, needed+needed/(forConfirmation-1))
}

// forConfirmation is the share of the budget reserved for repetitions: one in forConfirmation.
const forConfirmation = 5

// Confirming is the name of the share of repetitions.
const Confirming = "confirm"

// Budget counts the resources that a run creates against its maximum. Shares of it are reserved, so that early scenarios cannot use up what
// later ones need. The zero value has no limit.
type Budget struct {
	mu    sync.Mutex
	limit int // 0 for none
	used  int
	// against is the number of resources created by requests that should have been rejected.
	against int
	// reserved holds the rest of each share.
	reserved map[string]int
	// open holds the number of unfinished scenarios by part. It is nil if scenarios have shares of their own.
	open map[string]int
}

// Reserved returns how many of the resources of a run are reserved for repetitions.
func Reserved(limit int, repeats bool) int {
	if !repeats || limit <= 0 {
		return 0
	}
	return limit / forConfirmation
}

// New reserves a share for repetitions, if there are to be any.
func New(limit int, repeats bool) *Budget {
	b := &Budget{limit: limit, reserved: map[string]int{}}
	if limit <= 0 {
		return b
	}
	if n := Reserved(limit, repeats); n > 0 {
		b.reserved[Confirming] = n
	}
	return b
}

// Part is a part of the budget that several scenarios share.
type Part struct {
	// Needs is approximately how many resources they create, Scenarios their number: when the last has ended, the rest is freed.
	Needs, Scenarios int
}

// forOthers is the part that is not divided if not all parts get what they need: one in forOthers.
const forOthers = 10

// Divide reserves a share for repetitions, if there are to be any, and divides the rest in proportion to what each part needs, so that none
// starves another.
func Divide(limit int, repeats bool, parts map[string]Part) *Budget {
	b := New(limit, repeats)
	if limit <= 0 {
		return b
	}
	b.open = map[string]int{}
	total, most := 0, b.free()
	for _, p := range parts {
		total += p.Needs
	}
	if total > most {
		most -= most / forOthers
	}
	left := most
	for _, share := range slices.Sorted(maps.Keys(parts)) {
		n := parts[share].Needs
		if total > most {
			n = max(n*most/total, min(n, 1))
		}
		n = min(n, left)
		left -= n
		b.reserved[share], b.open[share] = n, parts[share].Scenarios
	}
	return b
}

// free returns the unreserved rest. The caller holds the lock.
func (b *Budget) free() int {
	free := b.limit - b.used
	for _, n := range b.reserved {
		free -= n
	}
	return free
}

// take takes one resource, preferably from the share. It returns the share that it came from, and whether there was one.
func (b *Budget) take(share string) (from string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.limit <= 0:
		share = ""
	case b.reserved[share] > 0:
		b.reserved[share]--
	case b.free() > 0:
		share = ""
	case share != Confirming && b.reserved[Confirming] > Reserved(b.limit, true)/2:
		// Not playing a scenario at all is worse than not repeating one.
		share = Confirming
		b.reserved[share]--
	default:
		return "", false
	}
	b.used++
	return share, true
}

// giveBack returns a resource that was taken and not created.
func (b *Budget) giveBack(share string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used--
	if share != "" {
		b.reserved[share]++
	}
}

// countCreated counts a resource created by a request that should have been rejected.
func (b *Budget) countCreated() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used++
	b.against++
}

// Created returns the number of resources created by requests that should have been rejected.
func (b *Budget) Created() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.against
}

// spent reports whether the service creates resources that it should reject, and none are left for that. Requests that a correct service
// rejects cost nothing until then.
func (b *Budget) spent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit > 0 && b.against > 0 && b.used >= b.limit
}

// Room reports whether a share and the unreserved rest allow n more resources.
func (b *Budget) Room(share string, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return n == 0 || b.limit <= 0 || n <= max(b.free(), 0)+b.reserved[share]
}

// left returns how many resources a share may still create, or -1 without a limit.
func (b *Budget) left(share string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit <= 0 {
		return -1
	}
	return max(b.free(), 0) + b.reserved[share]
}

// release ends the reservation of a share and frees its rest. The share of a part ends with its last scenario.
func (b *Budget) release(share string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[share] > 1 {
		b.open[share]--
		return
	}
	delete(b.reserved, share)
}

// ReleaseAll ends all reservations.
func (b *Budget) ReleaseAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.reserved)
}
