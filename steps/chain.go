package steps

import (
	"slices"

	"hallmark/spec"
	"hallmark/steps/check"
)

// chained returns the scenario's findings, each with the exchanges that it takes to see it again: where a request names an
// animal, the one that created it or showed it first is cited too. It is called with the lock held.
func (s *scenario) chained() []spec.Finding {
	if len(s.findings) == 0 {
		return s.findings
	}
	asked := make(map[int]*spec.Exchange, len(s.exchanges))
	for _, ex := range s.exchanges {
		asked[ex.Seq] = ex
	}
	out := slices.Clone(s.findings)
	for i := range out {
		f := &out[i]
		for _, seq := range f.Exchanges {
			for _, from := range s.originsOf(asked[seq]) {
				if !slices.Contains(f.Exchanges, from) {
					f.Exchanges = append([]int{from}, f.Exchanges...)
				}
			}
		}
	}
	return out
}

// originsOf are the exchanges that showed first what a request names, the earliest last.
func (s *scenario) originsOf(ex *spec.Exchange) []int {
	if ex == nil {
		return nil
	}
	var all []int
	if from := s.origins[ex.Seq]; from != 0 {
		all = append(all, from)
	}
	if ex.Operation == "getPet" {
		if from := s.run.memory.Origin(check.LastSegment(ex.Request.URL), ex.Seq); from != 0 && !slices.Contains(all, from) {
			all = append(all, from)
		}
	}
	slices.SortFunc(all, func(x, y int) int { return y - x })
	return all
}

// comesFrom notes that what an exchange's request names was made from what an earlier exchange showed.
func (s *scenario) comesFrom(ex *spec.Exchange, origin int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.origins == nil {
		s.origins = map[int]int{}
	}
	s.origins[ex.Seq] = origin
}
