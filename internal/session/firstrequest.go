package session

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// firstRequest begins something with the first request. Until then wrong input may still turn up, and must not replace
// the reports of an earlier run.
type firstRequest struct {
	http.RoundTripper
	begin func() error
	once  sync.Once
	begun atomic.Bool
	err   error
}

// Unwrap returns the wrapped transport.
func (f *firstRequest) Unwrap() http.RoundTripper { return f.RoundTripper }

func (f *firstRequest) RoundTrip(r *http.Request) (*http.Response, error) {
	f.once.Do(func() {
		f.begun.Store(true)
		f.err = f.begin()
	})
	if f.err != nil {
		return nil, f.err
	}
	return f.RoundTripper.RoundTrip(r)
}
