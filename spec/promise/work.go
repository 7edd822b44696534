package promise

import (
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/promise/doubt"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// Bounds on the work of deriving, in steps of instance.Work: workOfAll for the cases of all operations together,
// at most mostWork and at least leastWork for those of one operation, plainWork for its plain requests. In large
// public documents the cases of one operation take up to 250,000 steps, those of all up to 700,000, and the plain
// requests of one up to 27,000.
const (
	workOfAll = 3_000_000
	mostWork  = 400_000
	leastWork = 1_000
	plainWork = 60_000
)

// bounded returns options that do no more than the given work: what would take more is neither valid nor wrong.
func (o Options) bounded(w *instance.Work) Options {
	if o.within == nil {
		return o
	}
	of := o.within
	o.Valid = func(s *spec.Schema, value any) bool {
		v := of(s)
		if v == nil || w.Left() == 0 {
			return false
		}
		kept, steps := v.KeepsWithin(value, schema.Request, w.Left())
		w.Spend(steps)
		return kept
	}
	o.Wrong = func(s *spec.Schema, value any) bool {
		v := of(s)
		if v == nil || w.Left() == 0 {
			return false
		}
		keeps, known, steps := v.SettlesWithin(value, schema.Request, w.Left())
		w.Spend(steps)
		if known || w.Left() == 0 {
			return known && !keeps
		}
		r := v.ValidateWithin(value, schema.Request, w.Left())
		w.Spend(r.Steps)
		return wrong(r)
	}
	return o
}

// wrong reports whether a value certainly violates its schema.
func wrong(r schema.Result) bool {
	sure, _ := doubt.Settled(r)
	return len(serious(sure)) > 0
}

// plainRequestWork returns the work for the plain requests of an operation. They are made on demand; used counts
// the work of all operations so far.
func plainRequestWork(used *atomic.Int64) *instance.Work {
	if used != nil && used.Load() > workOfAll {
		return instance.NewWork(leastWork)
	}
	return instance.NewWork(plainWork)
}
