package variants

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/hallmark-kit/hallmark/reference"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// Reference returns the reference implementation of the Petstore.
func Reference() reference.Implementation { return implementation{} }

type implementation struct{}

func (implementation) BasePath() string { return petstore.DefaultBasePath }

func (implementation) NewKey() string { return petstore.NewKey() }

func (implementation) Open(file string) (io.Closer, error) { return petstore.OpenFile(file) }

func (implementation) Mutated(m mutate.Mutation) (reference.Variant, error) { return Mutated(m) }

func (implementation) Unite(freedoms []string) (reference.Variant, error) { return Unite(freedoms) }

func (implementation) Faults() []reference.Fault {
	var all []reference.Fault
	for _, f := range Faults() {
		all = append(all, reference.Fault{Name: f.Name, Family: f.Family, Rule: f.Rule, Says: f.Says, Chance: f.Chance, Variant: f.Variant})
	}
	return all
}

func (implementation) Freedoms() []reference.Freedom {
	var all []reference.Freedom
	for _, f := range Freedoms() {
		all = append(all, reference.Freedom{
			Name: f.Name, Family: f.Family, Rule: f.Rule, Says: f.Says, Now: f.Now, Network: f.Network, TLS: f.TLS, Places: f.Places, Variant: f.Variant,
		})
	}
	return all
}

func (implementation) New(o reference.Options) (reference.Service, error) {
	variant, ours := o.Variant.(Variant)
	if o.Variant != nil && !ours {
		return nil, errors.New("the variant belongs to another service")
	}
	s := &service{options: petstore.Options{
		Keys: o.Keys, BasePath: o.BasePath, Store: petstore.NewMemory(), Log: o.Log,
	}, timeouts: petstore.Timeouts{Shutdown: o.Shutdown}}
	if o.Store != nil {
		if s.options.Store, ours = o.Store.(petstore.Store); !ours {
			return nil, errors.New("the store belongs to another service")
		}
	}
	var err error
	s.decorated, err = Build(s.options, variant)
	return s, err
}

// service is a service with the options by which it is served.
type service struct {
	options   petstore.Options
	timeouts  petstore.Timeouts
	decorated *Decorated
}

func (s *service) Handler() http.Handler { return s.decorated.Handler }

func (s *service) BasePath() string { return s.decorated.BasePath }

func (s *service) Preload(ctx context.Context, n int) error {
	return petstore.Preload(ctx, s.options.Store, n)
}

func (s *service) Serve(ctx context.Context, l net.Listener) error {
	return petstore.Serve(ctx, l, s.decorated.Handler, s.timeouts, s.options.Log)
}

func (s *service) Close() { s.decorated.Close() }
