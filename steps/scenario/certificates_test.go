package scenario_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

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

// sign makes a certificate; without a parent, one that signs others.
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

// issue writes a certificate and its key to files.
func (a *authority) issue(name string) (certFile, keyFile string) {
	cert, key := a.sign(name, a.cert)
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.write(name+".pem", "CERTIFICATE", cert.Raw), a.write(name+".key", "EC PRIVATE KEY", raw)
}

// serveTLS starts a service with a certificate of the authority.
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
