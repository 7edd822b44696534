package scenario

import (
	"context"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// spares are resources that were lent to a scenario to delete or to change for good, and that are unchanged
// because every request was refused. The next scenario that needs one takes it, so that fewer are created.
type spares struct {
	free map[string][]*Resource // by operation
	lent map[*Scenario][]loan
}

type loan struct {
	operation string
	resource  *Resource
}

// lend returns a resource for exclusive use by a scenario of an operation: one that another scenario left
// unchanged, or a new one.
func (r *resources) lend(ctx context.Context, s *Scenario, op *spec.Operation, slot resource.Slot) (*Resource, string, error) {
	r.mu.Lock()
	var found *Resource
	for free := r.spares.free[op.ID]; found == nil && len(free) > 0; free = r.spares.free[op.ID] {
		if last := free[len(free)-1]; !last.gone.Load() {
			found = last
		}
		r.spares.free[op.ID] = free[:len(free)-1]
	}
	r.mu.Unlock()
	none := ""
	if found == nil && r.sensitiveAt(slot) && s.isRefusedBefore() {
		if found, _, err := s.shared(ctx, slot, true); found != nil || err != nil {
			return found, "", err
		}
	}
	if found == nil {
		var err error
		if found, none, err = s.create(forOneScenario(ctx), slot); found == nil || err != nil {
			return nil, none, err
		}
	}
	found.kept.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spares.lent == nil {
		r.spares = spares{free: map[string][]*Resource{}, lent: map[*Scenario][]loan{}}
	}
	r.spares.lent[s] = append(r.spares.lent[s], loan{op.ID, found})
	return found, none, nil
}

// returnLoans records that a scenario has ended: what it left unchanged is free for others.
func (r *resources) returnLoans(s *Scenario) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.spares.lent[s]
	delete(r.spares.lent, s)
	for _, one := range all {
		if !one.resource.gone.Load() && refusedAll(s, one.operation) {
			r.spares.free[one.operation] = append(r.spares.free[one.operation], one.resource)
		}
	}
}

// refusedAll reports whether every request of a scenario to an operation was refused.
func refusedAll(s *Scenario, operation string) bool {
	for _, ex := range s.Exchanges() {
		if ex.Operation == operation && (ex.Response == nil || ex.Response.Status/100 != 4) {
			return false
		}
	}
	return true
}
