package traffic_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/traffic"
)

// BenchmarkWatch compares a bare reverse proxy with one that judges copies of what passes, and with one that copies nothing: at 2,000
// requests a second each, in turns, by medians.
func BenchmarkWatch(b *testing.B) {
	list := "[" + strings.TrimSuffix(strings.Repeat(`{"kind":"large","id":"a1b2c3","weight":12.5},`, 30), ",") + "]"
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Total", "30")
		_, _ = io.WriteString(w, list)
	}))
	defer service.Close()
	to, err := url.Parse(service.URL)
	if err != nil {
		b.Fatal(err)
	}
	transport := func() http.RoundTripper { return &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64} }
	basis := basis(b)
	judge := traffic.New(basis, traffic.Options{Place: traffic.At(basis.Contract, service.URL+"/v2"), Most: 1 << 20})
	judging := traffic.NewProxy(traffic.ProxyOptions{To: to, Transport: transport(), Judge: judge.Add, Most: 1 << 20})
	passing := traffic.NewProxy(traffic.ProxyOptions{To: to, Transport: transport(), Most: 1 << 20})
	fronts := []http.Handler{
		&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: transport(), FlushInterval: -1}, passing, judging,
	}
	var urls []string
	for _, front := range fronts {
		server := httptest.NewServer(front)
		defer server.Close()
		urls = append(urls, server.URL+"/v2/orders?state=open")
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	const ofOneTurn, apart = 400, time.Second / 2000
	times := make([][]time.Duration, len(fronts))
	for b.Loop() {
		for i, at := range urls {
			times[i] = append(times[i], paced(b, client, at, ofOneTurn, apart)...)
		}
	}
	dropped := judging.Close()[traffic.Behind]
	passing.Close()
	median := func(i int) float64 {
		slices.Sort(times[i])
		return float64(times[i][len(times[i])/2].Microseconds())
	}
	bare := median(0)
	b.ReportMetric(median(1)/bare, "passing/bare")
	b.ReportMetric(median(2)/bare, "judging/bare")
	b.ReportMetric(median(2)-bare, "µs-more")
	b.ReportMetric(float64(dropped), "dropped")
}

// paced sends requests at a steady pace, and returns how long each took.
func paced(b *testing.B, client *http.Client, at string, requests int, apart time.Duration) []time.Duration {
	all := make([]time.Duration, requests)
	tick := time.NewTicker(apart)
	defer tick.Stop()
	var group sync.WaitGroup
	for i := range requests {
		<-tick.C
		group.Go(func() {
			began := time.Now()
			answer, err := client.Get(at)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			all[i] = time.Since(began)
		})
	}
	group.Wait()
	return all
}

// BenchmarkJudge is the judging of an exchange.
func BenchmarkJudge(b *testing.B) {
	basis := basis(b)
	j := traffic.New(basis, traffic.Options{Place: traffic.Documented(basis.Contract), Most: traffic.LongestBody})
	for b.Loop() {
		x := &traffic.Exchange{}
		x.Request.Method, x.Request.Header = http.MethodGet, http.Header{}
		x.SetURL("https://api.example.com/v2/orders?state=open")
		x.Response.Status, x.Response.Header = http.StatusOK, http.Header{"Content-Type": {"application/json"}, "X-Total": {"1"}}
		x.Response.Body = []byte("[" + strings.TrimSuffix(strings.Repeat(`{"kind":"large","id":"a1b2c3","weight":12.5},`, 30), ",") + "]")
		j.Add(x)
	}
}
