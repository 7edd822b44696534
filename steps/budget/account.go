package budget

import "sync"

// Account is what one scenario draws from a budget: from its share, then from what nobody has reserved.
type Account struct {
	budget *Budget
	share  string

	mu       sync.Mutex
	cutShort bool
}

// Account returns an account that draws from a share; the empty one holds nothing, so that it draws from what is free.
func (b *Budget) Account(share string) *Account { return &Account{budget: b, share: share} }

// Room reports whether n resources more may be created.
func (a *Account) Room(n int) bool { return a.budget.Room(a.share, n) }

// Left is how many resources may still be created; -1 without a limit.
func (a *Account) Left() int { return a.budget.left(a.share) }

// Release ends the reservation of the account's share: what is left of it is free.
func (a *Account) Release() { a.budget.release(a.share) }

// Reserve takes a resource for a request that may create one, and reports whether the request may be sent. One that has to be
// refused takes none: what it creates all the same is counted when it is settled. It is not sent once that has spent the budget.
// Where the budget is divided, nobody knows what has to be refused.
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

// CutShort notes that fewer resources are created than were meant to be.
func (a *Account) CutShort() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cutShort = true
}

// IsCutShort reports whether fewer resources were created than were meant to be.
func (a *Account) IsCutShort() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cutShort
}

// Reservation is what a request that may create a resource took from the budget, if anything. It is used once. Its zero value is of a request
// that creates none.
type Reservation struct {
	budget *Budget
	taken  bool
	share  string
}

// Cancel gives back what was taken for a request that is not sent.
func (r Reservation) Cancel() {
	if r.taken {
		r.budget.giveBack(r.share)
	}
}

// Settle corrects the count once it is known what became of the request. One whose response was lost may have created.
func (r Reservation) Settle(created, lost bool) {
	switch {
	case r.budget == nil:
	case r.taken && !created && !lost:
		r.budget.giveBack(r.share)
	case !r.taken && created && !lost:
		r.budget.add()
	}
}
