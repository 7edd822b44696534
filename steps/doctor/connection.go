package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Checks returns the checks of the way, as far as it came. lost says why no response came; empty when one did.
func (w *Route) Checks(base string, proxy *url.URL, lost string, now time.Time) []Check {
	w.mu.Lock()
	defer w.mu.Unlock()
	u, err := url.Parse(base)
	if err != nil {
		return nil
	}
	to, host := "the service", u.Hostname()
	var all []Check
	if proxy == nil {
		all = append(all, Check{Name: "proxy", State: Good, Says: "none, the way is direct", Remedy: ""})
	} else {
		to, host = "the proxy", proxy.Hostname()
		all = append(all, Check{Name: "proxy", State: Good, Says: proxy.Redacted() + " is used; NO_PROXY=" + u.Hostname() + " in the environment would go around it", Remedy: ""})
	}
	switch {
	case w.lookupErr != nil:
		all = append(all, Check{
			Name: "DNS", State: Failed, Says: "the name " + host + " is not known: " + brief(w.lookupErr),
			Remedy: "check the spelling of the address, and whether this machine is in the network (or VPN) where the name is known",
		})
		return append(all, SkippedAll("TCP", "TLS")...)
	case w.lookedUp:
		all = append(all, Check{Name: "DNS", State: Good, Says: fmt.Sprintf("%s is %s (%v)", host, strings.Join(w.addresses, ", "), Rounded(w.lookup)), Remedy: ""})
	default:
		all = append(all, Check{Name: "DNS", State: Good, Says: "not needed: the address is numeric or already known", Remedy: ""})
	}
	if w.connected == "" {
		why := lost
		if w.connectErr != nil {
			why = brief(w.connectErr)
		}
		all = append(all, Check{
			Name: "TCP", State: Failed, Says: "no connection to " + to + " at " + host + ": " + why,
			Remedy: "check that " + to + " runs and listens at this port, and that no firewall blocks it",
		})
		return append(all, SkippedAll("TLS")...)
	}
	all = append(all, Check{Name: "TCP", State: Good, Says: fmt.Sprintf("%s listens at %s (%v)", to, w.connected, Rounded(w.connect)), Remedy: ""})
	return append(all, w.checkTLS(u, proxy != nil, lost, now))
}

func (w *Route) checkTLS(u *url.URL, proxied bool, lost string, now time.Time) Check {
	const name = "TLS"
	switch {
	case u.Scheme != "https":
		if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() || w.local {
			return Check{Name: name, State: Good, Says: "not used, and not needed on this machine", Remedy: ""}
		}
		return Check{Name: name, State: Warned, Says: "not used: anyone on the network path can read the API key", Remedy: "use the https:// address, if there is one"}
	case w.handshakeErr != nil || !w.encrypted:
		why := lost
		if w.handshakeErr != nil {
			why = brief(w.handshakeErr)
		}
		if w.handshakeErr == nil && proxied {
			return Check{Name: name, State: Failed, Says: "the proxy did not connect: " + why, Remedy: "check whether the proxy wants a user name and a password (--proxy 'http://${PROXY_USER}:${PROXY_PASSWORD}@host:port'), and whether it may connect to this host and port"}
		}
		return Check{Name: name, State: Failed, Says: "no agreement: " + why, Remedy: tlsRemedy(w.handshakeErr, u)}
	}
	state := w.tls
	text := fmt.Sprintf("%s (%v)", tlsVersion(state.Version), Rounded(w.handshake))
	if len(state.PeerCertificates) == 0 {
		return Check{Name: name, State: Good, Says: text, Remedy: ""}
	}
	leaf := state.PeerCertificates[0]
	left := leaf.NotAfter.Sub(now)
	text += fmt.Sprintf(", certificate of %s until %s", issuer(leaf), leaf.NotAfter.UTC().Format("2 January 2006"))
	switch days := int(left.Abs().Hours() / 24); {
	case left < 0:
		return Check{Name: name, State: Warned, Says: text + ": it has expired", Remedy: "have the certificate renewed"}
	case days < 2:
		return Check{Name: name, State: Warned, Says: text + ", which is near", Remedy: "have the certificate renewed"}
	case left < soonExpired:
		return Check{Name: name, State: Warned, Says: text + fmt.Sprintf(", in %d days", days), Remedy: "have the certificate renewed"}
	}
	return Check{Name: name, State: Good, Says: text, Remedy: ""}
}

func issuer(c *x509.Certificate) string {
	if len(c.Issuer.Organization) > 0 {
		return c.Issuer.Organization[0]
	}
	if c.Issuer.CommonName != "" {
		return c.Issuer.CommonName
	}
	return "an unnamed issuer"
}

func tlsVersion(v uint16) string {
	switch v {
	case 0x0304:
		return "TLS 1.3"
	case 0x0303:
		return "TLS 1.2"
	}
	return fmt.Sprintf("TLS version %#04x", v)
}

// tlsRemedy says what helps against an error of the handshake with an address.
func tlsRemedy(err error, u *url.URL) string {
	plain := *u
	plain.Scheme = "http"
	var notTLS tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var wrongHost x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &notTLS):
		return "the service does not speak TLS at this port: try " + plain.String()
	case errors.As(err, &unknown):
		return "give the certificate of the authority that signed it with --ca-file (or --insecure, to look without trusting)"
	case errors.As(err, &wrongHost):
		return "use the name that the certificate is for" + certifiedNames(wrongHost.Certificate)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "have the certificate renewed, and check the clock of this machine"
	}
	return "check that the service speaks TLS at this port (else try " + plain.String() + "), and whether it wants a client certificate (--client-cert)"
}

// certifiedNames are the names that a certificate is for, in brackets.
func certifiedNames(c *x509.Certificate) string {
	if c == nil {
		return ""
	}
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	const most = 5
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most], "…")
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// OverTLS is the https:// address in the place of an http:// one.
func OverTLS(address string) string { return "https:" + strings.TrimPrefix(address, "http:") }
