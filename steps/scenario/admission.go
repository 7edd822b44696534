package scenario

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/steps/check"
	"hallmark/steps/client"
)

// admission follows whether the credentials of a run still let it in.
type admission struct {
	mu sync.Mutex
	// reads are the reads that were let in, by what carried the credential; admitted are the operations that were.
	reads    map[string]reading
	admitted map[string]map[string]bool
	// writes are the last successful requests that were no reads, the newest last.
	writes []done
	// probes counts how often a refused credential proved to be good: of operations that let it in before all together, and of each that
	// never did.
	probes map[string]int
}

// reading is a read that was let in and is repeated to see whether the credential is still good, and when the last one of all began.
type reading struct {
	request request.Request
	last    time.Time
}

// done is a request that succeeded.
type done struct {
	operation, place string
	ended            time.Time
}

// mostProbes bounds how often a refused credential may prove to be good where it was let in before, and mostOfOne how often at an operation
// that never let it in: it may be none of those that the credential is for. mostWrites is how many requests are remembered, and mostCulprits
// how many are named. probePause is how long a credential that is refused gets to be known again, such as by another instance of the service.
const (
	mostProbes   = 10
	mostOfOne    = 2
	mostWrites   = 64
	mostCulprits = 3
	probePause   = 300 * time.Millisecond
)

// carrierOf names what carries a credential to an operation: its schemes, as the operation has them.
func carrierOf(op *spec.Operation) string {
	var all []string
	for _, alternative := range op.Security {
		for _, s := range alternative {
			all = append(all, s.Name)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// note keeps what a successful response to a request with the right credential says of the credential.
func (a *admission) note(op *spec.Operation, asked *request.Request, ex *spec.Exchange) {
	carrier, ended := carrierOf(op), ex.Started.Add(ex.Elapsed)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reads == nil {
		a.reads, a.admitted, a.probes = map[string]reading{}, map[string]map[string]bool{}, map[string]int{}
	}
	if a.admitted[carrier] == nil {
		a.admitted[carrier] = map[string]bool{}
	}
	a.admitted[carrier][op.ID] = true
	if op.Method != http.MethodGet {
		a.writes = append(a.writes, done{op.ID, check.Place(ex).String(), ended})
		a.writes = a.writes[max(0, len(a.writes)-mostWrites):]
		return
	}
	read, known := a.reads[carrier]
	if !known || namesOne(&read.request) || !namesOne(asked) {
		read.request = *asked
	}
	if read.last.Before(ex.Started) {
		read.last = ex.Started
	}
	a.reads[carrier] = read
}

// namesOne reports whether a request names what may be deleted meanwhile, so that 401 may be the wrong status for its absence.
func namesOne(r *request.Request) bool { return strings.Contains(r.Operation.Path, "{") }

// doubt returns a read to be repeated where a 401 to the right credential may mean that the credential is lost: where no read was let in
// that began later. Admitted reports whether the operation let it in before.
func (a *admission) doubt(op *spec.Operation, ex *spec.Exchange) (again reading, admitted, doubted bool) {
	carrier := carrierOf(op)
	a.mu.Lock()
	defer a.mu.Unlock()
	read, known := a.reads[carrier]
	admitted = a.admitted[carrier][op.ID]
	left := a.probes[""] < mostProbes
	if !admitted {
		left = a.probes[op.ID] < mostOfOne
	}
	return read, admitted, known && left && !read.last.After(ex.Started.Add(ex.Elapsed))
}

// culprits names the requests that succeeded since a read was last let in, the newest first: one of them may have ended the
// credential.
func (a *admission) culprits(since reading) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, w := range slices.Backward(a.writes) {
		if text := fmt.Sprintf("%s (%s)", w.operation, w.place); !w.ended.Before(since.last) && !slices.Contains(all, text) && len(all) < mostCulprits {
			all = append(all, text)
		}
	}
	return all
}

// stillGood notes that a credential which an operation refused is good.
func (a *admission) stillGood(op *spec.Operation, admitted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if admitted {
		a.probes[""]++
	} else {
		a.probes[op.ID]++
	}
}

// looking marks the context of requests that look whether a credential is still good.
type looking struct{}

// watch notes what a response says of the credential, and ends the run where it does not let the run in any more: by a request that is
// answered 401, and by a read that succeeded before and is asked for twice more. The error says that the run has ended, so that nobody
// judges that response; whoever is refused meanwhile looks for himself.
func (c *Caller) watch(ctx context.Context, a *Answer) error {
	r := c.run
	if r.closing.Load() || r.Promises == nil || a.Request == nil || !a.Right || a.Request.Operation.Anonymous() || ctx.Value(looking{}) != nil {
		return nil
	}
	op := a.Request.Operation
	if a.Succeeded() {
		r.admission.note(op, a.Request, a.Exchange)
	}
	if a.Status() != http.StatusUnauthorized {
		return nil
	}
	last, admitted, doubted := r.admission.doubt(op, a.Exchange)
	if !doubted {
		return nil
	}
	if c.letsIn(context.WithValue(ctx, looking{}, true), last.request) {
		r.admission.stillGood(op, admitted)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	who := last.request.Operation.ID + " answers"
	if admitted && op.ID != last.request.Operation.ID {
		who = op.ID + " and " + last.request.Operation.ID + " answer"
	}
	culprits := cmp.Or(strings.Join(r.admission.culprits(last), ", or "), "no request")
	r.End(Outage{Text: fmt.Sprintf("the credential is not accepted any more: %s 401, which let it in before; %s was the last to succeed before that", who, culprits)})
	return ctx.Err()
}

// letsIn reports whether a read that succeeded before still lets the run in, or it cannot be told.
func (c *Caller) letsIn(ctx context.Context, read request.Request) bool {
	for _, pause := range []time.Duration{0, probePause} {
		if client.Sleep(ctx, pause) != nil {
			return false
		}
		with, err := c.Entitled(ctx, read.Operation)
		if err != nil {
			return ctx.Err() == nil
		}
		again, err := c.Ask(ctx, read, with, "to see whether the credential is still good")
		if err != nil || again.Status() != http.StatusUnauthorized {
			return ctx.Err() == nil
		}
	}
	return false
}
