package promise

import (
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// A run sends mostRequests requests by default, or requestsEach for each operation if there are more than 150. The
// cases are planned for estimatedFor percent of them: findings are confirmed by repetition, and some examples do
// not succeed.
const (
	mostRequests = 10_000
	requestsEach = mostRequests / 150
	estimatedFor = 65
)

// Bounds on the cases that the budget may allow for one operation: never fewer than fewestCases, which leaves one
// for each kind of promise, and never more than mostCases.
const fewestCases, mostCases = 20, 400

// Budget says how many cases are derived from a contract, and how many are left out.
type Budget struct {
	// PerOperation bounds the cases of one operation; Requests is about how many requests all cases take, and Created
	// how many resources they create in a service that refuses what it must.
	PerOperation, Requests, Created int
	// Cases is how many cases are derived, LeftOut how many are not.
	Cases, LeftOut int
	// Short holds the ids of the operations of which cases are left out.
	Short []string
	// Incomplete holds the ids of the operations whose schemas have more combinations, members or branches than
	// values are made for.
	Incomplete []string
	// Given reports whether the bound was given rather than computed.
	Given bool
	// Shares maps the id of each operation to how many resources its cases create.
	Shares map[string]int
}

// requestBudget returns how many requests the cases of a number of operations may take.
func requestBudget(operations int) int {
	return max(mostRequests, requestsEach*operations) * estimatedFor / 100
}

// draftLimit returns how many cases are drafted for each of a number of operations before the budget chooses among
// them.
func draftLimit(operations int) int {
	return max(3*fewestCases, min(mostCases, 3*requestBudget(operations)/max(2*operations, 1)))
}

// cost is what the cases of an operation take, in requests: first for the successful request that all of them are
// derived from, and each for each case.
type cost struct {
	first, each int
	// creates reports whether each valid case creates a resource, needs whether each case takes a resource of its
	// own.
	creates, needs bool
	// named is the number of resources in the path, which all cases share.
	named int
}

// costOf estimates the cost of the cases of an operation: its own requests, and those to create and delete its
// resources.
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
		c.each = 2 // some check the result, which takes a creation and two reads
	case op.Method == http.MethodDelete && c.named > 0, op.Method == http.MethodPost && strings.Contains(op.Path, "{"):
		c.each, c.needs = 2, true
	}
	return c
}

// created estimates how many resources cases create.
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

// draft holds the possible cases of an operation.
type draft struct {
	plain Case
	// groups holds the cases that the budget may choose among.
	groups [][]Case
	// baseCases holds cases that seldom take a request, and do not count.
	baseCases []Case
	// size is the number of cases, asks the number of requests beyond one for each case.
	size, asks int
	cost       cost
	// incomplete reports whether the cases cover only part of the schemas, since the work was bounded.
	incomplete bool
}

// newDraft returns a draft that keeps about limit cases. For large contracts the others would take much memory.
func newDraft(plain Case, groups [][]Case, back []Case, limit int) draft {
	d := draft{plain: plain, groups: roundRobin(groups, limit), baseCases: back, size: 1}
	for _, group := range groups {
		d.size += len(group)
		for _, c := range group {
			d.asks += c.Asks
		}
	}
	return d
}

// requests returns how many requests the cases take under a bound.
func (d draft) requests(perOperation int) int {
	return d.cost.first + d.cost.each*min(d.size, perOperation) + d.asks
}

// choose returns the greatest bound under which all drafts together stay within the budget.
func choose(drafts []draft) int {
	low, high := fewestCases, draftLimit(len(drafts))
	for low < high {
		middle := (low + high + 1) / 2
		n := 0
		for _, d := range drafts {
			n += d.requests(middle)
		}
		if n <= requestBudget(len(drafts)) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// addCases counts the cases of an operation that were taken from a draft.
func (b *Budget) addCases(operation string, d draft, taken []Case) {
	if d.incomplete {
		b.Incomplete = append(b.Incomplete, operation)
	}
	b.Cases += len(taken)
	if left := d.size - len(taken); left > 0 {
		b.LeftOut += left
		b.Short = append(b.Short, operation)
	}
	b.Requests += d.requests(len(taken))
	n := d.cost.created(taken)
	b.Created += n
	b.Shares[operation] = n
}
