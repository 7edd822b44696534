package scenario

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// The part of a ledger about exchanges.

// AddExchange adds an exchange.
func (l *Ledger) AddExchange(ex *spec.Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges = append(l.exchanges, ex)
}

// Exchanges returns the exchanges so far.
func (l *Ledger) Exchanges() []*spec.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.exchanges)
}

// Latest returns the last exchange, or nil before the first.
func (l *Ledger) Latest() *spec.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.exchanges) == 0 {
		return nil
	}
	return l.exchanges[len(l.exchanges)-1]
}

// Lighten drops most of a long response once it is judged. Reports may show the rest.
func (l *Ledger) Lighten(ex *spec.Exchange) {
	taken := l.keeper.lighten(ex.Response)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bodies += taken
}

// LetGo returns the memory reserved for the bodies of the exchanges.
func (l *Ledger) LetGo() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keeper.open.Add(-l.bodies)
	l.bodies = 0
}
