package budget

import "sync"

// DefaultOfAKind is the default maximum number of users, tokens, messages or payments that a run creates of each kind.
const DefaultOfAKind = 3

// Kinds counts what a run creates by kind. It is safe for concurrent use.
type Kinds struct {
	// limit is the maximum for each limited kind.
	limit int

	mu    sync.Mutex
	kinds map[string]*kind
}

// kind is what is known about one kind.
type kind struct {
	used int
	// against is the number of resources created by requests that should have been rejected.
	against int
	// needed is the number reserved for resources that other requests refer to.
	needed int
	// stopped says why no more are created, or is empty.
	stopped string
}

// Need says why a request creates a resource.
type Need int

// The needs.
const (
	// ForItself is a creation that is itself examined.
	ForItself Need = iota
	// ForOthers is the creation of a resource that other requests refer to.
	ForOthers
	// ToBeRefused is a creation that a correct service rejects.
	ToBeRefused
)

// NewKinds returns a count of kinds. limit is the maximum for each limited kind; needed is the number reserved for other requests, by kind.
func NewKinds(limit int, needed map[string]int) *Kinds {
	k := &Kinds{limit: limit, kinds: map[string]*kind{}}
	for name, n := range needed {
		k.kind(name).needed = min(n, limit)
	}
	return k
}

// kind returns a kind. The caller holds the lock.
func (k *Kinds) kind(name string) *kind {
	if k.kinds[name] == nil {
		k.kinds[name] = &kind{}
	}
	return k.kinds[name]
}

// Stop ends the creation of a kind, for a reason.
func (k *Kinds) Stop(name, reason string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if one := k.kind(name); one.stopped == "" {
		one.stopped = reason
	}
}

// OfKind is what a request took of a kind, if anything. It is settled once. The zero value belongs to a request that creates nothing.
type OfKind struct {
	kinds *Kinds
	name  string
	need  Need
	taken bool
}

// Reserve takes one of a kind for a request that may create it. ok is false if none is left or the kind was stopped; then reason says why.
func (k *Kinds) Reserve(name string, limited bool, need Need) (took OfKind, reason string, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	one := k.kind(name)
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

// Settle corrects the count once it is known whether the request created a resource, or may have.
func (o OfKind) Settle(created bool) {
	if o.kinds == nil {
		return
	}
	o.kinds.mu.Lock()
	defer o.kinds.mu.Unlock()
	one := o.kinds.kind(o.name)
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
