package reference

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// Implementation makes services of one interface.
type Implementation interface {
	// New returns a service. Its error says which option is invalid, and why; it never contains a key.
	New(o Options) (Service, error)
	// BasePath returns the default path of a service's address.
	BasePath() string
	// NewKey returns a random API key.
	NewKey() string
	// Open opens the file in which a service stores its data, and creates it if it does not exist.
	Open(file string) (io.Closer, error)
	// Faults returns the hand-written faults, Freedoms the legal variations.
	Faults() []Fault
	Freedoms() []Freedom
	// Mutated returns a variant with a mutation. It fails if the mutation is invalid.
	Mutated(m mutate.Mutation) (Variant, error)
	// Unite returns a variant with all the named freedoms. It fails if two share a place.
	Unite(freedoms []string) (Variant, error)
}

// Options configures a service. Only Keys has no default.
type Options struct {
	// Keys are the accepted API keys.
	Keys []string
	// BasePath is the path of the service's address.
	BasePath string
	// Store is what Open returned, or nil for memory. Its owner must close it.
	Store io.Closer
	// Log gets a line for each request and each error; nil logs nothing.
	Log *slog.Logger
	// Shutdown is how long the requests in flight may take when the service ends; 0 means the service's default.
	Shutdown time.Duration
	// Variant is the modification of the service, or nil.
	Variant Variant
}

// Service is a running service. It must be closed.
type Service interface {
	Handler() http.Handler
	BasePath() string
	// Preload creates n resources in addition to those of the variant.
	Preload(ctx context.Context, n int) error
	// Serve serves requests on l until ctx ends, and closes l.
	Serve(ctx context.Context, l net.Listener) error
	// Close ends what runs beside the service.
	Close()
}

// Variant is a modification of a service. Only its implementation knows what it contains.
type Variant any

// Fault is a deliberate defect of a service. It breaks one rule and keeps all others, as far as one can be broken alone.
type Fault struct {
	// Name consists of words joined by hyphens. Family is its group.
	Name, Family string
	// Rule is the id of the broken rule. Says describes the fault in a sentence.
	Rule, Says string
	// Chance marks a fault that shows only occasionally, or only with concurrent requests: one run may miss it.
	Chance bool
	// Variant is the service with the fault.
	Variant Variant
}

// Freedom is an unusual but legal behaviour of a service.
type Freedom struct {
	Name, Family string
	// Rule is the id of the open rule that it uses. Says describes the freedom in a sentence.
	Rule, Says string
	// Now is the day for which the service is judged, or empty for today.
	Now string
	// Network marks what shows only over a network, TLS what shows only over https.
	Network, TLS bool
	// Places lists what it changes in a service. Of two freedoms that share a place, the first may hide the second, so no service has both.
	// A freedom without places is judged by itself.
	Places  []string
	Variant Variant
}
