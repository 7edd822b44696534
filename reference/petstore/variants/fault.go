package variants

import (
	"context"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// Fault is a deliberate defect of the service. It breaks one rule and keeps all others, as far as one can be broken alone.
type Fault struct {
	// Name consists of words joined by hyphens. Family is its group, one per file.
	Name, Family string
	// Rule is the id of the broken rule in the catalogue.
	Rule string
	// Says describes the fault in a sentence.
	Says string
	// Chance marks a fault that shows only occasionally, or only with concurrent requests: one run may miss it.
	Chance bool
	// Variant is the service with the fault.
	Variant Variant
}

// Faults returns the hand-written faults: those that a contract cannot express. For the others, see [Mutation].
func Faults() []Fault {
	var all []Fault
	for _, f := range []struct {
		family string
		faults []Fault
	}{
		{"auth", authFaults()},
		{"keys", nearKeyFaults()},
		{"errors", errorFaults()},
		{"answers", answerFaults()},
		{"limit", limitFaults()},
		{"filter", filterFaults()},
		{"list", listFaults()},
		{"create", createFaults()},
		{"refusal", refusalFaults()},
		{"blanks", blankFaults()},
		{"members", memberFaults()},
		{"values", valueFaults()},
		{"names", nameFaults()},
		{"bytes", byteFaults()},
		{"edges", edgeFaults()},
		{"ids", idFaults()},
		{"read", readFaults()},
		{"time", timeFaults()},
		{"robust", robustFaults()},
	} {
		for _, one := range f.faults {
			one.Family = f.family
			all = append(all, one)
		}
	}
	return all
}

func fault(name, rule, says string, changes ...change) Fault {
	return Fault{Name: name, Rule: rule, Says: says, Variant: with(changes...)}
}

// chancy returns a fault that one run may miss.
func chancy(name, rule, says string, changes ...change) Fault {
	f := fault(name, rule, says, changes...)
	f.Chance = true
	return f
}

// fresh is for changes with state: each service gets its own.
func fresh(make func() change) change {
	return func(p *plan) { make()(p) }
}

// hook is a store with some methods replaced.
type hook struct {
	petstore.Store
	create func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error)
	get    func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error)
	list   func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error)
}

func (h hook) Create(ctx context.Context, pet petstore.NewPet) (petstore.Pet, error) {
	if h.create == nil {
		return h.Store.Create(ctx, pet)
	}
	return h.create(ctx, pet, h.Store)
}

func (h hook) Get(ctx context.Context, id int64) (petstore.Pet, error) {
	if h.get == nil {
		return h.Store.Get(ctx, id)
	}
	return h.get(ctx, id, h.Store)
}

func (h hook) List(ctx context.Context, filter petstore.Filter, limit int) ([]petstore.Pet, error) {
	if h.list == nil {
		return h.Store.List(ctx, filter, limit)
	}
	return h.list(ctx, filter, limit, h.Store)
}

func creating(f func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error)) change {
	return storing(func(s petstore.Store) petstore.Store { return hook{Store: s, create: f} })
}

func getting(f func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error)) change {
	return storing(func(s petstore.Store) petstore.Store { return hook{Store: s, get: f} })
}

func listing(f func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error)) change {
	return storing(func(s petstore.Store) petstore.Store { return hook{Store: s, list: f} })
}

// match selects exchanges by their responses.
type match func(x *exchange) bool

// on selects the responses of the operations with one of the statuses; 0 means any.
func on(status int, operations ...string) match {
	return func(x *exchange) bool {
		return (status == 0 || x.Status == status) && slices.Contains(operations, x.operation)
	}
}

// answered calls do with the selected responses.
func answered(m match, do func(x *exchange)) change {
	return handling(func(x *exchange, next func()) {
		next()
		if m(x) {
			do(x)
		}
	})
}

// asked calls do with requests to the operations before they are handled.
func asked(do func(x *exchange), operations ...string) change {
	return handling(func(x *exchange, next func()) {
		if x.is(operations...) {
			do(x)
		}
		next()
	})
}

// editShown calls do with each animal that the operations return.
func editShown(do func(i int, pet map[string]any), operations ...string) change {
	return handling(func(x *exchange, next func()) {
		next()
		if x.is(operations...) {
			x.editItems(do)
		}
	})
}

// every reports whether n is a multiple of so.
func every(n int64, so int64) bool { return n%so == 0 }

// pause gives other requests time to intervene.
func pause() { wait(context.Background(), 300*time.Microsecond) }

// wait waits and reports whether the context is still active.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
