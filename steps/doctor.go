package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// CheckUp checks what a run needs from its target, one after the other: the connection, whether the credential is
// accepted, and whether a request without one is refused. It changes nothing. Checks that depend on a failed one are
// skipped.
func CheckUp(ctx context.Context, cfg Config) ([]doctor.Check, error) {
	cfg.Recorder = record.NewRecorder(record.Record{}) // nobody reads it
	r := newEngine(cfg)
	ctx, release := r.Bind(ctx)
	defer release()
	s := r.NewScenario(&suite.Scenario{}, spec.Rule{})
	var way doctor.Route
	asked, err := askFirst(httptrace.WithClientTrace(ctx, way.Trace()), r, s)
	if err != nil {
		return nil, err
	}
	names := []string{"credential", "anonymous", "clock"}
	a, all := asked.answer, []doctor.Check{checkAddress(r)}
	if a == nil {
		return redactChecks(r, append(all, asked.instead)), nil
	}
	all = append(all, checkRoute(r, &way, doctor.ProxyOf(cfg.Transport, r.Target.BaseURL), a.Exchange.Lost)...)
	stranger, isStranger := checkStranger(r, a)
	switch {
	case doctor.AnyFailed(all):
		return redactChecks(r, append(all, doctor.SkippedAll(append([]string{"answer"}, names...)...)...)), nil
	case a.Exchange.Lost != "":
		return redactChecks(r, append(append(all, checkSilence(r, a.Exchange.Lost)), doctor.SkippedAll(names...)...)), nil
	case isStranger:
		return redactChecks(r, append(append(all, stranger), doctor.SkippedAll(names...)...)), nil
	}
	if away, nothing, err := checkForeign(ctx, r, s, a); err != nil {
		return nil, err
	} else if nothing {
		none := doctor.Check{Name: "answer", State: doctor.Failed, Says: away.Reason, Remedy: away.Remedy}
		return redactChecks(r, append(append(all, none), doctor.SkippedAll(names...)...)), nil
	}
	all = append(all, checkAnswer(r, a))
	all = append(all, checkCredential(r, asked), checkWithout(ctx, s, asked), doctor.Clock(a.Exchange, cfg.Now))
	return redactChecks(r, all), ctx.Err()
}

// firstRequest is the request with which a target is checked.
type firstRequest struct {
	operation spec.Operation
	// locked reports whether the operation requires a credential that is not given; missing says which.
	locked  bool
	missing scheme.Missing
	// answer is the response, or nil if nothing could be sent; then instead says why.
	answer  *scenario.Answer
	instead doctor.Check
}

// demandsCredential reports whether the operation requires a credential.
func (f *firstRequest) demandsCredential() bool {
	return len(f.operation.Security) > 0 && !f.operation.Anonymous()
}

// askFirst makes a request that reads. It prefers an operation that requires a credential.
func askFirst(ctx context.Context, r *engine, s *scenario.Scenario) (f firstRequest, err error) {
	var requests []request.Request
	for _, op := range r.probes(http.MethodGet) {
		all, wrong := r.Promises.Requests(&op)
		other := firstRequest{operation: op}
		other.missing, other.locked = r.locked(&op)
		if wrong == nil && (requests == nil || !other.locked && !f.demandsCredential() && other.demandsCredential()) {
			f, requests = other, all
		}
	}
	if requests == nil {
		f.instead = doctor.Check{Name: "answer", State: doctor.Skipped, Says: "the contract has no reading operation, and doctor changes nothing"}
		return f, nil
	}
	with := credentials.Credential{Words: "missing"}
	if !f.locked {
		with, err = s.Entitled(ctx, &f.operation)
	}
	if err != nil {
		f.instead = doctor.Check{Name: "credential", State: doctor.Failed, Says: err.Error(), Remedy: "check " + keyHint(r)}
		return f, nil //nolint:nilerr // a check reports it
	}
	f.answer, err = s.Ask(ctx, requests[0], with, "a check")
	if stop, is := errors.AsType[scenario.Stop](err); is {
		f.instead = doctor.Check{Name: "answer", State: doctor.Skipped, Says: stop.Reason}
		return f, nil
	}
	if errors.Is(err, scenario.ErrLost) {
		err = nil
	}
	return f, err
}

// checkAddress says how the base URL is understood.
func checkAddress(r *engine) doctor.Check {
	c := doctor.Check{Name: "address", State: doctor.Good, Says: r.Target.BaseURL + ", to which the paths of the contract are added"}
	if servers := r.Contract.Servers(); len(servers) > 0 {
		c.Says += fmt.Sprintf("; it replaces the contract's server %s", text.Elide(servers[0].Address(), longestQuote))
	}
	return c
}

// checkCredential checks whether a credential is accepted.
func checkCredential(r *engine, f firstRequest) doctor.Check {
	c := doctor.Check{Name: "credential", State: doctor.Good, Says: "let in by " + f.operation.ID}
	switch status := f.answer.Status(); {
	case f.locked:
		c.State, c.Says, c.Remedy = doctor.Failed, "none is given for "+f.operation.ID, f.missing.Remedy()
		if r.allLocked() == nil {
			c.State = doctor.Warned
		}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		c.State, c.Says = doctor.Failed, fmt.Sprintf("refused: %s is answered %d", f.operation.ID, status)
		c.Remedy = "check " + keyHint(r) + ": is it complete, for this service, and allowed to call this operation?"
		if f.operation.Anonymous() {
			c.Remedy = mayRequireOne
		}
	case !f.demandsCredential():
		c.State, c.Says = doctor.Skipped, "not checked, because "+f.operation.ID+" requires none"
	case status/100 != 2:
		c.State, c.Says = doctor.Skipped, fmt.Sprintf("a response of %d does not tell", status)
	}
	return c
}

// checkWithout checks whether a request without a credential is refused: a service that accepts everybody may be
// the wrong one.
func checkWithout(ctx context.Context, s *scenario.Scenario, f firstRequest) doctor.Check {
	c := doctor.Check{Name: "anonymous", State: doctor.Skipped, Says: "not looked at, since " + f.operation.ID + " demands none"}
	if !f.demandsCredential() {
		return c
	}
	a := f.answer
	if !f.locked {
		var err error
		if a, err = s.AskWithout(ctx, f.operation, "a check"); err != nil || a.Exchange.Lost != "" {
			c.State, c.Says, c.Remedy = doctor.Warned, "no response came", "connections may be lost during a run; check the network"
			return c
		}
	}
	c.State, c.Says = doctor.Good, fmt.Sprintf("refused with %d", a.Status())
	if a.Status() != http.StatusUnauthorized && a.Status() != http.StatusForbidden {
		c.State, c.Says = doctor.Warned, fmt.Sprintf("not refused with 401 or 403, but answered %d", a.Status())
		c.Remedy = "a run will report this as a violation; if credentials are not checked in this environment, judge another one"
	}
	return c
}

// redactChecks redacts what the target said.
func redactChecks(r *engine, all []doctor.Check) []doctor.Check {
	for i := range all {
		all[i].Says, all[i].Remedy = r.Client.Redactor.Text(all[i].Says), r.Client.Redactor.Text(all[i].Remedy)
	}
	return all
}

// noticeWarnings reports, before a run begins, what is no obstacle but worth knowing: a certificate that expires
// soon, clocks that differ.
func noticeWarnings(r *engine, way *doctor.Route, a *scenario.Answer) {
	if r.cfg.Notice == nil || a.Exchange.Lost != "" {
		return
	}
	all := append(checkRoute(r, way, nil, ""), checkAnswer(r, a), doctor.Clock(a.Exchange, r.Now))
	for _, c := range redactChecks(r, all) {
		if c.State == doctor.Warned {
			r.cfg.Notice(c)
		}
	}
}

// checkRoute checks the connection to the target, as far as it came.
func checkRoute(r *engine, way *doctor.Route, proxy *url.URL, lost string) []doctor.Check {
	return way.Checks(r.Target.BaseURL, proxy, lost, time.Now())
}

// checkSilence returns the check of a connection without a response.
func checkSilence(r *engine, lost string) doctor.Check {
	remedy := "the connection was made: check the service, or the gateway in front of it; --timeout gives it more time, and --wait waits until it is ready"
	switch {
	case strings.HasPrefix(lost, client.Postponed):
		remedy = "it limits how many requests it takes: wait until it accepts them again; --rate sends more slowly"
	case strings.Contains(lost, "certificate required") || strings.Contains(lost, "bad certificate"):
		remedy = "the service wants a client certificate that it knows: --client-cert, and --client-key"
	case strings.Contains(lost, "looked like an HTTP/1.1 header"):
		remedy = "the service does not speak HTTP/2 without TLS; leave out --h2c"
	case strings.HasPrefix(r.Target.BaseURL, "http:") && strings.Contains(lost, `malformed HTTP response "\x15\x03`): // a TLS alert
		remedy = "TLS is spoken at this port: try " + doctor.OverTLS(r.Target.BaseURL)
	case strings.HasPrefix(r.Target.BaseURL, "http:"):
		remedy += "; a port where TLS is spoken may end the connection like this: try " + doctor.OverTLS(r.Target.BaseURL)
	default:
		remedy += "; one that wants a client certificate (--client-cert) may end the connection like this"
	}
	return doctor.Check{Name: "answer", State: doctor.Failed, Says: "no response came: " + lost, Remedy: remedy}
}

// checkStranger reports whether a response is certainly not the service's: a proxy requires credentials, or a
// request without TLS reached a TLS port, to which servers answer 400 in their own words.
func checkStranger(r *engine, a *scenario.Answer) (doctor.Check, bool) {
	const name = "answer"
	if a.Exchange.Response == nil {
		return doctor.Check{}, false
	}
	says := fmt.Sprintf("%s after %v", check.Place(a.Exchange), doctor.Rounded(a.Exchange.Elapsed))
	switch status := a.Status(); {
	case status == http.StatusProxyAuthRequired && doctor.ProxyOf(r.Transport, r.Target.BaseURL) != nil:
		return doctor.Check{Name: name, State: doctor.Failed, Says: says + ", from the proxy", Remedy: "the proxy wants a user name and a password: --proxy 'http://${PROXY_USER}:${PROXY_PASSWORD}@host:port'"}, true
	case status == http.StatusBadRequest && strings.HasPrefix(r.Target.BaseURL, "http:") &&
		!strings.Contains(a.Exchange.Response.Header.Get("Content-Type"), "json") && bytes.Contains(a.Exchange.Response.Body, []byte("HTTPS")):
		return doctor.Check{Name: name, State: doctor.Failed, Says: says + ": TLS is spoken at this port", Remedy: "try " + doctor.OverTLS(r.Target.BaseURL)}, true
	}
	return doctor.Check{}, false
}

// checkAnswer checks whether a service answers, rather than a gateway in front of it.
func checkAnswer(r *engine, a *scenario.Answer) doctor.Check {
	const name = "answer"
	says := fmt.Sprintf("%s after %v", check.Place(a.Exchange), doctor.Rounded(a.Exchange.Elapsed))
	switch status := a.Status(); {
	case status/100 == 2, status == http.StatusUnauthorized:
		return doctor.Check{Name: name, State: doctor.Good, Says: says, Remedy: ""}
	case status >= 300 && status < 400 && !documentsStatus(r, a):
		return doctor.Check{Name: name, State: doctor.Warned, Says: says + ", to " + a.Exchange.Response.Header.Get("Location"), Remedy: "give the address that it redirects to; redirects are not followed"}
	case documentsStatus(r, a):
		return doctor.Check{Name: name, State: doctor.Good, Says: says, Remedy: ""}
	case status == http.StatusNotFound:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "check the path of the address: the service may be mounted elsewhere"}
	case status >= 500:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "the service, or a gateway in front of it, fails; if it is being deployed, wait for it with --wait"}
	}
	return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "a run will judge this response; it may come from a gateway"}
}

// documentsStatus reports whether the contract documents the very status of a response.
func documentsStatus(r *engine, a *scenario.Answer) bool {
	op, ok := r.Contract.Operation(a.Exchange.Operation)
	if !ok || a.Status() >= http.StatusInternalServerError {
		return false
	}
	answer := op.ResponseFor(a.Status())
	return answer != nil && answer.Class() != 0
}
