package traffic_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports/record"
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

// BenchmarkSoak is the judging of exchanges that differ in whatever may be counted or kept: paths, identifiers, hosts, headers, statuses,
// bodies and what is wrong with them. It reports the heap after a tenth of them and at the end, in KiB, which -benchtime 1000000x compares.
func BenchmarkSoak(b *testing.B) {
	j := notesJudge(b)
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc >> 10)
	}
	var tenth float64
	for i := range b.N { // b.Loop does not say how many there will be
		j.Add(soaking(i))
		if i%max(b.N/10, 1) == 0 && i > 0 {
			now := heap()
			if tenth == 0 {
				tenth = now
			}
			b.Logf("after %d: %.0f KiB", i, now)
		}
	}
	b.ReportMetric(tenth, "KiB-after-a-tenth")
	b.ReportMetric(heap(), "KiB-at-the-end")
	rec := new(record.Record)
	j.Fill(rec, "the benchmark")
	b.ReportMetric(float64(len(rec.Exchanges)), "kept")
	b.ReportMetric(float64(rec.Traffic.Forgotten), "forgotten")
}

// soaking returns an exchange that has something in common with no other.
func soaking(i int) *traffic.Exchange {
	id := fmt.Sprintf("1c9f4b63-8d2e-4f70-8b3c-%012x", i)
	x := &traffic.Exchange{Started: time.Unix(int64(i), 0)}
	x.Request.Method, x.Request.Header = http.MethodGet, http.Header{"Authorization": {"Bearer " + id}, fmt.Sprintf("X-Header-%d", i): {id}}
	x.Response.Status, x.Response.Header = http.StatusOK, http.Header{"Content-Type": {"application/json"}, "Etag": {`"` + id + `"`}, fmt.Sprintf("X-Answer-%d", i): {id}}
	url := notesURL + "/" + id
	switch i % 10 {
	case 0: // creations, remembered for comparisons
		url, x.Request.Method, x.Response.Status = notesURL, http.MethodPost, http.StatusCreated
		x.Request.Body, x.Response.Body = []byte(`{"title":"`+id+`"}`), []byte(`{"id":"`+id+`","title":"`+id+`"}`)
		x.Response.Header.Set("Location", "/notes/"+id)
	case 1, 2: // reads
		x.Response.Body = []byte(`{"id":"` + id + `","title":"` + id + `"}`)
	case 3: // bodies that are wrong in another place each
		x.Response.Body = []byte(`{"id":"` + id + `","title":` + strconv.Itoa(i) + `}`)
	case 4:
		x.Response.Body = []byte(`{"id":` + strconv.Itoa(i) + `,"` + id + `":null}`)
	case 5: // statuses
		x.Response.Status, x.Response.Body = 200+i/10%800, []byte(`{"`+id+`":1}`)
	case 6: // media types
		x.Response.Header.Set("Content-Type", "application/vnd."+id+"+json")
		x.Response.Body = []byte(`{}`)
	case 7: // paths that the contract does not have
		url = "https://api.example.com/unknown/" + id
	case 8: // hosts, and methods
		url = "https://" + id + ".example.net/notes"
	case 9:
		x.Request.Method = "M" + strconv.Itoa(i)
	}
	x.SetURL(url)
	return x
}
