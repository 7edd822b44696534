package verdict

import "github.com/hallmark-kit/hallmark/spec"

// joinExplained puts a defect under another one that explains it: either the other one says more about most of the same places, or it shows
// that the responses have the wrong form. A defect moves as a whole, so equal causes stay together.
func joinExplained(defects []*defect, b *Index) []*defect {
	return gathered(defects, newExplanations(defects, b).explainedBy)
}

// gathered puts defect i under the defect of(i); -1 means none.
func gathered(defects []*defect, of func(i int) int) []*defect {
	home := newUnionFind(len(defects))
	for i := range defects {
		if target := of(i); target >= 0 && home.find(target) != home.find(i) {
			home.join(target, i)
		}
	}
	var left []*defect
	for i, d := range defects {
		if home.find(i) == i {
			left = append(left, d)
		}
	}
	for i, d := range defects {
		if root := home.find(i); root != i {
			defects[root].items = append(defects[root].items, d.items...)
		}
	}
	return left
}

// holder is a finding with the index of its defect.
type holder struct {
	defect int
	it     *item
}

// foreignAnswer is a status that an operation may never return.
type foreignAnswer struct {
	operation string
	status    int
}

// explanations finds the defect that causes another one.
type explanations struct {
	index   *Index
	defects []*defect
	at      map[location][]holder
	// values holds the findings about anything but the status, by exchange.
	values map[int][]holder
	// foreign holds the defects with responses that are never correct.
	foreign map[foreignAnswer]holder
	// bounds holds the findings that a response is larger or smaller than was asked for, by kind and request.
	bounds map[bound][]holder
}

// bound is a way to be too large or too small, and a request whose responses are.
type bound struct {
	kind    spec.FindingKind
	request string
}

func newExplanations(defects []*defect, b *Index) *explanations {
	x := &explanations{index: b, defects: defects, at: map[location][]holder{}, values: map[int][]holder{}, foreign: map[foreignAnswer]holder{}, bounds: map[bound][]holder{}}
	for i, d := range defects {
		for _, it := range d.items {
			h := holder{i, it}
			if p, ok := locationOf(it); ok {
				x.at[p] = append(x.at[p], h)
			}
			if isBound(it) && !isSchema(it) {
				key := bound{it.Kind, it.request}
				x.bounds[key] = append(x.bounds[key], h)
			}
			if it.at != 0 && it.Status == 0 {
				x.values[it.at] = append(x.values[it.at], h)
			}
			if key := (foreignAnswer{it.operation, it.Status}); it.Status != 0 && it.foreign {
				if before, seen := x.foreign[key]; !seen || LevelRank(it.rule.Level) < LevelRank(before.it.rule.Level) {
					x.foreign[key] = h
				}
			}
		}
	}
	return x
}

// explainedBy returns the defect that explains defect i, or -1.
func (x *explanations) explainedBy(i int) int {
	if w := x.bounding(i); w >= 0 {
		return w
	}
	d := x.defects[i]
	same, wrong, beside := counter{}, counter{}, counter{}
	for _, it := range d.items {
		same.countDefect(x.betterTold(i, it))
		wrong.countDefect(x.wrongStatus(i, it))
		x.beside(i, it, beside)
	}
	switch {
	case same.total()*2 > len(d.items):
		return same.mostFrequent()
	case wrong.total() == len(d.items):
		return wrong.mostFrequent()
	case wrong.total() > 0 && x.letIn(i, wrong.mostFrequent()):
		return wrong.mostFrequent()
	}
	// A defect that shows only where a much wider one shows is part of that one.
	if w := beside.mostFrequent(); w >= 0 && beside[w] == len(d.items) && len(x.defects[w].items) > 2*len(d.items) {
		return w
	}
	return -1
}

// bounding returns the defect whose findings say that the responses to most of the requests of defect i are larger or smaller than was asked
// for, if defect i only says that they break the bounds of their schema; -1 if there is none. A list that may have 20 items, and has 120,
// breaks the maximum of all lists as well.
func (x *explanations) bounding(i int) int {
	count := counter{}
	for _, it := range x.defects[i].items {
		if !isBound(it) || !isSchema(it) {
			return -1
		}
		seen := map[int]bool{}
		for _, h := range x.bounds[bound{it.Kind, it.request}] {
			if h.defect != i && !seen[h.defect] && LevelRank(h.it.rule.Level) <= LevelRank(it.rule.Level) {
				seen[h.defect] = true
				count.countDefect(h.defect)
			}
		}
	}
	if w := count.mostFrequent(); w >= 0 && count[w]*2 > len(x.defects[i].items) {
		return w
	}
	return -1
}

// isBound reports whether a finding says that a response as a whole is too large or too small.
func isBound(it *item) bool {
	return it.request != "" && it.Pointer == "" && it.Header == "" && (it.Kind == spec.KindTooLarge || it.Kind == spec.KindTooSmall)
}

// betterTold returns a defect that says more than a finding about the same place.
func (x *explanations) betterTold(i int, it *item) int {
	best, bestItem := -1, it
	if p, ok := locationOf(it); ok {
		for _, h := range x.at[p] {
			if h.defect != i && x.saysMore(h, bestItem, len(x.defects[i].items)) {
				best, bestItem = h.defect, h.it
			}
		}
	}
	if best >= 0 || it.Status != 0 {
		return best
	}
	for n, seq := range it.Exchanges {
		for _, h := range x.values[seq] {
			if h.defect != i && voids(h.it, it, n == len(it.Exchanges)-1) {
				return h.defect
			}
		}
	}
	return -1
}

// saysMore reports whether a finding at the same place explains another one that represents n findings.
func (x *explanations) saysMore(h holder, it *item, n int) bool {
	if LevelRank(h.it.rule.Level) == LevelRank(it.rule.Level) && isForm(h.it) != isForm(it) && (!isType(h.it) || !isType(it)) {
		return isForm(h.it) // a value of the wrong type leaves nothing else to say
	}
	return leads(x.index, h.it.rule.ID, len(x.defects[h.defect].items), it.rule.ID, n)
}

// beside counts the defects that show at the same place, once each.
func (x *explanations) beside(i int, it *item, count counter) {
	p, ok := locationOf(it)
	if !ok {
		return
	}
	seen := map[int]bool{}
	for _, h := range x.at[p] {
		if h.it.rule.Always && isComparison(h.it) && isComparison(it) && !it.rule.Always {
			continue // comparisons made for every request are part of the comparisons for particular requests, not the reverse
		}
		if isBound(h.it) && isBound(it) && isSchema(h.it) && x.bounding(h.defect) == i {
			continue // likewise
		}
		if h.defect != i && !seen[h.defect] && LevelRank(h.it.rule.Level) <= LevelRank(it.rule.Level) {
			seen[h.defect] = true
			count.countDefect(h.defect)
		}
	}
}

// wrongStatus returns the defect behind the response's wrong status, for findings about the rest of the response.
func (x *explanations) wrongStatus(i int, it *item) int {
	if it.Status != 0 || it.at == 0 {
		return -1
	}
	for _, h := range x.at[location{it.at, statusSpot}] {
		if h.defect != i && LevelRank(h.it.rule.Level) <= LevelRank(it.rule.Level) {
			return h.defect
		}
	}
	if it.foreign {
		h, found := x.foreign[foreignAnswer{it.operation, it.answered}]
		if found && h.defect != i && LevelRank(h.it.rule.Level) <= LevelRank(it.rule.Level) {
			return h.defect
		}
	}
	return -1
}

// letIn reports whether a defect of schemas follows from accepted requests that should have been rejected, where these explain only a part
// of it directly. Either the accepted value shows from then on, and never before or in correct responses to such requests; or an error was
// returned under a success status that might be correct, so only its form shows it.
func (x *explanations) letIn(i, other int) bool {
	d := x.defects[i]
	direct, first, elsewhere := 0, 0, false
	shown, operations, entered := map[int]bool{}, map[string]bool{}, map[string]bool{}
	for _, it := range d.items {
		if !isSchema(it) {
			return false
		}
		shown[it.at], operations[it.operation] = true, true
		if x.wrongStatus(i, it) == other && isSuccess(it) {
			direct++
			entered[it.operation] = true
			if first == 0 || it.at < first {
				first = it.at
			}
		}
	}
	for _, it := range d.items {
		if it.at < first || entered[it.operation] && x.wrongStatus(i, it) != other {
			elsewhere = true
		}
	}
	if direct > 0 && !elsewhere {
		return true
	}
	if direct*5 < len(d.items) {
		return false
	}
	for _, it := range x.defects[other].items {
		if it.Status != 0 && isSuccess(it) && operations[it.operation] && !shown[it.at] {
			return false
		}
	}
	return true
}

func isSuccess(it *item) bool { return it.answered >= 200 && it.answered < 300 }
