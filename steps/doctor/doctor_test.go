package doctor_test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/doctor"
)

var today = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const address = "203.0.113.7:443"

// named returns the check of this name.
func named(t *testing.T, all []doctor.Check, name string) doctor.Check {
	t.Helper()
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("nothing is said of %s: %+v", name, all)
	return doctor.Check{}
}

func connected(trace *httptrace.ClientTrace) {
	trace.ConnectStart("tcp", address)
	trace.ConnectDone("tcp", address, nil)
}

// expiring returns a handshake with a server whose certificate ends at a time.
func expiring(end time.Time) func(*httptrace.ClientTrace) {
	return func(trace *httptrace.ClientTrace) {
		connected(trace)
		trace.TLSHandshakeStart()
		trace.TLSHandshakeDone(tls.ConnectionState{
			Version:          tls.VersionTLS13,
			PeerCertificates: []*x509.Certificate{{NotAfter: end, Issuer: pkix.Name{Organization: []string{"Example CA"}}}},
		}, nil)
	}
}

func failing(err error) func(*httptrace.ClientTrace) {
	return func(trace *httptrace.ClientTrace) {
		connected(trace)
		trace.TLSHandshakeStart()
		trace.TLSHandshakeDone(tls.ConnectionState{}, err)
	}
}

func TestRoute(t *testing.T) {
	proxy, err := url.Parse("http://user:secret-4711@proxy.example.com:3128")
	if err != nil {
		t.Fatal(err)
	}
	const secure = "https://pets.example.com/v1"
	for name, c := range map[string]struct {
		base  string
		proxy *url.URL
		way   func(*httptrace.ClientTrace)
		check string
		state doctor.State
		says  string // the check, and then its remedy
	}{
		"a direct way": {secure, nil, connected, "proxy", doctor.Good, "none, the way is direct"},
		"a proxy":      {secure, proxy, connected, "proxy", doctor.Good, "NO_PROXY=pets.example.com in the environment would go around it"},
		"a name that is unknown": {secure, nil, func(trace *httptrace.ClientTrace) {
			trace.DNSStart(httptrace.DNSStartInfo{Host: "pets.example.com"})
			trace.DNSDone(httptrace.DNSDoneInfo{Err: &net.DNSError{Err: "no such host", Name: "pets.example.com", Server: "192.0.2.1"}})
		}, "DNS", doctor.Failed, "the name pets.example.com is not known: no such host → check the spelling"},
		"and then nothing further": {secure, nil, func(trace *httptrace.ClientTrace) {
			trace.DNSDone(httptrace.DNSDoneInfo{Err: &net.DNSError{Err: "no such host"}})
		}, "TLS", doctor.Skipped, "not checked"},
		"the name of the proxy": {secure, proxy, func(trace *httptrace.ClientTrace) {
			trace.DNSDone(httptrace.DNSDoneInfo{Err: &net.DNSError{Err: "no such host"}})
		}, "DNS", doctor.Failed, "the name proxy.example.com is not known"},
		"several addresses": {secure, nil, func(trace *httptrace.ClientTrace) {
			trace.DNSDone(httptrace.DNSDoneInfo{Addrs: []net.IPAddr{{IP: net.ParseIP("2001:db8::7")}, {IP: net.ParseIP("203.0.113.7")}}})
			connected(trace)
		}, "DNS", doctor.Good, "pets.example.com is 2001:db8::7, 203.0.113.7"},
		"a number in place of a name": {secure, nil, connected, "DNS", doctor.Good, "not needed"},
		"the second address answers": {secure, nil, func(trace *httptrace.ClientTrace) {
			trace.ConnectDone("tcp", "[2001:db8::7]:443", errors.New("no route to host"))
			connected(trace)
		}, "TCP", doctor.Good, "the service listens at " + address},
		"a slower address fails afterwards": {secure, nil, func(trace *httptrace.ClientTrace) {
			connected(trace)
			trace.ConnectDone("tcp", "[2001:db8::7]:443", errors.New("no route to host"))
		}, "TCP", doctor.Good, "the service listens at " + address},
		"nobody listens": {secure, nil, func(trace *httptrace.ClientTrace) {
			trace.ConnectDone("tcp", address, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")})
		}, "TCP", doctor.Failed, "no connection to the service at pets.example.com: connection refused → check that the service runs"},
		"no TLS":                  {"http://pets.example.com/v1", nil, connected, "TLS", doctor.Warned, "anyone on the network path can read the API key → use the https:// address"},
		"no TLS on this machine":  {"http://127.0.0.1:8080/v1", nil, connected, "TLS", doctor.Good, "not needed on this machine"},
		"nor by its name":         {"http://localhost:8080/v1", nil, connected, "TLS", doctor.Good, "not needed on this machine"},
		"nor by a socket":         {"http://pets/v1", nil, func(trace *httptrace.ClientTrace) { trace.ConnectDone("unix", "/run/pets", nil) }, "TLS", doctor.Good, "not needed on this machine"},
		"a certificate":           {secure, nil, expiring(today.AddDate(0, 0, 90)), "TLS", doctor.Good, "certificate of Example CA until 30 May 2026"},
		"one that ends soon":      {secure, nil, expiring(today.AddDate(0, 0, 20)), "TLS", doctor.Warned, "until 21 March 2026, in 20 days → have the certificate renewed"},
		"one that ends tomorrow":  {secure, nil, expiring(today.AddDate(0, 0, 1)), "TLS", doctor.Warned, "which is near"},
		"one that has expired":    {secure, nil, expiring(today.AddDate(0, 0, -1)), "TLS", doctor.Warned, "it has expired"},
		"one that was refused":    {secure, nil, failing(x509.CertificateInvalidError{Reason: x509.Expired}), "TLS", doctor.Failed, "and check the clock of this machine"},
		"an unknown authority":    {secure, nil, failing(x509.UnknownAuthorityError{}), "TLS", doctor.Failed, "→ give the certificate of the authority that signed it with --ca-file"},
		"the name of another one": {secure, nil, failing(x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"dogs.example.com"}}, Host: "pets.example.com"}), "TLS", doctor.Failed, "→ use the name that the certificate is for (dogs.example.com)"},
		"a port without TLS":      {secure, nil, failing(tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}), "TLS", doctor.Failed, "the service does not speak TLS at this port: try http://pets.example.com/v1"},
		"a proxy that refuses":    {secure, proxy, connected, "TLS", doctor.Failed, "the proxy did not connect: lost on the way → check whether the proxy wants a user name"},
	} {
		t.Run(name, func(t *testing.T) {
			var route doctor.Route
			c.way(route.Trace())
			all := route.Checks(c.base, c.proxy, "lost on the way", today)
			got := named(t, all, c.check)
			if text := got.Says + " → " + got.Remedy; got.State != c.state || !strings.Contains(text, c.says) {
				t.Errorf("%s is %s: %s; it should be %s and say %q", c.check, got.State, text, c.state, c.says)
			}
			for _, one := range all {
				if strings.Contains(one.Says+one.Remedy, "4711") {
					t.Errorf("the password of the proxy is shown: %s", one.Says)
				}
				if (one.State == doctor.Failed || one.State == doctor.Warned) != (one.Remedy != "") {
					t.Errorf("%s is %s, and the remedy is %q", one.Name, one.State, one.Remedy)
				}
			}
		})
	}
}

func TestClock(t *testing.T) {
	for name, c := range map[string]struct {
		date  string
		state doctor.State
		says  string
	}{
		"the same":                 {today.Format(http.TimeFormat), doctor.Good, "agree"},
		"a little behind":          {today.Add(-4 * time.Minute).Format(http.TimeFormat), doctor.Good, "agree"},
		"an hour ahead":            {today.Add(time.Hour).Format(http.TimeFormat), doctor.Warned, "1h0m0s apart → set the clock that is wrong; removal dates are judged by 1 March 2026 (--now changes it)"},
		"no date":                  {"", doctor.Skipped, "sends no date"},
		"a date that nobody reads": {"yesterday", doctor.Skipped, "sends no date"},
	} {
		t.Run(name, func(t *testing.T) {
			ex := &spec.Exchange{Started: today, Response: &spec.Response{Header: http.Header{}}}
			if c.date != "" {
				ex.Response.Header.Set("Date", c.date)
			}
			got := doctor.Clock(ex, today)
			if text := got.Says + " → " + got.Remedy; got.State != c.state || !strings.Contains(text, c.says) {
				t.Errorf("%s: %s; want %s and %q", got.State, text, c.state, c.says)
			}
		})
	}
}

// wrapped is a transport around another one.
type wrapped struct{ http.RoundTripper }

func (w wrapped) Unwrap() http.RoundTripper { return w.RoundTripper }

func TestProxyOf(t *testing.T) {
	through := &http.Transport{Proxy: func(r *http.Request) (*url.URL, error) {
		if r.URL.Host == "inside" {
			return nil, nil
		}
		return url.Parse("http://proxy:3128")
	}}
	for name, c := range map[string]struct {
		transport http.RoundTripper
		address   string
		want      string
	}{
		"for this address":     {through, "https://pets.example.com/v1", "http://proxy:3128"},
		"not for that one":     {through, "http://inside/v1", ""},
		"of what is wrapped":   {wrapped{wrapped{through}}, "https://pets.example.com/v1", "http://proxy:3128"},
		"none at all":          {&http.Transport{}, "https://pets.example.com/v1", ""},
		"of something unknown": {http.RoundTripper(nil), "https://pets.example.com/v1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if proxy := doctor.ProxyOf(c.transport, c.address); proxy != nil {
				got = proxy.String()
			}
			if got != c.want {
				t.Errorf("the proxy is %q, want %q", got, c.want)
			}
		})
	}
}
