package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Network configures how a target is reached. The zero value uses the system's certificates and the proxies from
// the environment.
type Network struct {
	// CAFile holds PEM certificates that are trusted in addition to the system's.
	CAFile string
	// ClientCert and ClientKey are PEM files with the client's certificate and key; without a ClientKey the first
	// file holds both.
	ClientCert, ClientKey string
	// Insecure trusts any certificate.
	Insecure bool
	// Proxy is the URL of a proxy for all requests, instead of those from the environment.
	Proxy string
	// UnixSocket is the path of a socket for all connections; the base URL's host is then only a name.
	UnixSocket string
	// SocketMayCome tolerates a missing socket, for a run that waits for its service.
	SocketMayCome bool
	// H2C uses HTTP/2 without TLS.
	H2C bool
	// Dial opens the connections in place of the network, for a service in this process; the base URL's host is then only a name.
	Dial func(context.Context) (net.Conn, error)
}

// Transport returns a transport for runs with the given concurrency. Its errors name the flags.
func (r Network) Transport(concurrency int) (*Transport, error) {
	t := NewTransport(concurrency)
	if err := r.trust(t); err != nil {
		return nil, err
	}
	if r.Proxy != "" {
		if r.UnixSocket != "" {
			return nil, errors.New("--proxy and --unix-socket exclude each other: a socket leads to the service itself")
		}
		u, err := parseProxy(r.Proxy)
		if err != nil {
			return nil, err
		}
		t.Proxy = http.ProxyURL(u)
	}
	if r.UnixSocket != "" {
		if err := r.dialSocket(t); err != nil {
			return nil, err
		}
	}
	if r.Dial != nil {
		t.Proxy = nil
		t.dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return r.Dial(ctx) }
	}
	if r.H2C {
		t.Protocols = new(http.Protocols)
		t.Protocols.SetHTTP2(true)
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	return t, nil
}

// trust configures the trusted certificates and the client's own.
func (r Network) trust(t *Transport) error {
	if r.CAFile == "" && r.ClientCert == "" && r.ClientKey == "" && !r.Insecure {
		return nil
	}
	t.TLSClientConfig = &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: r.Insecure, //nolint:gosec // requested by the user, and stated in every report
	}
	if r.CAFile != "" {
		text, err := os.ReadFile(r.CAFile)
		if err != nil {
			return fmt.Errorf("--ca-file %q cannot be read: %w", r.CAFile, bareError(err))
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(text) {
			return fmt.Errorf("--ca-file %q holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)", r.CAFile)
		}
		t.TLSClientConfig.RootCAs = pool
	}
	if r.ClientKey != "" && r.ClientCert == "" {
		return errors.New("--client-key is given without --client-cert")
	}
	if r.ClientCert == "" {
		return nil
	}
	if r.ClientKey == "" {
		pair, err := tls.LoadX509KeyPair(r.ClientCert, r.ClientCert)
		if err != nil && strings.Contains(err.Error(), "private key") {
			return fmt.Errorf("--client-cert %q holds no private key that fits; name the file of the key with --client-key: %w", r.ClientCert, bareError(err))
		}
		if err != nil {
			return fmt.Errorf("--client-cert %q cannot be used: %w", r.ClientCert, bareError(err))
		}
		t.TLSClientConfig.Certificates = []tls.Certificate{pair}
		return nil
	}
	pair, err := tls.LoadX509KeyPair(r.ClientCert, r.ClientKey)
	if err != nil {
		return fmt.Errorf("the client certificate of --client-cert %q and --client-key %q cannot be used: %w",
			r.ClientCert, r.ClientKey, bareError(err))
	}
	t.TLSClientConfig.Certificates = []tls.Certificate{pair}
	return nil
}

// dialSocket directs all connections to the socket.
func (r Network) dialSocket(t *Transport) error {
	info, err := os.Stat(r.UnixSocket)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.SocketMayCome:
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--unix-socket %q: there is no such socket; start the service first, or let a run wait for it (--wait 30s)", r.UnixSocket)
	case err != nil:
		return fmt.Errorf("--unix-socket %q cannot be used: %w", r.UnixSocket, bareError(err))
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("--unix-socket %q is not a socket", r.UnixSocket)
	}
	dial, path := t.dial, r.UnixSocket
	t.Proxy = nil
	t.dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, "unix", path) }
	return nil
}

// parseProxy parses a proxy's URL. Its errors do not show it, since it may hold a password.
func parseProxy(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("--proxy: this is not a URL; write for example http://proxy.example.com:3128")
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
	default:
		return nil, errors.New("--proxy: the URL must begin with http://, https://, socks5:// or socks5h://")
	}
	if u.Hostname() == "" {
		return nil, errors.New("--proxy: the URL names no host")
	}
	return u, nil
}

// ProxyURL expands the environment variables ${NAME} in a proxy's URL. It returns the URL, its text for display,
// and the secrets in it.
func ProxyURL(text string, lookup func(string) (string, bool)) (proxy, shown string, secrets []string, err error) {
	var missing string
	proxy = variableReference.ReplaceAllStringFunc(text, func(ref string) string {
		value, ok := lookup(ref[2 : len(ref)-1])
		if !ok || value == "" {
			missing = ref[2 : len(ref)-1]
		}
		return url.PathEscape(value)
	})
	if missing != "" {
		return "", "", nil, fmt.Errorf("--proxy needs the environment variable %s, which is not set", missing)
	}
	u, err := parseProxy(proxy)
	if err != nil {
		return "", "", nil, err
	}
	if password, has := u.User.Password(); has && password != "" {
		secrets = append(secrets, password)
	}
	return proxy, ShowProxy(text), secrets, nil
}

// ShowProxy returns a proxy's URL for display, with a variable in place of the password.
func ShowProxy(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	at := strings.LastIndexByte(rest, '@')
	if !ok || at < 0 {
		return text
	}
	user, password, has := strings.Cut(rest[:at], ":")
	if has && !variableReference.MatchString(password) {
		password = "${HALLMARK_PROXY_PASSWORD}"
	}
	if has {
		user += ":" + password
	}
	return scheme + "://" + user + rest[at:]
}

// bareError returns a file error without the operation and the name, which the surrounding sentence holds.
func bareError(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
