package steps

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/reports/record"

	"hallmark/steps/client"
	"hallmark/steps/petstore/rehearse"
	"hallmark/steps/scenario"
)

// seenRequest is what a listener saw of a request.
type seenRequest struct {
	proto, path, host, target string
	header                    http.Header
	client                    string // the name in the client's certificate
}

// listener answers every request with an empty list, and keeps what it saw.
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

// authority signs certificates for tests.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.cert, a.key = a.sign("hallmark test CA", nil)
	a.write("ca.pem", "CERTIFICATE", a.cert.Raw)
	return a
}

// sign makes a certificate; without a parent one that signs others.
func (a *authority) sign(name string, parent *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	signer, signerKey := parent, a.key
	if parent == nil {
		form.IsCA, form.KeyUsage = true, x509.KeyUsageCertSign
		signer, signerKey = form, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, form, signer, &key.PublicKey, signerKey)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

func (a *authority) write(name, kind string, raw []byte) string {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// issue makes a certificate and its key as files.
func (a *authority) issue(name string) (certFile, keyFile string) {
	cert, key := a.sign(name, a.cert)
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.write(name+".pem", "CERTIFICATE", cert.Raw), a.write(name+".key", "EC PRIVATE KEY", raw)
}

// serveTLS begins a service with a certificate of the authority.
func (a *authority) serveTLS(handler http.Handler, change func(*tls.Config)) *httptest.Server {
	a.t.Helper()
	certFile, keyFile := a.issue("server")
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		a.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.EnableHTTP2 = true
	if change != nil {
		change(server.TLS)
	}
	server.StartTLS()
	a.t.Cleanup(server.Close)
	return server
}

// reached asks for a list by that way, and gives the record's way too.
func reached(t *testing.T, reach client.Network, target scenario.Target) (ex exchangeOrLost) {
	t.Helper()
	transport, err := reach.Transport(2)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	if target.Key == "" {
		target.Key = rehearse.Key
	}
	got, err := Config{Transport: transport, Target: target, Timeout: 20 * time.Second, Agent: "hallmark/test"}.options().NewClient().Do(t.Context(), aList)
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

// repeat runs a curl line as a person would.
func repeat(t *testing.T, line string, l *listener) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Logf("there is no curl here to run %s", line)
		return
	}
	before := l.last(t)
	l.forget()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Env = append(os.Environ(), "HALLMARK_API_KEY="+rehearse.Key, "GATEWAY_TOKEN=gateway-secret", "HALLMARK_PROXY_PASSWORD=gateway-secret",
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

func TestOwnCertificates(t *testing.T) {
	ca, l := newAuthority(t), &listener{}
	server := ca.serveTLS(l, nil)
	target := scenario.Target{BaseURL: server.URL + "/v1"}
	if ex := reached(t, client.Network{}, target); !strings.Contains(ex.lost, "certificate") {
		t.Errorf("a certificate that nobody knows is trusted: %+v", ex)
	}
	ex := reached(t, client.Network{CAFile: filepath.Join(ca.dir, "ca.pem")}, target)
	if ex.status != 200 || l.last(t).proto != "HTTP/2.0" {
		t.Errorf("with --ca-file: %+v, by %s; want 200 by HTTP/2", ex, l.last(t).proto)
	}
	repeat(t, ex.curl, l)
	ex = reached(t, client.Network{Insecure: true}, target)
	if ex.status != 200 || !strings.Contains(ex.curl, " -k ") {
		t.Errorf("with --insecure: %+v", ex)
	}
	repeat(t, ex.curl, l)
}

func TestClientCertificates(t *testing.T) {
	ca, l := newAuthority(t), &listener{}
	server := ca.serveTLS(l, func(c *tls.Config) {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AddCert(ca.cert)
	})
	certFile, keyFile := ca.issue("judge")
	target := scenario.Target{BaseURL: server.URL + "/v1"}
	trusted := client.Network{CAFile: filepath.Join(ca.dir, "ca.pem")}
	if ex := reached(t, trusted, target); ex.lost == "" {
		t.Errorf("without a certificate: %+v", ex)
	}
	trusted.ClientCert, trusted.ClientKey = certFile, keyFile
	ex := reached(t, trusted, target)
	if ex.status != 200 || l.last(t).client != "judge" {
		t.Errorf("%+v, seen as %q", ex, l.last(t).client)
	}
	repeat(t, ex.curl, l)

	both := filepath.Join(ca.dir, "both.pem")
	var text []byte
	for _, file := range []string{certFile, keyFile} {
		part, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	if err := os.WriteFile(both, text, 0o600); err != nil {
		t.Fatal(err)
	}
	trusted.ClientCert, trusted.ClientKey = certFile, ""
	if _, err := trusted.Transport(1); err == nil || !strings.Contains(err.Error(), "holds no private key that fits; name the file of the key with --client-key") {
		t.Errorf("a certificate without its key: %v", err)
	}
	trusted.ClientCert, trusted.ClientKey = both, ""
	if ex := reached(t, trusted, target); ex.status != 200 || l.last(t).client != "judge" {
		t.Errorf("with both in one file: %+v", ex)
	}
}

func TestUnusableReaches(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, reach := range map[string]client.Network{
		`none.pem" cannot be read: no such file`:           {CAFile: filepath.Join(dir, "none.pem")},
		`text" holds no certificate in PEM form`:           {CAFile: text},
		"--client-key is given without --client-cert":      {ClientKey: text},
		"cannot be used: tls: failed to find any PEM data": {ClientCert: text, ClientKey: text},
		"cannot be used: no such file":                     {ClientCert: filepath.Join(dir, "none"), ClientKey: text},
		`none" cannot be used: no such file`:               {ClientCert: filepath.Join(dir, "none")},
		`text" cannot be used: tls: failed`:                {ClientCert: text},
		`none": there is no such socket; start`:            {UnixSocket: filepath.Join(dir, "none")},
		`text" is no socket`:                               {UnixSocket: text},
		"--proxy and --unix-socket exclude each other":     {UnixSocket: text, Proxy: "http://h:1"},
		"the URL must begin with http://":                  {Proxy: "ftp://user:hush@h"},
		"the URL names no host":                            {Proxy: "http://user:hush@"},
		"this is no URL":                                   {Proxy: "http://user:hu sh@h"},
	} {
		_, err := reach.Transport(1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one that says %s", err, want)
		}
		if err != nil && reach.ClientKey == "" && strings.Contains(err.Error(), "--client-key") {
			t.Errorf("the error names --client-key, which was not given: %v", err)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("the error shows a password: %v", err)
		}
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

func TestZonesOfAddresses(t *testing.T) {
	base, err := scenario.ParseBaseURL("http://[fe80::1%25eth0]:8080/v1")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(base + "/pets"); err != nil || u.Hostname() != "fe80::1%eth0" {
		t.Errorf("%s reads as %v, %v", base, u, err)
	}
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
	want := map[string]string{"X-Api-Key": "gateway-secret", "X-Route": "it's $HOME", "X-Mixed": "a gateway-secret b", "Authorization": "Bearer " + rehearse.Key}
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

func TestParseHeader(t *testing.T) {
	lookup := func(name string) (string, bool) { return "v-" + name, name == "SET" || name == "LINE" }
	for text, want := range map[string]struct {
		shown  string
		secret bool
	}{
		"X-Route: blue":            {"blue", false},
		"x-route:blue":             {"blue", false},
		"X-Tenant-Token: t":        {"${HALLMARK_HEADER_X_TENANT_TOKEN}", true},
		"Cookie: a=b":              {"${HALLMARK_HEADER_COOKIE}", true},
		"X-Functions-Key: k":       {"${HALLMARK_HEADER_X_FUNCTIONS_KEY}", true},
		"Proxy-Authorization: B x": {"${HALLMARK_HEADER_PROXY_AUTHORIZATION}", true},
		"X-A: x${SET}y":            {"x${SET}y", true},
		"X-Keyboard: qwerty":       {"qwerty", false},
	} {
		h, err := client.ParseHeader(text, false, lookup)
		if err != nil || h.ForRecords() != want.shown || h.Secret != want.secret {
			t.Errorf("%s: %+v, %v", text, h, err)
		}
		if shown := client.ShowHeader(text, false); !strings.HasSuffix(shown, ": "+want.shown) {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
	if h, err := client.ParseHeader("X-Route: hush", true, lookup); err != nil || !h.Secret || h.ForRecords() == "hush" {
		t.Errorf("%+v, %v", h, err)
	}
	for text, want := range map[string]string{
		"X-Hush":                "with a colon",
		": hush":                "a header's name is made of",
		"X Y: hush":             "a header's name is made of",
		"X-A:":                  "has no value",
		"Authorization: hush":   "set HALLMARK_API_KEY",
		"authorization : hush":  "set HALLMARK_API_KEY",
		"Content-Length: 7hush": "cannot be given",
		"X-A: ${NONE}hush":      "the environment variable NONE, which is not set",
		"X-A: hush\r\nX-B: 1":   "control character",
	} {
		_, err := client.ParseHeader(text, false, lookup)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v, want one that says %s", text, err, want)
		}
	}
}

// The key that a whole run sends, and a gateway's, stand in no record, whatever a service does with them.
func TestNoRecordHoldsAGatewaysSecret(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		a.Header.Set("X-Echo", r.Header.Get("Cookie"))
		if fields, ok := a.Body.(map[string]any); ok && a.Status >= 400 {
			a.Body = rehearse.Altered(fields, rehearse.Row{"message": "your session is " + strings.TrimPrefix(r.Header.Get("Cookie"), "session=")})
		}
	}
	p := playRun(t, context.WithoutCancel(t.Context()), service, func(c *Config) {
		c.Target.Headers = []client.Header{{Name: "Cookie", Value: "session=gateway-secret-4711", Secret: true}}
		c.Selection.Tags = "@phase:first"
	})
	text := recordText(t, p)
	if strings.Contains(text, "gateway-secret-4711") || !strings.Contains(text, "HALLMARK_HEADER_COOKIE") {
		t.Error("the record shows the gateway's cookie, or nothing of it")
	}
}
