package traffic_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/traffic"
)

// seen collects what a proxy has judged.
type seen struct {
	mu  sync.Mutex
	all []*traffic.Exchange
}

func (s *seen) add(x *traffic.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, x)
}

// proxied returns a proxy in front of a handler, and its address.
func proxied(t testing.TB, service http.Handler, judge func(*traffic.Exchange), change func(*traffic.ProxyOptions)) (*traffic.Proxy, string) {
	t.Helper()
	upstream := httptest.NewUnstartedServer(service)
	upstream.Config.Protocols = protocols()
	upstream.Start()
	t.Cleanup(upstream.Close)
	return inFront(t, upstream.URL, judge, change)
}

// protocols are those that the tests speak without TLS.
func protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}

func inFront(t testing.TB, service string, judge func(*traffic.Exchange), change func(*traffic.ProxyOptions)) (*traffic.Proxy, string) {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	o := traffic.ProxyOptions{To: to, Transport: &http.Transport{DisableCompression: true, ExpectContinueTimeout: time.Minute}, Judge: judge, Most: 1 << 10}
	if change != nil {
		change(&o)
	}
	p := traffic.NewProxy(o)
	front := httptest.NewUnstartedServer(p)
	front.Config.Protocols = protocols()
	front.Start()
	t.Cleanup(front.Close)
	return p, front.URL
}

// A service cannot tell whether there is a proxy, apart from the connection, and neither can a client.
func TestProxyChangesNothing(t *testing.T) {
	var got *http.Request
	var sent []byte
	var s seen
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body)
		got = r
		w.Header()["x-odd"] = []string{"1", "2"}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Trailer", "X-Sum")
		w.Header().Set("Date", "Fri, 27 Nov 2026 10:00:00 GMT")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "not gzip")
		w.Header().Set("X-Sum", "8")
	}), s.add, nil)
	r, err := http.NewRequest(http.MethodPatch, at+"/a%2Fb/%7Ec//d?x=1;y&%zz", struct{ io.Reader }{strings.NewReader("hello")})
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "shop.example.com"
	r.Header = http.Header{"User-Agent": nil, "X-Forwarded-For": {"192.0.2.1"}, "X-Forwarded-Proto": {"https"}, "Forwarded": {"for=192.0.2.1"}, "Accept-Encoding": {"br"}, "X-One": {"a", "b"}}
	r.Trailer = http.Header{"X-Checksum": {"5"}}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || string(body) != "not gzip" || answer.StatusCode != http.StatusTeapot || answer.Trailer.Get("X-Sum") != "8" {
		t.Errorf("received %d %q, %v, %v", answer.StatusCode, body, answer.Trailer, err)
	}
	if want := (http.Header{"X-Odd": {"1", "2"}, "Content-Encoding": {"gzip"}, "Date": {"Fri, 27 Nov 2026 10:00:00 GMT"}}); fmt.Sprint(answer.Header) != fmt.Sprint(want) {
		t.Errorf("the headers are %v, want %v", answer.Header, want)
	}
	if got.RequestURI != "/a%2Fb/%7Ec//d?x=1;y&%zz" || got.Host != "shop.example.com" || got.Method != http.MethodPatch || string(sent) != "hello" || got.Trailer.Get("X-Checksum") != "5" {
		t.Errorf("the service got %s %s %s, %q, %v", got.Method, got.Host, got.RequestURI, sent, got.Trailer)
	}
	if want := (http.Header{"X-Forwarded-For": {"192.0.2.1"}, "X-Forwarded-Proto": {"https"}, "Forwarded": {"for=192.0.2.1"}, "Accept-Encoding": {"br"}, "X-One": {"a", "b"}}); fmt.Sprint(got.Header) != fmt.Sprint(want) {
		t.Errorf("the service got %v, want %v", got.Header, want)
	}
	p.Close()
	if len(s.all) != 1 || string(s.all[0].Request.Body) != "hello" || string(s.all[0].Response.Body) != "not gzip" || s.all[0].Path != "/a%2Fb/%7Ec//d" || s.all[0].BodyUnknown {
		t.Errorf("judged were %+v", s.all)
	}
}

// Events reach the client when they come, not when the stream ends.
func TestProxyStreams(t *testing.T) {
	next := make(chan struct{})
	var s seen
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			_ = http.NewResponseController(w).Flush()
			<-next
		}
	}), s.add, nil)
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(answer.Body)
	for i := range 3 {
		if !lines.Scan() || lines.Text() != fmt.Sprintf("data: %d", i) || !lines.Scan() {
			t.Fatalf("read %q, %v", lines.Text(), lines.Err())
		}
		next <- struct{}{}
	}
	if lines.Scan() {
		t.Errorf("read %q", lines.Text())
	}
	_ = answer.Body.Close()
	p.Close()
	if len(s.all) != 1 || s.all[0].BodyUnknown || string(s.all[0].Response.Body) != "data: 0\n\ndata: 1\n\ndata: 2\n\n" {
		t.Errorf("judged were %+v", s.all)
	}
}

// An upload reaches the service as it comes. Of what is too long, a beginning is judged.
func TestProxyUploads(t *testing.T) {
	arrived := make(chan struct{})
	var s seen
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := make([]byte, 4<<10)
		if _, err := io.ReadFull(r.Body, first); err != nil {
			t.Error(err)
		}
		arrived <- struct{}{}
		rest, err := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%d %v", rest, err)
	}), s.add, nil)
	from, to := io.Pipe()
	go func() {
		_, _ = to.Write(make([]byte, 4<<10))
		<-arrived
		_, _ = to.Write(make([]byte, 3<<20))
		_ = to.Close()
	}()
	answer, err := http.Post(at, "application/octet-stream", from)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != fmt.Sprintf("%d <nil>", 3<<20) {
		t.Errorf("read %q, %v", body, err)
	}
	_ = answer.Body.Close()
	p.Close()
	if len(s.all) != 1 || !s.all[0].RequestBodyUnknown || len(s.all[0].Request.Body) != 1<<10 {
		t.Errorf("judged were %+v", s.all)
	}
}

// A client that waits for 100 Continue sends no body to a service that refuses it.
func TestProxyContinues(t *testing.T) {
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			w.WriteHeader(http.StatusExpectationFailed)
			return
		}
		_, _ = io.Copy(w, r.Body)
	}), func(*traffic.Exchange) {}, nil)
	defer p.Close()
	client := &http.Transport{ExpectContinueTimeout: time.Minute}
	defer client.CloseIdleConnections()
	for path, want := range map[string]string{"/no": "417 \"\" false", "/yes": "200 \"hello\" true"} {
		read := &reading{Reader: strings.NewReader("hello")}
		r, err := http.NewRequest(http.MethodPost, at+path, read)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = 5
		r.Header.Set("Expect", "100-continue")
		answer, err := client.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if got := fmt.Sprintf("%d %q %t", answer.StatusCode, body, read.begun); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// reading notes whether it was read.
type reading struct {
	io.Reader

	begun bool
}

func (r *reading) Read(p []byte) (int, error) {
	r.begun = true
	return r.Reader.Read(p)
}

// What takes over the connection passes through.
func TestProxySwitchesProtocols(t *testing.T) {
	var s seen
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, _ := both.ReadString('\n')
		_, _ = io.WriteString(conn, strings.ToUpper(line))
	}), s.add, nil)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	in := bufio.NewReader(conn)
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("received %v, %v", answer, err)
	}
	_, _ = io.WriteString(conn, "hello\n")
	if line, err := in.ReadString('\n'); err != nil || line != "HELLO\n" {
		t.Errorf("read %q, %v", line, err)
	}
	p.Close()
	if len(s.all) != 0 {
		t.Errorf("judged were %+v", s.all)
	}
}

// HTTP/2 without TLS at both sides, and with TLS at the service.
func TestProxySpeaksHTTP2(t *testing.T) {
	speaks := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	only := new(http.Protocols)
	only.SetUnencryptedHTTP2(true)
	secure := httptest.NewUnstartedServer(speaks)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	var s seen
	p1, plain := proxied(t, speaks, s.add, func(o *traffic.ProxyOptions) {
		o.Transport = &http.Transport{Protocols: only}
	})
	p2, encrypted := inFront(t, secure.URL, s.add, func(o *traffic.ProxyOptions) { o.Transport = secure.Client().Transport })
	client := &http.Client{Transport: &http.Transport{Protocols: only}}
	for _, at := range []string{plain, encrypted} {
		answer, err := client.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "HTTP/2.0" || answer.Proto != "HTTP/2.0" {
			t.Errorf("the service is asked by %q, %v, and answers by %s", body, err, answer.Proto)
		}
		_ = answer.Body.Close()
	}
	client.CloseIdleConnections()
	p1.Close()
	p2.Close()
	if len(s.all) != 2 {
		t.Errorf("judged were %+v", s.all)
	}
}

// A judge that hangs costs exchanges, and no request waits for it.
func TestProxyDropsWhatIsNotJudged(t *testing.T) {
	const requests = 2500
	hangs := make(chan struct{})
	judged := 0
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 100)) }), func(*traffic.Exchange) {
		<-hangs
		judged++
	}, nil)
	for range requests {
		answer, err := http.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, answer.Body); n != 100 || err != nil {
			t.Fatalf("read %d bytes, %v", n, err)
		}
		_ = answer.Body.Close()
	}
	close(hangs)
	dropped := p.Close()[traffic.Behind]
	if judged+dropped != requests || dropped < requests-2100 {
		t.Errorf("judged are %d and dropped %d of %d", judged, dropped, requests)
	}
}

func TestProxySamples(t *testing.T) {
	var s seen
	p, at := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }), s.add, func(o *traffic.ProxyOptions) { o.Sample = 3 })
	for i := range 7 {
		answer, err := http.Get(fmt.Sprintf("%s/%d", at, i))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
	left := p.Close()[traffic.Unsampled]
	var paths []string
	for _, x := range s.all {
		paths = append(paths, x.Path)
	}
	if !slices.Equal(paths, []string{"/0", "/3", "/6"}) || left != 4 {
		t.Errorf("judged are %q, and %d not", paths, left)
	}
}

// A service that cannot be reached is a 502 of the proxy, which is counted, and not judged.
func TestProxyWithoutService(t *testing.T) {
	var s seen
	p, at := inFront(t, "http://127.0.0.1:1", s.add, nil)
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if failed := p.Close()[traffic.NoResponse]; answer.StatusCode != http.StatusBadGateway || failed != 1 || len(s.all) != 0 {
		t.Errorf("received %d, counted %d, judged %v", answer.StatusCode, failed, s.all)
	}
}

// Serve ends with its context, and lets requests in flight end.
func TestServe(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() {
		served <- traffic.Serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			cancel()
			_, _ = io.WriteString(w, "done")
		}))
	}()
	answer, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "done" {
		t.Errorf("read %q, %v", body, err)
	}
	_ = answer.Body.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
