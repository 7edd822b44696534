package budget

import "sync"

// Account is what one scenario draws from a budget: first from its share, then from the unreserved rest.
type Account struct {
	budget *Budget
	share  string

	mu       sync.Mutex
	cutShort bool
}

// Account returns an account that draws from a share. The share "" is empty, so its account draws only from the unreserved rest.
func (b *Budget) Account(share string) *Account { return &Account{budget: b, share: share} }

// Room reports whether n more resources may be created.
func (a *Account) Room(n int) bool { return a.budget.Room(a.share, n) }

// Left returns how many resources may still be created, or -1 without a limit.
func (a *Account) Left() int { return a.budget.left(a.share) }

// Release ends the reservation of the account's share and frees its rest.
func (a *Account) Release() { a.budget.release(a.share) }

// Reserve takes a resource from the budget for a request that may create one, and reports whether the request may be sent. A request that
// must be rejected takes none: if it creates a resource nevertheless, Settle counts it, and it is no longer sent once such creations have
// used up the budget. If the budget is divided, it is not known which requests must be rejected.
func (a *Account) Reserve(refused bool) (Reservation, bool) {
	if refused && a.budget.open == nil {
		if !a.budget.spent() {
			return Reservation{budget: a.budget}, true
		}
	} else if share, ok := a.budget.take(a.share); ok {
		return Reservation{budget: a.budget, taken: true, share: share}, true
	}
	a.CutShort()
	return Reservation{}, false
}

// CutShort records that fewer resources are created than intended.
func (a *Account) CutShort() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cutShort = true
}

// IsCutShort reports whether fewer resources were created than intended.
func (a *Account) IsCutShort() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cutShort
}

// Reservation is what a request took from the budget, if anything. It is used once. The zero value belongs to a request that creates
// nothing.
type Reservation struct {
	budget *Budget
	taken  bool
	share  string
}

// Cancel returns what was taken for a request that is not sent.
func (r Reservation) Cancel() {
	if r.taken {
		r.budget.giveBack(r.share)
	}
}

// Settle corrects the count once the outcome of the request is known. A request whose response was lost may have created a resource.
func (r Reservation) Settle(created, lost bool) {
	switch {
	case r.budget == nil:
	case r.taken && !created && !lost:
		r.budget.giveBack(r.share)
	case !r.taken && created && !lost:
		r.budget.countCreated()
	}
}
