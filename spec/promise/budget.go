package promise

import (
	"net/http"
	"strings"

	"hallmark/spec"
	"hallmark/spec/resource"
)

// What a run asks of a service by default, in requests: mostRequests, or requestsEach of each operation where there are more than
// 150. The cases take estimatedFor of each hundred of them: what is found is asked for again, and some examples do not succeed.
const (
	mostRequests = 10_000
	requestsEach = mostRequests / 150
	estimatedFor = 65
)

// The bound on the cases of one operation that the budget may give: never fewer than least, which leaves each kind of promise a
// case, nor more than most.
const least, most = 20, 400

// Budget says how many cases are derived of a contract, and how many are not.
type Budget struct {
	// PerOperation bounds the cases of one operation; Requests is what all of them take, about, and Created how many resources they
	// create of a service that refuses what it has to.
	PerOperation, Requests, Created int
	// Cases is how many are derived, LeftOut how many more there are.
	Cases, LeftOut int
	// Incomplete are the ids of the operations whose schemas have more combinations, members or branches than values are made of.
	Incomplete []string
	// Given reports whether the bound was given, rather than found.
	Given bool
	// Shares are how many resources the cases of each operation create, by its id.
	Shares map[string]int
}

// wanted is how many requests the cases of so many operations may take.
func wanted(operations int) int {
	return max(mostRequests, requestsEach*operations) * estimatedFor / 100
}

// mostOf is how many cases are derived of one of so many operations before the budget chooses among them.
func mostOf(operations int) int {
	return max(3*least, min(most, 3*wanted(operations)/max(2*operations, 1)))
}

// cost is what a case of an operation takes, in requests: first for the succeeding request that all of them differ from.
type cost struct {
	first, each int
	// creates reports whether each case that keeps the contract creates a resource, needs whether each takes one that is its own.
	creates, needs bool
	// named is how many resources the path names: what all cases share.
	named int
}

// costOf estimates the cost of the cases of an operation: its own request, and creating and removing what it is about.
func costOf(m *resource.Map, op *spec.Operation) cost {
	slot, _, creates := m.Creates(op)
	c := cost{first: 3, each: 1, named: len(resource.SlotsOf(op))}
	switch {
	case creates:
		c.creates = true
		if m.Remover(*slot) != nil {
			c.each = 2
		}
	case op.Method == http.MethodPost && c.named == 0:
		c.creates = true
	case (op.Method == http.MethodPut || op.Method == http.MethodPatch) && c.named > 0 && op.Body != nil:
		c.each = 2 // some look at what became of one, which takes creating it and reading it twice
	case op.Method == http.MethodDelete && c.named > 0, op.Method == http.MethodPost && strings.Contains(op.Path, "{"):
		c.each, c.needs = 2, true
	}
	return c
}

// created is about how many resources cases create.
func (c cost) created(cases []Case) int {
	n := 2 * c.named
	for _, one := range cases {
		if one.Aspect == Lives || c.needs || c.creates && (one.Aspect == Keeps || one.Aspect == Differs || one.Aspect == Allowed || one.Aspect == Open) {
			n++
		}
		n += one.Makes
	}
	return n
}

// draft is what may be asked of an operation.
type draft struct {
	plain Case
	// groups are the cases that the budget may choose among.
	groups [][]Case
	// back are cases that seldom take a request, and so are not counted.
	back []Case
	// size is how many cases there are, asks how many requests they take beyond those of any case.
	size, asks int
	cost       cost
	// incomplete reports whether the cases are those of a part of its schemas only, as more work was needed than there is.
	incomplete bool
}

// newDraft returns a draft that keeps about as many cases as the limit says. Of large contracts the others would take much memory.
func newDraft(plain Case, groups [][]Case, back []Case, limit int) draft {
	d := draft{plain: plain, groups: roundRobin(groups, limit), back: back, size: 1}
	for _, group := range groups {
		d.size += len(group)
		for _, c := range group {
			d.asks += c.Asks
		}
	}
	return d
}

// requests is how many requests the cases take under a bound.
func (d draft) requests(perOperation int) int {
	return d.cost.first + d.cost.each*min(d.size, perOperation) + d.asks
}

// choose returns the greatest bound under which all drafts together keep to the budget.
func choose(drafts []draft) int {
	low, high := least, mostOf(len(drafts))
	for low < high {
		middle := (low + high + 1) / 2
		n := 0
		for _, d := range drafts {
			n += d.requests(middle)
		}
		if n <= wanted(len(drafts)) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// add counts the cases of an operation that were taken of a draft.
func (b *Budget) add(operation string, d draft, taken []Case) {
	if d.incomplete {
		b.Incomplete = append(b.Incomplete, operation)
	}
	b.Cases += len(taken)
	b.LeftOut += d.size - len(taken)
	b.Requests += d.requests(len(taken))
	n := d.cost.created(taken)
	b.Created += n
	b.Shares[operation] = n
}
