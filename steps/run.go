package steps

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Run judges a target, and returns how the run ended. It returns an error if the suite cannot be played (an
// unknown step, nothing selected) or the context ends, and Unreachable if there is nothing to judge. What the
// target breaks is in the record, not in the error.
func Run(ctx context.Context, cfg Config) (ending record.Ending, err error) {
	defer func() { // any error may quote what was sent or received
		if ending.Lost == "" && err == nil {
			return
		}
		all := cfg.Target.Redactor()
		ending.Lost, err = all.Text(ending.Lost), all.Error(err)
		if away, ok := errors.AsType[Unreachable](err); ok {
			away.Reason, away.Remedy = all.Text(away.Reason), all.Text(away.Remedy)
			err = away
		}
	}()
	r := newEngine(cfg)
	defer func() { ending.Coverage = r.Coverage() }() // with the last scenarios, and of a run that ended before its first
	if r.chosen, err = cfg.Suite.Select(cfg.Selection, cfg.Catalogue, cfg.Contract); err != nil {
		return ending, err
	}
	compiled := cfg.Compiled
	if compiled == nil || compiled.suite != cfg.Suite {
		if compiled, err = Compile(cfg.Suite); err != nil {
			return ending, err
		}
	}
	forms := compiled.forms
	divideBudget(r)
	parent := ctx
	defer func() { r.consult(parent) }()
	ctx, release := r.Bind(ctx)
	defer release()
	err = awaitReady(ctx, r)
	ending.Patience = r.patience
	if err == nil {
		defer r.after(parent)
		err = r.before(ctx)
	}
	if err == nil {
		err = runPreflight(ctx, r)
	}
	if err != nil && !client.IsLimit(err) {
		if away, ok := errors.AsType[Unreachable](err); ok {
			ending.Lost = away.Reason
		}
		if failed, ok := errors.AsType[HookError](err); ok {
			ending.Lost = failed.Reason
		}
		return ending, err
	}
	for _, p := range r.chosen.Skipped {
		r.Recorder.AddScenario(r.leftOutRecord(p))
	}
	defer func() { ending.Width = widthOf(r.Client.Gate) }()
	err = r.phases(ctx, forms)
	ending.Patience.Interrupted = r.Interruptions()
	ending.Stopped, ending.Patience.Settled = r.Client.Limiter.Reached(), r.Settled()
	ending.Complete = err == nil && ctx.Err() == nil && ending.Stopped == ""
	if err == nil && !r.gone && ending.Stopped == "" {
		// --fail-fast has ended the context of the scenarios; its finding is confirmed all the same.
		again, release := r.Bind(parent)
		defer release()
		err = r.confirm(again, forms)
		r.noteOutage(again)
		ending.Patience.Interrupted = r.Interruptions()
	}
	r.cleanUp(parent)
	ending.Lost, ending.Suspects, ending.Unjudged, ending.Bodies = r.LostText(), r.underWay, r.Unjudged(), r.BodySearches()
	ending.Suggestions, ending.Roles = r.Suggestions(), r.OtherRoles()
	if err != nil {
		return ending, err
	}
	if !ending.Complete || r.gone {
		r.unplayed(r.isEnding())
		return ending, r.hookFailed()
	}
	last, release := r.Bind(parent)
	defer release()
	defer r.cleanUp(parent)
	if err := r.endings(last, forms); err != nil {
		return ending, err
	}
	if failed := r.hookFailed(); failed != nil {
		ending.Lost, ending.Complete = failed.Error(), false
		return ending, failed
	}
	return ending, nil
}

// cleanUp deletes what the run created, and restores settings that it changed, even if a signal has ended the run.
func (r *engine) cleanUp(ctx context.Context) {
	left := len(r.Removable())
	if ctx.Err() != nil && left > 0 && r.cfg.Notice != nil {
		r.cfg.Notice(doctor.Check{
			Name: "clean-up", State: doctor.Warned, Says: text.Count(left, "resource") + " that the run created are being removed",
			Remedy: "interrupt it again to leave them there; hallmark ledger lists them",
		})
	}
	r.CleanUp(context.WithoutCancel(ctx))
	for _, says := range r.PutBack(context.WithoutCancel(ctx)) {
		if r.cfg.Notice != nil {
			r.cfg.Notice(doctor.Check{Name: "settings", State: doctor.Warned, Says: says, Remedy: "the record of the run has the value that was read first"})
		}
	}
}

// widthOf returns the width that a gate found by itself, or nil if it was configured.
func widthOf(g *client.Gate) *record.Width {
	widest, last, why, ok := g.Adapted()
	if !ok {
		return nil
	}
	if why == "" {
		why = "the run had no more to send side by side"
		if widest == client.MostWidth {
			why = "auto takes no more"
		}
	}
	return &record.Width{Widest: widest, Last: last, Why: why}
}

// NotApplicable returns the rules that do not apply at a moment, with the reason: the operations that they are about
// were removed, or they are switched off. Open rules always apply: they only observe.
func NotApplicable(contract *spec.Contract, catalogue *spec.Catalogue, now time.Time) map[string]string {
	removed, out := scenario.RemovedBy(contract, now), map[string]string{}
	for _, rule := range catalogue.Rules {
		isThere := func(op string) bool { return removed[op] == "" }
		if len(rule.Operations) > 0 && rule.Level != spec.Open && !slices.ContainsFunc(rule.Operations, isThere) {
			out[rule.ID] = removed[rule.Operations[0]]
		}
		if reason, off := catalogue.Off(rule.ID); off {
			out[rule.ID] = "switched off: " + strings.TrimSuffix(reason, ".") // reports go on after it
		}
	}
	return out
}

// Removed returns the operations whose removal date has passed at a moment.
func Removed(contract *spec.Contract, now time.Time) []string {
	return slices.Sorted(maps.Keys(scenario.RemovedBy(contract, now)))
}

// divideBudget divides what the run may create.
func divideBudget(r *engine) {
	repeats := r.cfg.Confirm > 0
	needed, parts := r.Promises.Budget().Shares, map[string]budget.Part{}
	for _, p := range r.chosen.Run {
		if len(p.Rules) == 0 {
			continue
		}
		rule := ruleOf(r.Catalogue, p)
		if len(rule.Operations) > 0 {
			part := parts[rule.Operations[0]]
			part.Needs, part.Scenarios = needed[rule.Operations[0]], part.Scenarios+1
			parts[rule.Operations[0]] = part
		}
	}
	r.Divide(repeats, parts)
}
