package reference

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"hallmark/reference/mutate"
)

// Implementation makes services of one interface.
type Implementation interface {
	// New makes a service. Its error says which option cannot be used, and why; it never holds a key.
	New(o Options) (Service, error)
	// BasePath is the path of a service's address unless the options name another.
	BasePath() string
	// NewKey returns an API key that nobody knows.
	NewKey() string
	// Open opens the file that keeps what a service is told, and makes it where there is none.
	Open(file string) (io.Closer, error)
	// Faults are the written faults, Freedoms the legal variations.
	Faults() []Fault
	Freedoms() []Freedom
	// Mutated returns a variant with a mutation. It fails when the mutation makes no sense.
	Mutated(m mutate.Mutation) (Variant, error)
	// Unite returns a variant with all the freedoms of these names. It fails when two share a place.
	Unite(freedoms []string) (Variant, error)
}

// Options are what a service needs to know. Only Keys has no default.
type Options struct {
	// Keys are the API keys, of which a client needs one.
	Keys []string
	// BasePath is the path of the service's address.
	BasePath string
	// Store is what Open returned; nil for memory. Whoever opened it closes it.
	Store io.Closer
	// Log gets a line for each request and whatever goes wrong. Nil is silent.
	Log *slog.Logger
	// Shutdown is how long the requests under way may take when the service ends; 0 for the service's own time.
	Shutdown time.Duration
	// Variant is what is special about the service; nil for nothing.
	Variant Variant
}

// Service is one that was made. It must be closed.
type Service interface {
	Handler() http.Handler
	BasePath() string
	// Preload creates n resources, beside those that the variant brings along.
	Preload(ctx context.Context, n int) error
	// Serve answers the requests that come in through l until ctx ends, and closes l.
	Serve(ctx context.Context, l net.Listener) error
	// Close ends what runs beside the service.
	Close()
}

// Variant is a way to make a service; only the implementation that it is of knows more of it.
type Variant any

// Fault is a defect that is put into a service on purpose: it breaks one rule, and the service keeps all others as far as one can
// be broken alone.
type Fault struct {
	// Name is made of words joined by hyphens; Family is the group that it belongs to.
	Name, Family string
	// Rule is the id of the rule that it breaks, Says describes it in one sentence.
	Rule, Says string
	// Chance marks a fault that shows only now and then, or only when requests meet: one run may miss it.
	Chance bool
	// Variant is the service that has it.
	Variant Variant
}

// Freedom is an unusual way of a service that the interface allows.
type Freedom struct {
	Name, Family string
	// Rule is the id of the open rule that it uses, Says describes it in one sentence.
	Rule, Says string
	// Now is the day by which the service is judged; empty for today.
	Now string
	// Network marks what only shows over a network, TLS what only shows over https.
	Network, TLS bool
	// Places are what of a service it changes. Of two that share one the first may hide the second, so that no service has both; one
	// without any is judged by itself.
	Places  []string
	Variant Variant
}
