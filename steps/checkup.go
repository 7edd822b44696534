package steps

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// CheckState is what came of a check.
type CheckState string

// The states of a check. A warning keeps no run from judging.
const (
	CheckGood    CheckState = "ok"
	CheckWarned  CheckState = "warning"
	CheckFailed  CheckState = "failed"
	CheckSkipped CheckState = "skipped"
)

// Check is one thing that a run needs of its target.
type Check struct {
	// Name says what was looked at: "DNS", "key".
	Name  string     `json:"name"`
	State CheckState `json:"state"`
	// Says is what was seen, in words; Remedy what to do when that is not as it should be.
	Says   string `json:"says"`
	Remedy string `json:"remedy,omitempty"`
}

const (
	// soonExpired is when a certificate's end is worth a warning.
	soonExpired = 21 * 24 * time.Hour
	// clockOff is how far the clocks may be apart. Removal dates are days, and a Date header is rounded and travels.
	clockOff = 5 * time.Minute
)

// CheckUp looks at each thing that a run needs of its target, one after the other: the way there, whether the key is let
// in and an altered one is not, whether a plain animal can be created. It creates one animal at most, and none for a
// target that is read-only. What depends on a check that failed is skipped.
func CheckUp(ctx context.Context, cfg Config) ([]Check, error) {
	cfg.Recorder = record.NewRecorder(record.Record{}) // which nobody reads
	r, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	all := []Check{{"address", CheckGood, r.target.BaseURL + " ends in v1, as the interface's addresses do", ""}}
	list, ok := r.plainRead()
	if !ok {
		return nil, errors.New("the contract holds no operation that can be read without knowing an id; nothing can be checked by it")
	}
	var way route
	s := &scenario{run: r, pickle: &suite.Scenario{}, earlier: map[string]*answer{}}
	a, err := s.perform(httptrace.WithClientTrace(ctx, way.trace()), list, arguments{}, nil, credentials.Right(r.target.Key), "a check")
	if err != nil && !errors.Is(err, errLost) {
		return nil, err
	}
	all = append(all, r.checks(&way, proxyOf(cfg.Transport, r.target.BaseURL), a.ex.Lost)...)
	stranger, isStranger := r.stranger(a)
	switch {
	case Failed(all):
		return r.hidden(append(all, skipped("answer", "key", "altered key", "clock", "creation")...)), nil
	case a.ex.Lost != "":
		return r.hidden(append(append(all, r.checkSilence(a.ex.Lost)), skipped("key", "altered key", "clock", "creation")...)), nil
	case isStranger:
		return r.hidden(append(append(all, stranger), skipped("key", "altered key", "clock", "creation")...)), nil
	}
	if away, nothing, err := r.checkForeign(ctx, s, a); err != nil {
		return nil, err
	} else if nothing {
		none := Check{"answer", CheckFailed, away.Reason, away.Remedy}
		return r.hidden(append(append(all, none), skipped("key", "altered key", "clock", "creation")...)), nil
	}
	all = append(all, checkAnswer(a), r.checkKey(a), r.checkAltered(ctx, s, list), checkClock(a.ex, cfg.Now))
	all = append(all, r.checkCreation(ctx, s, a.status() == http.StatusUnauthorized))
	return r.hidden(all), ctx.Err()
}

// hidden takes the secrets out of what the target said.
func (r *run) hidden(all []Check) []Check {
	for i := range all {
		all[i].Says, all[i].Remedy = r.client.Redactor.Text(all[i].Says), r.client.Redactor.Text(all[i].Remedy)
	}
	return all
}

// warnings tell a run, before it begins, what it can live with and a person should know: a certificate that ends soon,
// clocks that are apart.
func (r *run) warnings(way *route, a *answer) {
	if r.Notice == nil || a.ex.Lost != "" {
		return
	}
	all := append(r.checks(way, nil, ""), checkAnswer(a), checkClock(a.ex, r.Now))
	for _, c := range r.hidden(all) {
		if c.State == CheckWarned {
			r.Notice(c)
		}
	}
}

// Failed reports whether a run could not judge at all.
func Failed(all []Check) bool {
	for _, c := range all {
		if c.State == CheckFailed {
			return true
		}
	}
	return false
}

func skipped(names ...string) []Check {
	all := make([]Check, 0, len(names))
	for _, name := range names {
		all = append(all, Check{name, CheckSkipped, "not looked at, since the service cannot be reached", ""})
	}
	return all
}

// plainRead is the first operation that needs nothing but the key.
func (r *run) plainRead() (spec.Operation, bool) {
	for _, op := range r.contract.Operations() {
		if _, gone := r.removed[op.ID]; op.Method == http.MethodGet && !gone && !strings.Contains(op.Path, "{") {
			return op, true
		}
	}
	return spec.Operation{}, false
}

// checks tells of the way to the target, as far as it came.
func (r *run) checks(way *route, proxy *url.URL, lost string) []Check {
	return way.checks(r.target.BaseURL, proxy, lost, time.Now())
}

// checks tells of the way, as far as it came. lost says why no response came; empty when one did.
func (w *route) checks(base string, proxy *url.URL, lost string, now time.Time) []Check {
	w.mu.Lock()
	defer w.mu.Unlock()
	u, err := url.Parse(base)
	if err != nil {
		return nil
	}
	to, host := "the service", u.Hostname()
	var all []Check
	if proxy == nil {
		all = append(all, Check{"proxy", CheckGood, "none, the way is direct", ""})
	} else {
		to, host = "the proxy", proxy.Hostname()
		all = append(all, Check{"proxy", CheckGood, proxy.Redacted() + " is used; NO_PROXY=" + u.Hostname() + " in the environment would go around it", ""})
	}
	switch {
	case w.lookupErr != nil:
		all = append(all, Check{
			"DNS", CheckFailed, "the name " + host + " is not known: " + brief(w.lookupErr),
			"check the spelling of the address, and whether this machine is in the network (or VPN) that knows the name",
		})
		return append(all, skipped("TCP", "TLS")...)
	case w.lookedUp:
		all = append(all, Check{"DNS", CheckGood, fmt.Sprintf("%s is %s (%v)", host, strings.Join(w.addresses, ", "), rounded(w.lookup)), ""})
	default:
		all = append(all, Check{"DNS", CheckGood, "not needed, the address is a number or known already", ""})
	}
	if w.connected == "" {
		why := lost
		if w.connectErr != nil {
			why = brief(w.connectErr)
		}
		all = append(all, Check{
			"TCP", CheckFailed, "no connection to " + to + " at " + host + ": " + why,
			"check that " + to + " runs and listens at this port, and that no firewall stands between",
		})
		return append(all, skipped("TLS")...)
	}
	all = append(all, Check{"TCP", CheckGood, fmt.Sprintf("%s listens at %s (%v)", to, w.connected, rounded(w.connect)), ""})
	return append(all, w.checkTLS(u, proxy != nil, lost, now))
}

func (w *route) checkTLS(u *url.URL, proxied bool, lost string, now time.Time) Check {
	const name = "TLS"
	switch {
	case u.Scheme != "https":
		if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() || w.local {
			return Check{name, CheckGood, "not used, and not needed on this machine", ""}
		}
		return Check{name, CheckWarned, "not used: whoever stands between can read the API key", "use the https:// address, if there is one"}
	case w.handshakeErr != nil || !w.encrypted:
		why := lost
		if w.handshakeErr != nil {
			why = brief(w.handshakeErr)
		}
		if w.handshakeErr == nil && proxied {
			return Check{name, CheckFailed, "the proxy did not connect: " + why, "check whether the proxy wants a user name and a password (--proxy 'http://${PROXY_USER}:${PROXY_PASSWORD}@host:port'), and whether it may connect to this host and port"}
		}
		return Check{name, CheckFailed, "no agreement: " + why, tlsRemedy(w.handshakeErr, u)}
	}
	state := w.tls
	text := fmt.Sprintf("%s (%v)", tlsVersion(state.Version), rounded(w.handshake))
	if len(state.PeerCertificates) == 0 {
		return Check{name, CheckGood, text, ""}
	}
	leaf := state.PeerCertificates[0]
	left := leaf.NotAfter.Sub(now)
	text += fmt.Sprintf(", certificate of %s until %s", issuer(leaf), leaf.NotAfter.UTC().Format("2 January 2006"))
	switch days := int(left.Abs().Hours() / 24); {
	case left < 0:
		return Check{name, CheckWarned, text + ": it has expired", "have the certificate renewed"}
	case days < 2:
		return Check{name, CheckWarned, text + ", which is near", "have the certificate renewed"}
	case left < soonExpired:
		return Check{name, CheckWarned, text + fmt.Sprintf(", in %d days", days), "have the certificate renewed"}
	}
	return Check{name, CheckGood, text, ""}
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

// overTLS is the https:// address in the place of an http:// one.
func overTLS(address string) string { return "https:" + strings.TrimPrefix(address, "http:") }

// checkSilence tells of a connection that brought no response.
func (r *run) checkSilence(lost string) Check {
	remedy := "the connection was made: look at the service, or at the gateway before it; --timeout gives it more time, and --wait waits until it is ready"
	switch {
	case strings.Contains(lost, "certificate required") || strings.Contains(lost, "bad certificate"):
		remedy = "the service wants a client certificate that it knows: --client-cert, and --client-key"
	case strings.Contains(lost, "looked like an HTTP/1.1 header"):
		remedy = "the service does not speak HTTP/2 without TLS; leave out --h2c"
	case strings.HasPrefix(r.target.BaseURL, "http:") && strings.Contains(lost, `malformed HTTP response "\x15\x03`): // an alert of TLS
		remedy = "TLS is spoken at this port: try " + overTLS(r.target.BaseURL)
	case strings.HasPrefix(r.target.BaseURL, "http:"):
		remedy += "; a port where TLS is spoken may end the connection like this: try " + overTLS(r.target.BaseURL)
	default:
		remedy += "; one that wants a client certificate (--client-cert) may end the connection like this"
	}
	return Check{"answer", CheckFailed, "no response came: " + lost, remedy}
}

// stranger reports whether a response is surely not the service's: a proxy wants credentials, or a request without TLS reached a
// port that wants it, to which servers answer 400 in words of their own.
func (r *run) stranger(a *answer) (Check, bool) {
	const name = "answer"
	if a.ex.Response == nil {
		return Check{}, false
	}
	says := fmt.Sprintf("%s after %v", check.Place(a.ex), rounded(a.ex.Elapsed))
	switch status := a.status(); {
	case status == http.StatusProxyAuthRequired && proxyOf(r.Transport, r.target.BaseURL) != nil:
		return Check{name, CheckFailed, says + ", from the proxy", "the proxy wants a user name and a password: --proxy 'http://${PROXY_USER}:${PROXY_PASSWORD}@host:port'"}, true
	case status == http.StatusBadRequest && strings.HasPrefix(r.target.BaseURL, "http:") &&
		!strings.Contains(a.ex.Response.Header.Get("Content-Type"), "json") && bytes.Contains(a.ex.Response.Body, []byte("HTTPS")):
		return Check{name, CheckFailed, says + ": TLS is spoken at this port", "try " + overTLS(r.target.BaseURL)}, true
	}
	return Check{}, false
}

// checkAnswer reports whether what answers is a service, and not a gateway before it.
func checkAnswer(a *answer) Check {
	const name = "answer"
	says := fmt.Sprintf("%s after %v", check.Place(a.ex), rounded(a.ex.Elapsed))
	switch status := a.status(); {
	case status/100 == 2, status == http.StatusUnauthorized:
		return Check{name, CheckGood, says, ""}
	case status >= 300 && status < 400:
		return Check{name, CheckWarned, says + ", to " + a.ex.Response.Header.Get("Location"), "give the address that it leads to; redirects are not followed"}
	case status == http.StatusNotFound:
		return Check{name, CheckWarned, says, "check the path before /v1: the service may be mounted elsewhere"}
	case status >= 500:
		return Check{name, CheckWarned, says, "the service, or a gateway before it, fails; if it is being deployed, wait for it with --wait"}
	}
	return Check{name, CheckWarned, says, "a run will judge this response; a gateway may have given it in the service's place"}
}

func (r *run) checkKey(a *answer) Check {
	if a.status() == http.StatusUnauthorized {
		return Check{
			"key", CheckFailed, "refused: the service answers 401 to it",
			"check " + r.target.keyPlace() + ": is it the key of this environment, and whole?",
		}
	}
	if a.status()/100 != 2 {
		return Check{"key", CheckSkipped, fmt.Sprintf("a response of %d does not tell", a.status()), ""}
	}
	return Check{"key", CheckGood, "let in", ""}
}

// checkAltered reports whether keys count: a service that lets everything in may be another than is meant.
func (r *run) checkAltered(ctx context.Context, s *scenario, op spec.Operation) Check {
	const name = "altered key"
	c, err := credentials.Make("a random key of the right key's length", r.target.Key)
	if err != nil {
		return Check{name, CheckSkipped, err.Error(), ""}
	}
	a, err := s.perform(ctx, op, arguments{}, nil, c, "a check")
	switch {
	case err != nil || a.ex.Lost != "":
		return Check{name, CheckWarned, "no response came", "a run may be lost on the way; look at the network"}
	case a.status() == http.StatusUnauthorized:
		return Check{name, CheckGood, "refused with 401", ""}
	}
	return Check{
		name, CheckWarned, fmt.Sprintf("not refused with 401, but answered %d", a.status()),
		"a run will hold this against the service; if keys are not checked in this environment, judge another one",
	}
}

// checkClock compares the clocks, since removal dates are judged by the one here.
func checkClock(ex *spec.Exchange, now time.Time) Check {
	const name = "clock"
	theirs, err := http.ParseTime(ex.Response.Header.Get("Date"))
	if err != nil {
		return Check{name, CheckSkipped, "the service tells no date", ""}
	}
	if apart := theirs.Sub(ex.Started).Abs(); apart > clockOff {
		return Check{
			name, CheckWarned, fmt.Sprintf("the service's clock and the one here are %v apart", apart.Round(time.Second)),
			"set the clock that is wrong; removal dates are judged by " + now.UTC().Format("2 January 2006") + " (--now changes it)",
		}
	}
	return Check{name, CheckGood, "the service's and the one here agree", ""}
}

// checkCreation creates a plain animal, as every run has to.
func (r *run) checkCreation(ctx context.Context, s *scenario, refused bool) Check {
	const name = "creation"
	switch {
	case r.target.ReadOnly:
		return Check{name, CheckSkipped, "not tried, since the target is read-only", ""}
	case refused:
		return Check{name, CheckSkipped, "not tried, since the key is refused", ""}
	}
	for _, op := range r.contract.Operations() {
		if op.Method != http.MethodPost {
			continue
		}
		a, err := s.perform(ctx, op, arguments{}, nil, credentials.Right(r.target.Key), "a check")
		switch {
		case err != nil || a.ex.Lost != "":
			return Check{name, CheckFailed, "no response came; whether the animal is there is not known", "look at the network, then check again"}
		case a.status() == petstore.Success(op, http.StatusCreated):
			text := "accepted with " + strconv.Itoa(a.status())
			if id, ok := a.value.At("/id"); ok {
				number, _ := id.Int()
				text += fmt.Sprintf("; the animal %s (%s) stays there", number, a.sent.Name())
			}
			return Check{name, CheckGood, text, ""}
		}
		return Check{
			name, CheckWarned, fmt.Sprintf("a plain animal was answered %d: %s", a.status(), a.value.String()),
			"if the service has no category " + r.target.Plain["categoryId"] + ", name one that it has with --category-id; else a run will hold this against it",
		}
	}
	return Check{name, CheckSkipped, "the contract has no operation that creates", ""}
}

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// brief is an error without the addresses and operations that Go puts before it.
func brief(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
