package scenario

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/check"
)

// The part of a ledger about exchanges: which there were, how findings describe them, and where the identifiers in
// them came from.

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

// Story returns one line for each exchange that a finding cites.
func (l *Ledger) Story(head string, f spec.Finding) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.storyLocked(head, f)
}

// storyLocked is Story; l.mu must be held.
func (l *Ledger) storyLocked(head string, f spec.Finding) []string {
	var cited []*spec.Exchange
	for _, seq := range f.Exchanges {
		for _, ex := range l.exchanges {
			if ex.Seq == seq {
				cited = append(cited, ex)
			}
		}
	}
	return check.Traces(head, cited)
}

// TellFrom sets the Story of each finding after the first n that makes the run fail.
func (l *Ledger) TellFrom(n int, head string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := n; i < len(l.findings); i++ {
		if f := &l.findings[i]; fails(l.catalogue, *f) {
			f.Story = l.storyLocked(head, *f)
		}
	}
}

// ComesFrom records that an exchange's request uses what an earlier exchange showed.
func (l *Ledger) ComesFrom(ex *spec.Exchange, origin int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.origins == nil {
		l.origins = map[int]int{}
	}
	l.origins[ex.Seq] = origin
}

// findingsWithOrigins returns the findings, each with the exchanges needed to reproduce it: where a request names
// a resource, the exchange that created or first showed it is cited too.
func (l *Ledger) findingsWithOrigins() []spec.Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := make(map[int]*spec.Exchange, len(l.exchanges))
	for _, ex := range l.exchanges {
		asked[ex.Seq] = ex
	}
	out := slices.Clone(l.findings)
	for i := range out {
		f := &out[i]
		for _, seq := range f.Exchanges {
			for _, from := range l.originsOf(asked[seq]) {
				if !slices.Contains(f.Exchanges, from) {
					f.Exchanges = append([]int{from}, f.Exchanges...)
				}
			}
		}
	}
	return out
}

// originsOf returns the exchanges that first showed what a request names, newest first. l.mu must be held.
func (l *Ledger) originsOf(ex *spec.Exchange) []int {
	if ex == nil {
		return nil
	}
	var all []int
	if from := l.origins[ex.Seq]; from != 0 {
		all = append(all, from)
	}
	slices.SortFunc(all, func(x, y int) int { return y - x })
	return all
}
