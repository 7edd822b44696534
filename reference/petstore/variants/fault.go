package variants

import (
	"context"
	"slices"
	"time"

	"hallmark/reference/petstore"
)

// Fault is a defect that is put into the service on purpose: it breaks one rule, and the service keeps all others as far
// as one can be broken alone.
type Fault struct {
	// Name is made of words joined by hyphens; Family is the group that it belongs to, one a file.
	Name, Family string
	// Rule is the id of the rule that it breaks, as the catalogue of rules has it.
	Rule string
	// Says describes it in one sentence.
	Says string
	// Chance marks a fault that shows only now and then, or only when requests meet: one run may miss it.
	Chance bool
	// Variant is the service that has it.
	Variant Variant
}

// Faults are the written faults: what a contract cannot hold. For what it can hold, see [Mutation].
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

// chancy is a fault that one run may miss.
func chancy(name, rule, says string, changes ...change) Fault {
	f := fault(name, rule, says, changes...)
	f.Chance = true
	return f
}

// fresh is for changes that remember something: each service gets a memory of its own.
func fresh(make func() change) change {
	return func(p *plan) { make()(p) }
}

// hook is a store of which some methods are replaced.
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

// match selects exchanges, once they are answered.
type match func(x *exchange) bool

// on selects the responses of the operations that have one of the statuses; 0 stands for any.
func on(status int, operations ...string) match {
	return func(x *exchange) bool {
		return (status == 0 || x.Status == status) && slices.Contains(operations, x.operation)
	}
}

// answered does something to the responses that are selected.
func answered(m match, do func(x *exchange)) change {
	return handling(func(x *exchange, next func()) {
		next()
		if m(x) {
			do(x)
		}
	})
}

// asked does something to the requests of the operations before they are handled.
func asked(do func(x *exchange), operations ...string) change {
	return handling(func(x *exchange, next func()) {
		if x.is(operations...) {
			do(x)
		}
		next()
	})
}

// editShown does something to each animal that the operations show.
func editShown(do func(i int, pet map[string]any), operations ...string) change {
	return handling(func(x *exchange, next func()) {
		next()
		if x.is(operations...) {
			x.editItems(do)
		}
	})
}

// every reports whether n is one of each so many.
func every(n int64, so int64) bool { return n%so == 0 }

// pause gives other requests the time to come between.
func pause() { wait(context.Background(), 300*time.Microsecond) }

// wait waits; it reports whether the context is still alive.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
