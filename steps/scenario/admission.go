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
	// probes counts how often it was looked whether a credential is still good; probing is true meanwhile.
	probes  int
	probing bool
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

// mostProbes bounds how often is looked, mostWrites how many requests are remembered, and mostCulprits how many are named. probePause is how long a credential that is
// refused gets to be known again, such as by another instance of the service.
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

// note keeps what a response to a request with the right credential says of the credential. It returns a read to be repeated where
// the credential may be lost.
func (a *admission) note(op *spec.Operation, asked *request.Request, ex *spec.Exchange) (again let, doubted bool) {
	carrier := carrierOf(op)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reads == nil {
		a.reads, a.admitted = map[string]let{}, map[string]map[string]bool{}
	}
	switch status := ex.Response.Status; {
	case status/100 == 2:
		if a.admitted[carrier] == nil {
			a.admitted[carrier] = map[string]bool{}
		}
		a.admitted[carrier][op.ID] = true
		if op.Method == http.MethodGet {
			a.reads[carrier] = let{*asked, ex.Started}
			return let{}, false
		}
		a.writes = append(a.writes, done{op.ID, check.Place(ex).String(), ex.Started.Add(ex.Elapsed)})
		a.writes = a.writes[max(0, len(a.writes)-mostWrites):]
	case status == http.StatusUnauthorized && a.admitted[carrier][op.ID] && !a.probing && a.probes < mostProbes:
		again, doubted = a.reads[carrier]
		a.probing = doubted
		if doubted {
			a.probes++
		}
	}
	return again, doubted
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

// looked ends a look at whether a credential is still good.
func (a *admission) looked() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.probing = false
}

// watch notes what a response says of the credential, and ends the run where it does not let the run in any more: by a request that
// an operation let in before and now answers 401, and by a read that succeeded before and is asked for twice more.
func (c *Caller) watch(ctx context.Context, a *Answer) {
	r := c.run
	if r.closing.Load() || r.Promises == nil || a.Request == nil || !a.Right || a.Request.Operation.Anonymous() {
		return
	}
	last, doubted := r.admission.note(a.Request.Operation, a.Request, a.Exchange)
	if !doubted {
		return
	}
	defer r.admission.looked()
	op := last.request.Operation
	for _, pause := range []time.Duration{0, probePause} {
		if client.Sleep(ctx, pause) != nil {
			return
		}
		with, err := c.Entitled(ctx, op)
		if err != nil {
			return
		}
		again, err := c.Ask(ctx, last.request, with, "to see whether the credential is still good")
		if err != nil || again.Status() != http.StatusUnauthorized {
			return
		}
	}
	why := fmt.Sprintf("the credential is not accepted any more: %s and %s answer 401, which let it in before", a.Request.Operation.ID, op.ID)
	if op.ID == a.Request.Operation.ID {
		why = fmt.Sprintf("the credential is not accepted any more: %s answers 401, which let it in before", op.ID)
	}
	why += "; " + cmp.Or(strings.Join(r.admission.culprits(last), ", or "), "no request") + " was the last to succeed before that"
	r.End(Outage{Text: why})
}
