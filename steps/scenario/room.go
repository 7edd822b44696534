package scenario

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// A service may limit the number of resources. If it refuses one more, the run deletes resources that no scenario
// needs any more.

// room is what a run knows about the limit on an operation's resources.
type room struct {
	// most is how many of the run's own resources existed when another one was refused, and status the status of the
	// refusal; 0 if unknown.
	most, status int
	// failures counts how often no room could be made, or another resource was refused all the same, while no limit
	// is known.
	failures int
}

// fullStatuses are the statuses by which services refuse more resources.
var fullStatuses = []int{
	http.StatusPaymentRequired, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInsufficientStorage,
}

// begin records that a scenario is being played: it may need what it creates until it has ended.
func (r *resources) begin(scenario string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active[scenario]++
}

// end records that a scenario has ended.
func (r *resources) end(scenario string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active[scenario]--
}

// living returns the run's existing resources of a slot. r.mu must be held.
func (r *resources) living(slot string) []*Resource {
	return slices.DeleteFunc(slices.Clone(r.created), func(one *Resource) bool { return one.Slot.Key != slot || !one.Owned() || one.gone.Load() })
}

// unneeded returns the run's resources of a slot that no scenario needs any more, oldest first, and how many exist
// in all.
func (r *resources) unneeded(slot string) (all []*Resource, living int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.living(slot)
	return slices.DeleteFunc(slices.Clone(there), func(one *Resource) bool {
		return one.kept.Load() || r.active[one.scenario] > 0 || r.inferred.Remover(*one.Slot) == nil || slices.ContainsFunc(r.created, func(below *Resource) bool {
			id, named := below.identifiers.valueIn(slot)
			return below != one && below.Slot.Key != slot && named && !below.gone.Load() && fmt.Sprint(id) == fmt.Sprint(one.Identifier())
		})
	}), len(there)
}

// roomOf returns what is known about the limit of an operation.
func (r *resources) roomOf(op *spec.Operation) room {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rooms[op.ID]
}

func (r *resources) setRoom(op *spec.Operation, is room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rooms[op.ID] = is
}

// makeRoom deletes some of the resources that an operation created and that no scenario needs any more. It returns
// how many of the run's existed before, and whether some were deleted.
func (r *Run) makeRoom(ctx context.Context, op *spec.Operation) (living int, made bool) {
	slot, _, ok := r.resources.inferred.Creates(op)
	if !ok || r.Target.ReadOnly {
		return 0, false
	}
	leave, err := r.resources.makingRoom.Take(ctx)
	if err != nil {
		return 0, false
	}
	defer leave()
	all, living := r.resources.unneeded(slot.Key)
	c := cleanup{run: r, removed: map[string]bool{}, failed: map[string]int{}}
	for _, one := range all[:min(len(all), max(1, (len(all)+1)/2))] {
		if c.delete(ctx, one); !one.gone.Load() {
			break
		}
		made = true
	}
	return living, made
}

// AskForOne sends a request that is meant to create a resource. If the service may be full, it deletes resources
// that are no longer needed and tries again with new names; if there may be only one for its values, it tries others. asked is the request that was
// answered.
func (s *Scenario) AskForOne(ctx context.Context, r request.Request, with credentials.Credential, purpose string) (asked request.Request, a *Answer, err error) {
	a, err = s.Ask(ctx, r, with, purpose)
	all := s.Run.resources
	if err != nil || a.Succeeded() || all == nil {
		return r, a, err
	}
	if varied, b, err := s.askVaried(ctx, r, a, purpose, s.placesToKeep(r)); err != nil || b != nil {
		return varied, b, err
	}
	if !slices.Contains(fullStatuses, a.Status()) {
		return r, a, nil
	}
	known := all.roomOf(r.Operation)
	for tries, pause := 0, leastSettling; tries < mostTries && known.failures <= 1; tries, pause = tries+1, min(2*pause, MostSettle) {
		living, made := s.Run.makeRoom(ctx, r.Operation)
		if made || known.most > 0 && living < known.most {
			again := Renamed(s, r)
			b, err := s.Ask(ctx, again, with, purpose)
			if err != nil {
				return again, b, err
			}
			if b.Succeeded() {
				all.setRoom(r.Operation, room{most: max(living, known.most), status: a.Status()})
				return again, b, nil
			}
		}
		if living < 2 && known.most == 0 {
			break
		}
		if err := client.Sleep(ctx, pause); err != nil { // other scenarios may end meanwhile
			return r, a, err
		}
		known = all.roomOf(r.Operation) // others may have found out meanwhile
	}
	if known = all.roomOf(r.Operation); known.most == 0 {
		known.failures++
		all.setRoom(r.Operation, known)
	}
	return r, a, nil
}

// mostTries is how often room is searched for before a refusal counts.
const mostTries = 5

// askInRoom sends a request of an operation whose limit is known: it makes room beforehand, and again if the
// request is refused for lack of it.
func (c *Caller) askInRoom(ctx context.Context, op *spec.Operation, ask func() (*Answer, error)) (*Answer, error) {
	all := c.run.resources
	if all == nil {
		return ask()
	}
	known := all.roomOf(op)
	if known.most == 0 {
		return ask()
	}
	slot, _, _ := all.inferred.Creates(op)
	if _, living := all.unneeded(slot.Key); living >= known.most {
		c.run.makeRoom(ctx, op)
	}
	a, err := ask()
	for tries, pause := 0, leastSettling; err == nil && a.Status() == known.status && tries < mostTries; tries, pause = tries+1, min(2*pause, MostSettle) {
		if _, made := c.run.makeRoom(ctx, op); made {
			a, err = ask()
		} else {
			err = client.Sleep(ctx, pause)
		}
	}
	return a, err
}

// Refusal describes how a creation was refused, and how many resources of the run exist if that may be the reason.
func Refusal(r *Run, a *Answer) string {
	status := fmt.Sprintf("status %d", a.Status())
	if a.Request == nil || !slices.Contains(fullStatuses, a.Status()) {
		return status
	}
	slot, _, ok := r.resources.inferred.Creates(a.Request.Operation)
	if !ok {
		return status
	}
	free, living := r.resources.unneeded(slot.Key)
	switch known := r.resources.roomOf(a.Request.Operation); {
	case known.most > 0:
		return fmt.Sprintf("%s; the service holds no more at a time, and had at most %d of this run", status, known.most)
	case living > 1 && len(free) == 0 && r.resources.inferred.Remover(*slot) == nil:
		return fmt.Sprintf("%s, with %d of the run there that no operation deletes", status, living)
	case living > 1 && known.failures <= 1: // otherwise room does not help
		return fmt.Sprintf("%s, with %d of the run there", status, living)
	}
	return status
}
