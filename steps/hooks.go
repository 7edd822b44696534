package steps

import (
	"context"
	"errors"
	"sync"

	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Hooks prepare data while a run goes on. Each may be nil. An error of Before, BeforeEach or BetweenPhases ends the run with a [HookError];
// one of After is a notice.
type Hooks struct {
	// Before is called once the target is ready, before anything is judged; After when what the run created has been removed, also if the
	// run ended early or Before failed.
	Before, After func(context.Context) error
	// BeforeEach is called once for each resource, before its first scenario. Scenarios of other resources may be in progress.
	BeforeEach func(context.Context, Occasion) error
	// BetweenPhases is called before each phase of the run but the first. Scenarios that depend on no data may be in progress.
	BetweenPhases func(context.Context, Occasion) error
}

// Occasion is what a hook prepares for.
type Occasion struct {
	// Resource is the first segment of the operation's path that names a resource: books for /v1/books/{id}/reviews.
	Resource, Operation string
	// Phase is the phase that begins or is in progress.
	Phase string
}

// HookError says why a run ended: data could not be prepared.
type HookError struct{ Reason string }

func (e HookError) Error() string { return e.Reason }

// mainPhase is the name of the phase without a tag.
const mainPhase = "main"

// phaseName returns the name of a phase for hooks.
func phaseName(tag string) string {
	const prefix = len("@phase:")
	if len(tag) <= prefix {
		return mainPhase
	}
	return tag[prefix:]
}

// hookState is what the hooks of a run have done so far.
type hookState struct {
	mu sync.Mutex
	// prepared holds the call of BeforeEach for each resource.
	prepared map[string]func() error
	// begun reports whether a phase has begun.
	begun bool
	// failed is why the run ends, or nil.
	failed error
}

// failHook ends the run because a hook failed. The first failure counts. If a signal ends the run, the hook was only interrupted.
func (r *engine) failHook(ctx context.Context, err error) error {
	r.hooks.mu.Lock()
	defer r.hooks.mu.Unlock()
	if r.hooks.failed == nil && ctx.Err() == nil {
		r.hooks.failed = HookError{err.Error()}
		r.End(scenario.Outage{Text: err.Error()})
	}
	return err
}

// hookFailed returns why a hook ended the run, or nil.
func (r *engine) hookFailed() error {
	r.hooks.mu.Lock()
	defer r.hooks.mu.Unlock()
	return r.hooks.failed
}

// before calls the hook before the run.
func (r *engine) before(ctx context.Context) error {
	if r.cfg.Hooks.Before == nil {
		return nil
	}
	switch err := r.cfg.Hooks.Before(ctx); {
	case ctx.Err() != nil: // it was only interrupted
		return ctx.Err()
	case err != nil:
		return HookError{err.Error()}
	}
	return nil
}

// after calls the hook after the run, whatever ended it.
func (r *engine) after(ctx context.Context) {
	if r.cfg.Hooks.After == nil {
		return
	}
	if err := r.cfg.Hooks.After(context.WithoutCancel(ctx)); err != nil && r.cfg.Notice != nil {
		r.cfg.Notice(doctor.Check{Name: "after", State: doctor.Warned, Says: err.Error()})
	}
}

// beforeEach calls the hooks of a scenario's resources, unless they were called before. Scenarios of the same resource wait.
func (r *engine) beforeEach(ctx context.Context, p *suite.Scenario) error {
	if r.cfg.Hooks.BeforeEach == nil {
		return nil
	}
	var all []error
	for _, id := range p.Operations() {
		op, known := r.Contract.Operation(id)
		if !known {
			continue
		}
		name := resource.Root(op.Path)
		if name == "" {
			continue
		}
		all = append(all, r.prepareResource(ctx, Occasion{Resource: name, Operation: id, Phase: phaseName(p.Phase())}))
	}
	return errors.Join(all...)
}

// prepareResource calls the hook of a resource once.
func (r *engine) prepareResource(ctx context.Context, o Occasion) error {
	r.hooks.mu.Lock()
	once, there := r.hooks.prepared[o.Resource]
	if !there {
		once = sync.OnceValue(func() error {
			if err := r.cfg.Hooks.BeforeEach(ctx, o); err != nil {
				return r.failHook(ctx, err)
			}
			return nil
		})
		if r.hooks.prepared == nil {
			r.hooks.prepared = map[string]func() error{}
		}
		r.hooks.prepared[o.Resource] = once
	}
	r.hooks.mu.Unlock()
	return once()
}

// betweenPhases calls the hook between the phase before and one that begins and has scenarios.
func (r *engine) betweenPhases(ctx context.Context, tag string, some func(*suite.Scenario) bool) {
	if r.cfg.Hooks.BetweenPhases == nil || ctx.Err() != nil {
		return
	}
	found := false
	for _, p := range r.chosen.Run {
		found = found || some(p)
	}
	first := !r.hooks.begun
	r.hooks.begun = r.hooks.begun || found
	if !found || first {
		return
	}
	if err := r.cfg.Hooks.BetweenPhases(ctx, Occasion{Phase: phaseName(tag)}); err != nil {
		_ = r.failHook(ctx, err)
	}
}
