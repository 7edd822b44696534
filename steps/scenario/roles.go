package scenario

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// Services may keep operations for some of their users. Which role opens which operation, the run learns.

// roles holds the operations that another role opens.
type roles struct {
	mu sync.Mutex
	by map[string]record.RoleUse
}

// roleFor returns the role as which the run calls an operation.
func (r *Run) roleFor(op *spec.Operation) string {
	r.roles.mu.Lock()
	defer r.roles.mu.Unlock()
	if known := r.roles.by[op.ID]; known.Used {
		return known.Role
	}
	return r.Target.Role
}

// OtherRoles returns the operations that another role opens than that of the run, in the order of the contract.
func (r *Run) OtherRoles() []record.RoleUse {
	r.roles.mu.Lock()
	defer r.roles.mu.Unlock()
	var all []record.RoleUse
	for _, op := range r.Contract.Operations() {
		if known, is := r.roles.by[op.ID]; is {
			all = append(all, known)
		}
	}
	return all
}

// tryRoles sends plain requests of an operation that refused the credentials of the run as the other roles, in the order of their names, and keeps
// the first that succeeds. Only reads are tried: what another role may write nobody has asked for. The run goes on so only where the path names
// no resource, since what one role created need not be there for another, and never if it was told which role to be.
func (s *Scenario) tryRoles(ctx context.Context, p *plain, op *spec.Operation, candidates []request.Request, last *Answer, b bindings) error {
	keys := s.Run.Target.Keyring
	if last == nil || last.Status() != http.StatusUnauthorized && last.Status() != http.StatusForbidden || len(keys.Roles) < 2 {
		return nil
	}
	if !reads(op) {
		return nil
	}
	used := s.Run.Target.Role == "" && !strings.Contains(op.Path, "{")
	const mostTried = 2
	for _, role := range slices.Sorted(maps.Keys(keys.Roles)) {
		if role == s.Run.Target.Role || role == "" || keys.Lacks(op, role) != nil {
			continue
		}
		found, err := keys.For(ctx, op, role)
		if err != nil {
			continue // what fetches its token says so where that role is needed
		}
		with := found.Carried()
		for _, plain := range candidates[:min(len(candidates), mostTried)] {
			r, a, err := s.AskForOne(forManyScenarios(ctx), secured(s.Run, b.apply(plain)), with, "a plain request as the role "+role)
			if errors.As(err, new(Stop)) {
				continue
			}
			if err != nil {
				return err
			}
			if !a.Succeeded() {
				continue
			}
			s.Run.roles.mu.Lock()
			if s.Run.roles.by == nil {
				s.Run.roles.by = map[string]record.RoleUse{}
			}
			s.Run.roles.by[op.ID] = record.RoleUse{Operation: op.ID, Role: role, Used: used}
			s.Run.roles.mu.Unlock()
			if !used {
				return nil
			}
			return s.keepPlain(ctx, p, plain, r, a, with, b)
		}
	}
	return nil
}
