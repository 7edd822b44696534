package prove

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"time"

	"github.com/hallmark-kit/hallmark/reference"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// endpoint is the address of a case's service.
type endpoint struct {
	baseURL   string
	transport http.RoundTripper
	close     func()
}

// openService starts the service of a case: in memory, or on a loopback port if the case shows only over a network. Its store holds preload
// more resources than the case itself provides.
func openService(ctx context.Context, of reference.Implementation, c Case, preload int) (*endpoint, error) {
	service, err := of.New(reference.Options{Keys: []string{key}, Shutdown: 2 * time.Second, Variant: c.variant})
	if err != nil {
		return nil, fmt.Errorf("the service %s cannot be made: %w", c.Name, err)
	}
	if err := service.Preload(ctx, preload); err != nil {
		service.Close()
		return nil, err
	}
	if !c.network {
		return &endpoint{baseURL: "http://service.test" + service.BasePath(), transport: inProcess{service.Handler()}, close: service.Close}, nil
	}
	s, err := listen(c, service)
	if err != nil {
		service.Close()
		return nil, fmt.Errorf("the service %s cannot be started: %w", c.Name, err)
	}
	return s, nil
}

// listen serves on a loopback port.
func listen(c Case, service reference.Service) (*endpoint, error) {
	ctx, stop := context.WithCancel(context.Background())
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, err
	}
	transport, scheme := client.NewTransport(8), "http"
	address := listener.Addr().String()
	if c.tls {
		pair, pool, err := certificate()
		if err != nil {
			stop()
			return nil, err
		}
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		scheme = "https"
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		// Ignore the error: the listener works, and a service that is shut down has nothing to report.
		_ = service.Serve(ctx, listener)
	}()
	return &endpoint{
		baseURL: scheme + "://" + address + service.BasePath(), transport: transport,
		close: func() {
			transport.CloseIdleConnections()
			stop()
			<-served
			service.Close()
		},
	}, nil
}

// certificate returns a certificate for this machine that only the proof trusts.
func certificate() (tls.Certificate, *x509.CertPool, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hallmark prove"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, pool, nil
}
