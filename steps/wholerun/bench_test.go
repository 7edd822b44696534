package wholerun_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"hallmark/reference/petstore"
	"hallmark/steps"
	"hallmark/steps/client"
	"hallmark/steps/runtest"
)

// sent is a request as bytes, to be sent again without any thought.
type sent struct {
	method, path string
	header       http.Header
	body         []byte
}

// tape notes the requests that pass through it.
type tape struct {
	http.RoundTripper
	mu   sync.Mutex
	sent []sent
}

func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	s := sent{method: r.Method, path: r.URL.RequestURI(), header: r.Header.Clone()}
	if r.Body != nil {
		s.body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(s.body))
	}
	t.mu.Lock()
	t.sent = append(t.sent, s)
	t.mu.Unlock()
	return t.RoundTripper.RoundTrip(r)
}

// replay sends the requests at that concurrency and reads each response to its end.
func replay(b *testing.B, client *http.Client, base string, all []sent, concurrency int) time.Duration {
	b.Helper()
	began := time.Now()
	queue := make(chan sent)
	var wg sync.WaitGroup
	for range concurrency {
		wg.Go(func() {
			for s := range queue {
				req, err := http.NewRequest(s.method, base+s.path, bytes.NewReader(s.body))
				if err != nil {
					b.Error(err)
					continue
				}
				req.Header = s.header
				resp, err := client.Do(req)
				if err != nil {
					b.Error(err)
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	for _, s := range all {
		queue <- s
	}
	close(queue)
	wg.Wait()
	return time.Since(began)
}

// BenchmarkLatency measures a full run against the reference service behind 20 ms of latency, by how many requests are under way at a
// time. No run can be faster than its exchanges one after the other, as many at a time as that.
func BenchmarkLatency(b *testing.B) {
	const latency = 20 * time.Millisecond
	for name, concurrency := range map[string]int{"8": 8, "32": 32, "auto": client.Auto} {
		b.Run(name, func(b *testing.B) {
			k := runtest.New(b)
			exchanges, widest := 0, 0
			for b.Loop() {
				service := newBehind(b, latency, 0)
				rec, _ := k.Run(b, "http://pets.example.com/v1", referenceKey, func(c *steps.Config) {
					c.Transport, c.Concurrency = service, concurrency
				})
				exchanges, widest = len(rec.Exchanges), rec.AtOnce()
			}
			least := time.Duration(exchanges) * latency / time.Duration(widest)
			b.ReportMetric(float64(exchanges), "exchanges")
			b.ReportMetric(float64(widest), "at-once")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/least.Seconds(), "run/least")
		})
	}
}

// BenchmarkRun compares a full run against the reference service with a bare client that sends the same bytes, one after
// the other and at the run's concurrency. Each round uses fresh stores; medians are reported, and ratios of medians.
func BenchmarkRun(b *testing.B) {
	const concurrency = 8
	k := runtest.New(b)
	fresh := func() *httptest.Server {
		s, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
		if err != nil {
			b.Fatal(err)
		}
		return httptest.NewServer(s.Handler())
	}
	var full, sequential, concurrent []float64
	exchanges := 0
	for b.Loop() {
		server := fresh()
		recorded := &tape{RoundTripper: client.NewTransport(concurrency)}
		k.Run(b, server.URL+"/v1", referenceKey, func(c *steps.Config) { c.Transport = recorded })
		server.Close()
		exchanges = len(recorded.sent)

		server = fresh()
		began := time.Now()
		k.Run(b, server.URL+"/v1", referenceKey, nil)
		full = append(full, time.Since(began).Seconds())
		server.Close()

		for _, at := range []int{1, concurrency} {
			server = fresh()
			took := replay(b, &http.Client{Transport: client.NewTransport(concurrency)}, server.URL, recorded.sent, at)
			if at == 1 {
				sequential = append(sequential, took.Seconds())
			} else {
				concurrent = append(concurrent, took.Seconds())
			}
			server.Close()
		}
	}
	median := func(v []float64) float64 { slices.Sort(v); return v[len(v)/2] }
	b.ReportMetric(float64(exchanges), "exchanges")
	b.ReportMetric(1000*median(full), "run-ms")
	b.ReportMetric(1000*median(sequential), "bare-sequential-ms")
	b.ReportMetric(1000*median(concurrent), "bare-concurrent-ms")
	b.ReportMetric(median(full)/median(sequential), "run/bare-sequential")
	b.ReportMetric(median(full)/median(concurrent), "run/bare-concurrent")
}
