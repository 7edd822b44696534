package budget

import "sync"

// DefaultOfAKind is how many users, tokens, messages or payments a run creates of each kind when nobody says otherwise.
const DefaultOfAKind = 3

// Kinds counts what a run creates by its kind. Its methods are safe for concurrent use.
type Kinds struct {
	// limit bounds the kinds that count one by one.
	limit int

	mu    sync.Mutex
	kinds map[string]*kind
}

// kind is what is known of one kind.
type kind struct {
	used int
	// against counts those that were created though their requests should have been refused.
	against int
	// needed is how many are kept for what other requests name.
	needed int
	// stopped is why no more are created; empty while that is done.
	stopped string
}

// Need says what a request that may create is for.
type Need int

// The needs.
const (
	// ForItself is a creation that is looked at for its own sake.
	ForItself Need = iota
	// ForOthers is one of what other requests name.
	ForOthers
	// ToBeRefused is one that creates nothing where the service keeps the interface.
	ToBeRefused
)

// NewKinds returns a count of kinds, of which those that are limited may have so many; needed is how many of each are kept for what
// requests name.
func NewKinds(limit int, needed map[string]int) *Kinds {
	k := &Kinds{limit: limit, kinds: map[string]*kind{}}
	for name, n := range needed {
		k.of(name).needed = min(n, limit)
	}
	return k
}

// of returns a kind. The lock is held.
func (k *Kinds) of(name string) *kind {
	if k.kinds[name] == nil {
		k.kinds[name] = &kind{}
	}
	return k.kinds[name]
}

// Stop ends the creating of a kind, for a reason.
func (k *Kinds) Stop(name, reason string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if one := k.of(name); one.stopped == "" {
		one.stopped = reason
	}
}

// OfKind is what a request took of a kind, if anything. It is settled once. Its zero value is of a request that creates nothing.
type OfKind struct {
	kinds *Kinds
	name  string
	need  Need
	taken bool
}

// Reserve takes one of a kind for a request that may create it. It is false where none is left, or the kind was stopped; reason is why it
// was.
func (k *Kinds) Reserve(name string, limited bool, need Need) (took OfKind, reason string, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	one := k.of(name)
	if need == ToBeRefused && one.against == 0 {
		return OfKind{kinds: k, name: name, need: need}, "", true
	}
	if one.stopped != "" {
		return OfKind{}, one.stopped, false
	}
	left := k.limit - one.used
	if need == ForItself {
		left -= one.needed
	}
	if limited && left <= 0 {
		return OfKind{}, "", false
	}
	one.used++
	if need == ForOthers && one.needed > 0 {
		one.needed--
	}
	return OfKind{kinds: k, name: name, need: need, taken: true}, "", true
}

// Settle corrects the count once it is known whether the request created, or may have.
func (o OfKind) Settle(created bool) {
	if o.kinds == nil {
		return
	}
	o.kinds.mu.Lock()
	defer o.kinds.mu.Unlock()
	one := o.kinds.of(o.name)
	switch {
	case o.taken && !created:
		one.used--
		if o.need == ForOthers {
			one.needed++
		}
	case !o.taken && created:
		one.used++
		one.against++
	}
}
