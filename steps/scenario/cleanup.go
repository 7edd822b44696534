package scenario

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hallmark/reports/record"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/budget"
	"hallmark/steps/client"
)

// noteResource keeps what a request created or removed, and counts it to an account.
func (r *Run) noteResource(a *Answer, made *creation, account *budget.Account) {
	if r.resources == nil || a.Request == nil || a.Exchange.Response == nil {
		return
	}
	noteNames(r, a)
	if a.Exchange.Request.Method == "DELETE" {
		if a.Status()/100 != 2 {
			return
		}
		if gone := r.resources.remove(a); gone != nil {
			r.Recorder.Settle(gone.number, record.Removed, "")
		}
		return
	}
	a.made = r.resources.register(a, made.number, r.ID)
	if a.made != nil && a.made.number == 0 { // by a PUT, which is not announced
		account.Spend()
		name := fmt.Sprint(a.made.Identifier())
		a.made.number = r.Recorder.Asking(name, a.Exchange.Scenario)
		r.Recorder.Settle(a.made.number, record.Created, name)
	}
}

// cleanupTime bounds how long is spent on deleting what a run created.
const cleanupTime = time.Minute

// CleanUp deletes what the run created, the last first, where the contract has an operation for it. What is left stands in the list
// of what the run leaves behind.
func (r *Run) CleanUp(ctx context.Context) {
	if r.resources == nil || r.Target.ReadOnly {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cleanupTime)
	defer cancel()
	r.resources.mu.Lock()
	created := slices.Clone(r.resources.created)
	r.resources.mu.Unlock()
	failed := map[string]int{}
	for _, one := range slices.Backward(created) {
		op := r.resources.of.Remover(one.Slot)
		if op == nil || !one.Owned || one.gone.Load() || failed[op.ID] >= mostFailed || ctx.Err() != nil {
			continue
		}
		if !r.delete(ctx, one) {
			failed[op.ID]++
		}
	}
}

// mostFailed is how often a deletion may fail before it is tried no more.
const mostFailed = 3

// delete deletes a resource, and reports whether it is gone.
func (r *Run) delete(ctx context.Context, one *Resource) bool {
	op := r.resources.of.Remover(one.Slot)
	all, err := r.Promises.Requests(op)
	if err != nil {
		return false
	}
	asked := all[0]
	for _, slot := range resource.SlotsOf(op) {
		if value, ok := one.values[slot.Key]; ok {
			asked = asked.With(request.PlaceOf(slot.Parameter), value)
		}
	}
	c := Caller{run: r}
	with, err := c.Entitled(ctx, op)
	if err != nil {
		return false
	}
	w, err := asked.Write(boundary)
	if err != nil {
		return false
	}
	ex, err := r.Client.Do(ctx, client.Call{
		Operation: op.ID, About: "after the run", Method: w.Method, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie,
		Accept: accepted(op), Body: w.Body, MediaType: w.MediaType, Credential: with.Client(), Timeout: r.Client.Timeout,
	})
	if err != nil || ex.Response == nil {
		return false
	}
	switch ex.Response.Status {
	case 200, 202, 204, 404, 410:
		r.Recorder.Settle(one.number, record.Removed, "")
		return true
	}
	return false
}
