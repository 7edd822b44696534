package scenario

import (
	"slices"

	"hallmark/spec"
	"hallmark/steps/check"
)

// The part of a ledger that is about exchanges: which there were, what they tell, and where what they name came from.

// AddExchange adds an exchange.
func (l *Ledger) AddExchange(ex *spec.Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges = append(l.exchanges, ex)
}

// Exchanges are those so far.
func (l *Ledger) Exchanges() []*spec.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.exchanges)
}

// Latest is the last exchange; nil before the first.
func (l *Ledger) Latest() *spec.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.exchanges) == 0 {
		return nil
	}
	return l.exchanges[len(l.exchanges)-1]
}

// Lighten lets go of most of a long response, once it is judged. A report may show what is kept.
func (l *Ledger) Lighten(ex *spec.Exchange) {
	taken := l.keeper.lighten(ex.Response)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bodies += taken
}

// LetGo gives back what the exchanges took of the room for bodies.
func (l *Ledger) LetGo() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keeper.open.Add(-l.bodies)
	l.bodies = 0
}

// Story returns, a line each, the exchanges that a finding cites.
func (l *Ledger) Story(head string, f spec.Finding) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.story(head, f)
}

// story is Story with the lock held.
func (l *Ledger) story(head string, f spec.Finding) []string {
	var cited []*spec.Exchange
	for _, seq := range f.Exchanges {
		for _, ex := range l.exchanges {
			if ex.Seq == seq {
				cited = append(cited, ex)
			}
		}
	}
	return check.Traces(head, l.noun, cited)
}

// TellFrom gives each finding but the first n its story, if it makes the run fail.
func (l *Ledger) TellFrom(n int, head string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := n; i < len(l.findings); i++ {
		if f := &l.findings[i]; fails(l.catalogue, *f) {
			f.Story = l.story(head, *f)
		}
	}
}

// ComesFrom notes that what an exchange's request names was made from what an earlier exchange showed.
func (l *Ledger) ComesFrom(ex *spec.Exchange, origin int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.origins == nil {
		l.origins = map[int]int{}
	}
	l.origins[ex.Seq] = origin
}

// chained returns the findings, each with the exchanges that it takes to see it again: where a request names something, the
// exchange that created it or showed it first is cited too. known is the number of that exchange by what the run knows; 0 for
// none.
func (l *Ledger) chained(known func(*spec.Exchange) int) []spec.Finding {
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
			for _, from := range l.originsOf(asked[seq], known) {
				if !slices.Contains(f.Exchanges, from) {
					f.Exchanges = append([]int{from}, f.Exchanges...)
				}
			}
		}
	}
	return out
}

// originsOf are the exchanges that showed first what a request names, the earliest last. It is called with the lock held.
func (l *Ledger) originsOf(ex *spec.Exchange, known func(*spec.Exchange) int) []int {
	if ex == nil {
		return nil
	}
	var all []int
	if from := l.origins[ex.Seq]; from != 0 {
		all = append(all, from)
	}
	if from := known(ex); from != 0 && !slices.Contains(all, from) {
		all = append(all, from)
	}
	slices.SortFunc(all, func(x, y int) int { return y - x })
	return all
}
