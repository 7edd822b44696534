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

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// admission tracks whether the target still accepts the credentials of a run.
type admission struct {
	mu sync.Mutex
	// reads holds the last accepted read for each set of schemes; admitted holds the operations that accepted it.
	reads    map[string]probeRead
	admitted map[string]map[string]bool
	// writes holds the last successful requests other than reads, oldest first.
	writes []successfulWrite
	// probes counts how often a refused credential turned out to be still valid: under "" for all operations that
	// accepted it before, and by id for operations that never did.
	probes map[string]int
}

// probeRead is an accepted read that is repeated to see whether the credential is still valid. last is when the
// latest accepted read began.
type probeRead struct {
	request request.Request
	last    time.Time
}

// successfulWrite is a request, other than a read, that succeeded.
type successfulWrite struct {
	operation, place string
	ended            time.Time
}

// mostProbes bounds how often a refused credential may turn out to be valid at operations that accepted it before,
// mostOfOne how often at an operation that never did: the credential may not be meant for it. mostWrites is the
// number of requests remembered, mostCulprits the number named. probePause gives a refused credential time to
// become valid again, such as at another instance of the service.
const (
	mostProbes   = 10
	mostOfOne    = 2
	mostWrites   = 64
	mostCulprits = 3
	probePause   = 300 * time.Millisecond
)

// carrierOf returns the names of an operation's security schemes, sorted and joined.
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

// note records a successful response to a request with the right credential.
func (a *admission) note(op *spec.Operation, asked *request.Request, ex *spec.Exchange) {
	carrier, ended := carrierOf(op), ex.Started.Add(ex.Elapsed)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reads == nil {
		a.reads, a.admitted, a.probes = map[string]probeRead{}, map[string]map[string]bool{}, map[string]int{}
	}
	if a.admitted[carrier] == nil {
		a.admitted[carrier] = map[string]bool{}
	}
	a.admitted[carrier][op.ID] = true
	if op.Method != http.MethodGet {
		a.writes = append(a.writes, successfulWrite{op.ID, check.Place(ex).String(), ended})
		a.writes = a.writes[max(0, len(a.writes)-mostWrites):]
		return
	}
	read, known := a.reads[carrier]
	if !known || hasPathParameter(&read.request) || !hasPathParameter(asked) {
		read.request = *asked
	}
	if read.last.Before(ex.Started) {
		read.last = ex.Started
	}
	a.reads[carrier] = read
}

// hasPathParameter reports whether a request names a resource in its path. That may be deleted meanwhile, and some
// services answer 401 for what is absent.
func hasPathParameter(r *request.Request) bool { return strings.Contains(r.Operation.Path, "{") }

// needsProbe returns the read to repeat when a 401 to the right credential may mean that the credential has
// expired, that is, when no later read was accepted. admitted reports whether the operation accepted the
// credential before.
func (a *admission) needsProbe(op *spec.Operation, ex *spec.Exchange) (again probeRead, admitted, doubted bool) {
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

// culprits returns the requests that succeeded since the last accepted read, newest first: one of them may have
// revoked the credential.
func (a *admission) culprits(since probeRead) []string {
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

// noteAdmitted records that a credential refused by an operation is still valid.
func (a *admission) noteAdmitted(op *spec.Operation, admitted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if admitted {
		a.probes[""]++
	} else {
		a.probes[op.ID]++
	}
}

// probing is the context key that marks requests sent to test the credential.
type probing struct{}

// watchAdmission records what a response says about the credential, and ends the run once the credential is no
// longer accepted: a request is answered 401, and a read that was accepted before is refused twice more. The error
// reports that the run has ended, so the response is not judged.
func (c *Caller) watchAdmission(ctx context.Context, a *Answer) error {
	r := c.run
	if r.closing.Load() || a.Request == nil || !a.Right || a.Request.Operation.Anonymous() || ctx.Value(probing{}) != nil {
		return nil
	}
	op := a.Request.Operation
	if a.Succeeded() {
		r.admission.note(op, a.Request, a.Exchange)
	}
	if a.Status() != http.StatusUnauthorized {
		return nil
	}
	last, admitted, doubted := r.admission.needsProbe(op, a.Exchange)
	if !doubted {
		return nil
	}
	if c.stillAdmitted(context.WithValue(ctx, probing{}, true), last.request) {
		r.admission.noteAdmitted(op, admitted)
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
	r.End(Outage{Text: fmt.Sprintf("the credential is no longer accepted: %s 401, which accepted it before; %s was the last to succeed before that", who, culprits)})
	return ctx.Err()
}

// stillAdmitted reports whether a read that was accepted before is still accepted, or whether that cannot be
// determined.
func (c *Caller) stillAdmitted(ctx context.Context, read request.Request) bool {
	for _, pause := range []time.Duration{0, probePause} {
		if client.Sleep(ctx, pause) != nil {
			return false
		}
		with, err := c.Entitled(ctx, read.Operation)
		if err != nil {
			return ctx.Err() == nil
		}
		again, err := c.Ask(ctx, read, with, "to see whether the credential is still valid")
		if err != nil || again.Status() != http.StatusUnauthorized {
			return ctx.Err() == nil
		}
	}
	return false
}
