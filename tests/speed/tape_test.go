//go:build unix

package speed

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
)

// request is one as bytes, to be sent again without any thought.
type request struct {
	method, uri string
	header      http.Header
	body        []byte
}

// tape notes the requests that pass through it on their way to a service.
type tape struct {
	mu       sync.Mutex
	requests []request
}

// before starts a proxy in front of a service that notes what passes; base is its address, with the path of the service's.
func (t *tape) before(tb testing.TB, service string) (base string, stop func()) {
	tb.Helper()
	to, err := url.Parse(service)
	if err != nil {
		tb.Fatal(err)
	}
	onward := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", to.Host },
		Transport: client.NewTransport(64),
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		t.mu.Lock()
		t.requests = append(t.requests, request{r.Method, r.RequestURI, r.Header.Clone(), body})
		t.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		onward.ServeHTTP(w, r)
	}))
	return proxy.URL + to.Path, proxy.Close
}

// replay sends the requests, so many at a time, reads each response to its end, and then does what is to be done after each.
func replay(tb testing.TB, service string, all []request, concurrency int, after ...func()) time.Duration {
	tb.Helper()
	to, err := url.Parse(service)
	if err != nil {
		tb.Fatal(err)
	}
	host := "http://" + to.Host
	bare := client.NewTransport(concurrency)
	defer bare.CloseIdleConnections()
	var lost atomic.Int64
	queue := make(chan request)
	var wg sync.WaitGroup
	began := time.Now()
	for range concurrency {
		wg.Go(func() {
			for one := range queue {
				req, err := http.NewRequestWithContext(tb.Context(), one.method, host+one.uri, bytes.NewReader(one.body))
				if err != nil {
					lost.Add(1)
					continue
				}
				req.Header = one.header.Clone()
				resp, err := bare.RoundTrip(req)
				if err != nil {
					lost.Add(1)
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				for _, do := range after {
					do()
				}
			}
		})
	}
	for _, one := range all {
		queue <- one
	}
	close(queue)
	wg.Wait()
	took := time.Since(began)
	if n := lost.Load(); n > int64(len(all))/100 {
		tb.Errorf("%d of %d requests of the replay came to nothing", n, len(all))
	}
	return took
}
