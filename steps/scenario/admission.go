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
	// reads are the last reads that were let in, by what carried the credential; admitted are the operations that were.
	reads    map[string]let
	admitted map[string]map[string]bool
	// writes are the last successful requests that were no reads, the newest last.
	writes []done
	// probes counts how often a refused credential proved to be good.
	probes int
}

// let is a read that was let in.
type let struct {
	request request.Request
	started time.Time
}

// done is a request that succeeded.
type done struct {
	operation, place string
	ended            time.Time
}

// mostProbes bounds how often a refused credential may prove to be good, mostWrites how many requests are remembered, and mostCulprits
// how many are named. probePause is how long a credential that is refused gets to be known again, such as by another instance of the service.
const (
	mostProbes   = 10
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
		a.reads, a.admitted = map[string]let{}, map[string]map[string]bool{}
	}
	if a.admitted[carrier] == nil {
		a.admitted[carrier] = map[string]bool{}
	}
	a.admitted[carrier][op.ID] = true
	switch {
	case op.Method != http.MethodGet:
		a.writes = append(a.writes, done{op.ID, check.Place(ex).String(), ended})
		a.writes = a.writes[max(0, len(a.writes)-mostWrites):]
	case a.reads[carrier].started.IsZero() || ofOne(asked) <= ofOne(new(a.reads[carrier].request)) && a.reads[carrier].started.Before(ex.Started):
		a.reads[carrier] = let{*asked, ex.Started}
	}
}

// ofOne is 1 for a read of what may be deleted meanwhile, so that 401 may be the wrong status for its absence, and 0 for others.
func ofOne(read *request.Request) int {
	if strings.Contains(read.Operation.Path, "{") {
		return 1
	}
	return 0
}

// doubt returns a read to be repeated where a 401 to the right credential may mean that the credential is lost: where none was let in
// since. Admitted tells whether the operation let it in before.
func (a *admission) doubt(op *spec.Operation, ex *spec.Exchange) (again let, admitted, doubted bool) {
	carrier := carrierOf(op)
	a.mu.Lock()
	defer a.mu.Unlock()
	last, known := a.reads[carrier]
	return last, a.admitted[carrier][op.ID], known && a.probes < mostProbes && !last.started.After(ex.Started.Add(ex.Elapsed))
}

// culprits names the requests that succeeded since a read was last let in, the newest first: one of them may have ended the
// credential.
func (a *admission) culprits(last let) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, w := range slices.Backward(a.writes) {
		if text := fmt.Sprintf("%s (%s)", w.operation, w.place); !w.ended.Before(last.started) && !slices.Contains(all, text) && len(all) < mostCulprits {
			all = append(all, text)
		}
	}
	return all
}

// stillGood notes that a credential was looked at, and is good.
func (a *admission) stillGood() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.probes++
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
	if a.Status()/100 == 2 {
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
		r.admission.stillGood()
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	refused := []string{last.request.Operation.ID}
	if admitted && op.ID != refused[0] {
		refused = []string{op.ID, refused[0]}
	}
	answers := map[bool]string{true: "answer", false: "answers"}[len(refused) > 1]
	why := fmt.Sprintf("the credential is not accepted any more: %s %s 401, which let it in before", strings.Join(refused, " and "), answers)
	why += "; " + cmp.Or(strings.Join(r.admission.culprits(last), ", or "), "no request") + " was the last to succeed before that"
	r.End(Outage{Text: why})
	return context.Cause(ctx)
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
