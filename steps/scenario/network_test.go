package scenario_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// networkKey is the key of the targets that are reached.
const networkKey = "f3cc1e7a9b5d4826"

// seenRequest is a request as a listener received it.
type seenRequest struct {
	proto, path, host, target string
	header                    http.Header
	client                    string // the name in the client's certificate
}

// listener answers every request with an empty list, and records it.
type listener struct {
	mu   sync.Mutex
	seen []seenRequest
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := seenRequest{proto: r.Proto, path: r.URL.Path, host: r.Host, target: r.RequestURI, header: r.Header.Clone()}
	if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
		s.client = r.TLS.PeerCertificates[0].Subject.CommonName
	}
	l.mu.Lock()
	l.seen = append(l.seen, s)
	l.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "[]")
}

func (l *listener) last(t *testing.T) seenRequest {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.seen) == 0 {
		t.Fatal("no request arrived")
	}
	return l.seen[len(l.seen)-1]
}

func (l *listener) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = nil
}

// reached requests a list through a network configuration, and returns the record, too.
func reached(t *testing.T, reach client.Network, target scenario.Target) (ex exchangeOrLost) {
	t.Helper()
	transport, err := reach.Transport(2)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	if target.Key == "" {
		target.Key = networkKey
	}
	call := client.Call{Operation: "listPets", Method: "GET", Path: "/pets", Query: "limit=3", Credential: credentials.Right(networkKey).Client()}
	got, err := scenario.Options{Transport: transport, Target: target, Timeout: 20 * time.Second, Agent: "hallmark/test"}.NewClient().Do(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	ex.lost = got.Lost
	if got.Response != nil {
		ex.status = got.Response.Status
	}
	way := record.Connection{
		Insecure: reach.Insecure, CAFile: reach.CAFile, ClientCert: reach.ClientCert, ClientKey: reach.ClientKey,
		Proxy: client.ShowProxy(reach.Proxy), UnixSocket: reach.UnixSocket, H2C: reach.H2C,
	}
	for _, h := range target.Headers {
		way.Headers = append(way.Headers, record.Header{Name: h.Name, Value: h.ForRecords(), Secret: h.Secret})
	}
	ex.curl = record.Target{BaseURL: target.BaseURL, Connection: way}.Curl(*got)
	if text := fmt.Sprintf("%+v %s", *got, ex.curl); strings.Contains(text, target.Key) || strings.Contains(text, "gateway-secret") {
		t.Errorf("a secret stands in %s", text)
	}
	return ex
}

type exchangeOrLost struct {
	status int
	lost   string
	curl   string
}

// repeat runs a curl command as a person would.
func repeat(t *testing.T, line string, l *listener) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Logf("there is no curl here to run %s", line)
		return
	}
	before := l.last(t)
	l.forget()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Env = append(os.Environ(), "HALLMARK_API_KEY="+networkKey, "GATEWAY_TOKEN=gateway-secret", "HALLMARK_PROXY_PASSWORD=gateway-secret",
		"HALLMARK_HEADER_X_API_KEY=gateway-secret")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "[]" {
		if err != nil && strings.Contains(string(out), "http2-prior-knowledge") {
			t.Logf("this curl speaks no HTTP/2: %s", out)
			return
		}
		t.Fatalf("%s\n%v: %s", line, err, out)
	}
	after := l.last(t)
	if after.path != before.path || after.host != before.host || after.client != before.client ||
		after.header.Get("Authorization") != before.header.Get("Authorization") ||
		after.header.Get("X-Api-Key") != before.header.Get("X-Api-Key") || after.header.Get("X-Route") != before.header.Get("X-Route") ||
		after.header.Get("X-Mixed") != before.header.Get("X-Mixed") {
		t.Errorf("%s\nasks for something else: %+v, first it was %+v", line, after, before)
	}
}

func TestUnixSockets(t *testing.T) {
	l := &listener{}
	path := filepath.Join(t.TempDir(), "pets sock")
	socket, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("there are no unix sockets here:", err)
	}
	server := &httptest.Server{Listener: socket, Config: &http.Server{Handler: l}}
	server.Start()
	defer server.Close()
	ex := reached(t, client.Network{UnixSocket: path}, scenario.Target{BaseURL: "http://pets.invalid/deep/er/v1"})
	if ex.status != 200 || l.last(t).path != "/deep/er/v1/pets" || l.last(t).host != "pets.invalid" {
		t.Errorf("%+v, seen as %+v", ex, l.last(t))
	}
	repeat(t, ex.curl, l)
}

func TestIPv6(t *testing.T) {
	socket, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("there is no IPv6 here:", err)
	}
	l := &listener{}
	server := &httptest.Server{Listener: socket, Config: &http.Server{Handler: l}}
	server.Start()
	defer server.Close()
	base, err := scenario.ParseBaseURL("http://" + socket.Addr().String() + "/a/b/c/d/e%20f/v1/")
	if err != nil {
		t.Fatal(err)
	}
	ex := reached(t, client.Network{}, scenario.Target{BaseURL: base})
	if ex.status != 200 || l.last(t).path != "/a/b/c/d/e f/v1/pets" {
		t.Errorf("%+v, seen as %+v", ex, l.last(t))
	}
	repeat(t, ex.curl, l)
}

func TestHTTP2WithoutTLS(t *testing.T) {
	l := &listener{}
	server := httptest.NewUnstartedServer(l)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	ex := reached(t, client.Network{H2C: true}, scenario.Target{BaseURL: server.URL + "/v1"})
	if ex.status != 200 || l.last(t).proto != "HTTP/2.0" {
		t.Errorf("%+v, by %s", ex, l.last(t).proto)
	}
	repeat(t, ex.curl, l)
	if ex := reached(t, client.Network{}, scenario.Target{BaseURL: server.URL + "/v1"}); ex.status != 200 || l.last(t).proto != "HTTP/1.1" {
		t.Errorf("without --h2c: %+v, by %s", ex, l.last(t).proto)
	}
}

func TestProxies(t *testing.T) {
	l := &listener{}
	server := httptest.NewServer(l)
	defer server.Close()
	lookup := func(name string) (string, bool) { return "gateway-secret", name == "HALLMARK_PROXY_PASSWORD" }
	proxy, shown, secrets, err := client.ProxyURL("http://me:${HALLMARK_PROXY_PASSWORD}@"+server.Listener.Addr().String(), lookup)
	if err != nil || len(secrets) != 1 || strings.Contains(shown, "gateway-secret") {
		t.Fatalf("%s, %v, %v", shown, secrets, err)
	}
	ex := reached(t, client.Network{Proxy: proxy}, scenario.Target{BaseURL: "http://pets.invalid/v1", Secrets: secrets})
	seen := l.last(t)
	if ex.status != 200 || seen.target != "http://pets.invalid/v1/pets?limit=3" || !strings.HasPrefix(seen.header.Get("Proxy-Authorization"), "Basic ") {
		t.Errorf("%+v, seen as %+v", ex, seen)
	}
	repeat(t, ex.curl, l)
	for text, want := range map[string]string{
		"http://h:3128":              "http://h:3128",
		"http://me@h:3128":           "http://me@h:3128",
		"http://me:hush@h:3128":      "http://me:${HALLMARK_PROXY_PASSWORD}@h:3128",
		"http://me:${P}@h:3128":      "http://me:${P}@h:3128",
		"http://me:h@sh:pass@h:3128": "http://me:${HALLMARK_PROXY_PASSWORD}@h:3128",
	} {
		if got := client.ShowProxy(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
	if _, _, _, err := client.ProxyURL("http://me:${NONE}@h", func(string) (string, bool) { return "", false }); err == nil || !strings.Contains(err.Error(), "NONE, which is not set") {
		t.Error(err)
	}
}

func TestHeadersOfGateways(t *testing.T) {
	lookup := func(name string) (string, bool) { return "gateway-secret", name == "GATEWAY_TOKEN" }
	l := &listener{}
	server := httptest.NewServer(l)
	defer server.Close()
	target := scenario.Target{BaseURL: server.URL + "/v1"}
	for _, text := range []string{"x-api-key: gateway-secret", "X-Route: it's $HOME", "X-Mixed: a ${GATEWAY_TOKEN} b", "Host: pets.example.com"} {
		h, err := client.ParseHeader(text, false, lookup)
		if err != nil {
			t.Fatal(err)
		}
		target.Headers = append(target.Headers, h)
	}
	ex := reached(t, client.Network{}, target)
	seen := l.last(t)
	want := map[string]string{"X-Api-Key": "gateway-secret", "X-Route": "it's $HOME", "X-Mixed": "a gateway-secret b", "Authorization": "Bearer " + networkKey}
	for name, value := range want {
		if got := seen.header.Get(name); got != value {
			t.Errorf("%s was sent as %q", name, got)
		}
	}
	if ex.status != 200 || seen.host != "pets.example.com" {
		t.Errorf("%+v, for the host %s", ex, seen.host)
	}
	if !strings.Contains(ex.curl, `"${HALLMARK_HEADER_X_API_KEY}"`) {
		t.Errorf("the line does not say where the secret belongs: %s", ex.curl)
	}
	repeat(t, ex.curl, l)
}
