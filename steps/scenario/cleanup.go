package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/lanes"
)

// noteResource keeps what a request created or removed.
func (r *Run) noteResource(a *Answer, made *creation) {
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
		name := fmt.Sprint(a.made.Identifier())
		a.made.number = r.Recorder.Asking(name, a.Exchange.Scenario)
		r.Recorder.Settle(a.made.number, record.Created, name)
	}
}

// cleanupTime bounds how long is spent on deleting what a run created.
const cleanupTime = time.Minute

// CleanUp deletes what the run created, the last first, where the contract has an operation for it: several at the same time, and once
// more one by one what was refused while others were there. What is left stands in the list of what the run leaves behind.
func (r *Run) CleanUp(ctx context.Context) {
	if r.resources == nil || r.Target.ReadOnly {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cleanupTime)
	defer cancel()
	r.resources.mu.Lock()
	left := slices.Clone(r.resources.created)
	r.resources.mu.Unlock()
	slices.Reverse(left)
	for _, width := range []int{lanes.Most, 1} {
		left = r.deleteAll(ctx, left, width)
	}
}

const (
	// mostFailed is how often an operation may fail to delete something before it is tried no more.
	mostFailed = 3
	// mostLost is how many deletions may get no response before none is tried any more: the target is away.
	mostLost = 3
)

// deleteAll deletes resources, so many at a time, and returns those that are left, in their order.
func (r *Run) deleteAll(ctx context.Context, all []*Resource, width int) (left []*Resource) {
	var mu sync.Mutex
	at, lost, failed, gone := 0, 0, map[string]int{}, map[*Resource]bool{}
	next := func() *Resource {
		mu.Lock()
		defer mu.Unlock()
		for ; at < len(all) && lost < mostLost && ctx.Err() == nil; at++ {
			one := all[at]
			if op := r.resources.of.Remover(*one.Slot); op != nil && one.Owned() && !one.gone.Load() && failed[op.ID] < mostFailed {
				at++
				return one
			}
		}
		return nil
	}
	_ = r.Lanes.Do(min(width, len(all)), func(int) error {
		for one := next(); one != nil; one = next() {
			is, err := r.delete(ctx, one)
			mu.Lock()
			if gone[one] = is; !is {
				failed[r.resources.of.Remover(*one.Slot).ID]++
			}
			if errors.Is(err, ErrLost) {
				lost++
			}
			mu.Unlock()
		}
		return nil
	})
	return slices.DeleteFunc(all, func(one *Resource) bool { return gone[one] })
}

// delete deletes a resource, and reports whether it is gone. The error says why it could not be asked for.
func (r *Run) delete(ctx context.Context, about *Resource) (gone bool, err error) {
	op := r.resources.of.Remover(*about.Slot)
	all, err := r.Promises.Requests(op)
	if err != nil {
		return false, err
	}
	c := Caller{run: r}
	with, err := c.Entitled(ctx, op)
	if err != nil {
		return false, err
	}
	asked := all[:1]
	if resource.Condition(op, resource.IfMatch) != nil { // the last names the state in another way
		asked = []request.Request{all[0], all[len(all)-1]}
	}
	for _, one := range asked {
		stated, err := conditioned(ctx, &c, about.In(one), quietly(r))
		if err != nil {
			continue
		}
		response, err := quietly(r)(ctx, stated, with)
		if err != nil {
			return false, err
		}
		switch response.Status {
		case 200, 202, 204, 404, 410:
			r.Recorder.Settle(about.number, record.Removed, "")
			return true, nil
		}
	}
	return false, nil
}
