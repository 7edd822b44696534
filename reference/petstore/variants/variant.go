package variants

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// Variant is a modified service: with a [Fault], a [Freedom] or a [mutate.Mutation]. The zero Variant changes nothing.
type Variant struct {
	changes []change
}

// change is one modification of the service.
type change func(*plan)

// plan is a service being built. Later additions are further out: they see requests first and responses last.
type plan struct {
	options     petstore.Options
	middlewares []middleware
	stores      []func(petstore.Store) petstore.Store
	fill        func(context.Context, petstore.Store) error
	chores      []func(context.Context, petstore.Store)
}

// middleware handles a request: it may change the request, calls next to have it handled, and may change the response.
type middleware func(x *exchange, next func())

// Decorated is a service with a variant. It must be closed.
type Decorated struct {
	// Handler serves requests below BasePath.
	Handler  http.Handler
	BasePath string

	stop context.CancelFunc
	done sync.WaitGroup
}

// Close ends what runs beside the service, and waits for it. The store is left to its owner.
func (d *Decorated) Close() {
	d.stop()
	d.done.Wait()
}

// Build makes a service and applies a variant to it from outside: before its handler, between it and its store, and in its options. The
// service itself knows nothing of that.
func Build(options petstore.Options, v Variant) (*Decorated, error) {
	p := &plan{options: options}
	for _, c := range v.changes {
		c(p)
	}
	if p.options.Store == nil {
		p.options.Store = petstore.NewMemory()
	}
	bare := p.options.Store
	if len(v.changes) > 0 {
		p.options.Store = discarding{bare}
	}
	for _, wrap := range p.stores {
		p.options.Store = wrap(p.options.Store)
	}
	service, err := petstore.New(p.options)
	if err != nil {
		return nil, err
	}
	if p.fill != nil {
		if err := p.fill(context.Background(), bare); err != nil {
			return nil, errors.Join(errors.New("the variant's animals could not be created"), err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	d := &Decorated{Handler: service.Handler(), BasePath: service.BasePath(), stop: stop}
	if len(v.changes) > 0 {
		d.Handler = intercept(service, p)
	}
	for _, chore := range p.chores {
		d.done.Go(func() { chore(ctx, bare) })
	}
	return d, nil
}

// with makes a variant of changes.
func with(changes ...change) Variant { return Variant{changes} }

// Mutated returns the service with a mutation. It fails if the mutation is invalid.
func Mutated(m mutate.Mutation) (Variant, error) {
	handle, err := m.Middleware()
	if err != nil {
		return Variant{}, err
	}
	return with(handling(func(x *exchange, next func()) { handle(x.Exchange, next) })), nil
}

// Join combines several variants: a service with all of their faults.
func Join(variants ...Variant) Variant {
	var all Variant
	for _, v := range variants {
		all.changes = append(all.changes, v.changes...)
	}
	return all
}

// handling adds middleware before the handler.
func handling(a middleware) change {
	return func(p *plan) { p.middlewares = append(p.middlewares, a) }
}

// storing adds a wrapper around the store.
func storing(wrap func(petstore.Store) petstore.Store) change {
	return func(p *plan) { p.stores = append(p.stores, wrap) }
}

// filled creates animals before the first request.
func filled(fill func(context.Context, petstore.Store) error) change {
	return func(p *plan) { p.fill = fill }
}

// chore runs beside the service until its context ends, like another client.
func chore(f func(ctx context.Context, store petstore.Store)) change {
	return func(p *plan) { p.chores = append(p.chores, f) }
}

// optioned changes the service's options.
func optioned(f func(*petstore.Options)) change {
	return func(p *plan) { f(&p.options) }
}

// together combines several changes.
func together(changes ...change) change {
	return func(p *plan) {
		for _, c := range changes {
			c(p)
		}
	}
}
