package budget

import (
	"maps"
	"slices"
	"sync"
)

const (
	// DefaultMax is how many animals a run may create when nobody says otherwise: a good deal more than the two hundred
	// or so of a run in which nothing goes wrong, since several scenarios ask for animals at a time, and lost ones are repeated.
	DefaultMax = 299
	// ForScenarios is how many of them its scenarios may create; the rest is for repeating what they found.
	ForScenarios = DefaultMax - DefaultMax/forConfirmation
)

// DefaultFor is how many resources a run may create when nobody says otherwise, and its scenarios need that many of a service that
// refuses what it has to: half as many again, and those of repetitions.
func DefaultFor(needed int) int {
	needed += needed / 2
	return max(DefaultMax, needed+needed/(forConfirmation-1))
}

// forConfirmation is the part of the budget that is reserved for repeating what was found: one in so many animals.
const forConfirmation = 5

// forGenerated bounds what all generated parts together reserve of the rest: one in so many animals.
const forGenerated = 4

// Confirming is the share that repetitions draw from; generated parts draw from shares named by their scenario's id.
const Confirming = "confirm"

// Budget counts the animals that a run creates against the most that it may. Shares of it are reserved, so that what
// comes early cannot use up what comes late. Its zero value has no limit.
type Budget struct {
	mu    sync.Mutex
	limit int // 0 for none
	used  int
	// against counts the animals that were created though their requests should have been refused.
	against int
	// reserved is what is left of each share.
	reserved map[string]int
	// open counts the scenarios of each part that have not ended; nil where scenarios have shares of their own.
	open map[string]int
}

// Reserved is how many of the animals that a run may create are kept for repeating what was found.
func Reserved(limit int, repeats bool) int {
	if !repeats || limit <= 0 {
		return 0
	}
	return limit / forConfirmation
}

// New reserves a share for repetitions if there are to be any, and one for each generated part, by what it needs.
// Where the parts need more than they may have together, each gets less in proportion.
func New(limit int, repeats bool, generated map[string]int) *Budget {
	b := &Budget{limit: limit, reserved: map[string]int{}}
	if limit <= 0 {
		return b
	}
	if n := Reserved(limit, repeats); n > 0 {
		b.reserved[Confirming] = n
	}
	most := (limit - b.reserved[Confirming]) / forGenerated
	needed := 0
	for _, n := range generated {
		needed += n
	}
	for part, n := range generated {
		if needed > most {
			n = n * most / needed
		}
		b.reserved[part] = n
	}
	return b
}

// Part is what several scenarios draw from together.
type Part struct {
	// Needs is about how many they create, Scenarios how many they are: when the last has ended, what is left is free.
	Needs, Scenarios int
}

// forOthers is the part that is not divided where not all parts get what they need: one in so many.
const forOthers = 10

// Divide reserves a share for repetitions if there are to be any, and shares of the rest in proportion to what each part needs, so
// that none starves another.
func Divide(limit int, repeats bool, parts map[string]Part) *Budget {
	b := New(limit, repeats, nil)
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

// free is what nobody has reserved. The lock is held.
func (b *Budget) free() int {
	free := b.limit - b.used
	for _, n := range b.reserved {
		free -= n
	}
	return free
}

// take takes one animal, from the share if it has any left, and reports which share it came from and whether there was one.
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
		// A scenario that is not played at all is worse than one that is not repeated.
		share = Confirming
		b.reserved[share]--
	default:
		return "", false
	}
	b.used++
	return share, true
}

// giveBack returns an animal that was taken and not created.
func (b *Budget) giveBack(share string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used--
	if share != "" {
		b.reserved[share]++
	}
}

// add counts an animal that was created although its request should have been refused.
func (b *Budget) add() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used++
	b.against++
}

// Created is how many animals were created though their requests should have been refused.
func (b *Budget) Created() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.against
}

// spent reports whether the service creates what it should refuse, and nothing is left for that: requests that a sound service
// refuses cost nothing until then.
func (b *Budget) spent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit > 0 && b.against > 0 && b.used >= b.limit
}

// Room reports whether a share and what nobody has reserved have room for n animals more.
func (b *Budget) Room(share string, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return n == 0 || b.limit <= 0 || n <= max(b.free(), 0)+b.reserved[share]
}

// left is how many animals a share may still create; -1 without a limit.
func (b *Budget) left(share string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit <= 0 {
		return -1
	}
	return max(b.free(), 0) + b.reserved[share]
}

// release ends the reservation of a share: what is left of it is free. That of a part ends with its last scenario.
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
