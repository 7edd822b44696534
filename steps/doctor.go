package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/doctor"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// CheckUp looks at each thing that a run needs of its target, one after the other: the way there, whether the key is let
// in and an altered one is not, whether a plain resource can be created. It creates one at most, and none for a target
// that is read-only. What depends on a check that failed is skipped.
func CheckUp(ctx context.Context, cfg Config) ([]doctor.Check, error) {
	cfg.Recorder = record.NewRecorder(record.Record{}) // which nobody reads
	r, err := newEngine(cfg)
	if err != nil {
		return nil, err
	}
	ctx, release := r.Bind(ctx)
	defer release()
	all := []doctor.Check{{Name: "address", State: doctor.Good, Says: r.Target.BaseURL + " ends in v1, as the interface's addresses do", Remedy: ""}}
	list, ok := plainRead(r)
	if !ok {
		return nil, errors.New("the contract holds no operation that can be read without knowing an id; nothing can be checked by it")
	}
	var way doctor.Route
	s := r.NewScenario(&suite.Scenario{}, spec.Rule{})
	a, err := s.Perform(httptrace.WithClientTrace(ctx, way.Trace()), list, scenario.Arguments{}, nil, credentials.Right(r.Target.Key), "a check")
	if err != nil && !errors.Is(err, scenario.ErrLost) {
		return nil, err
	}
	all = append(all, checkRoute(r, &way, doctor.ProxyOf(cfg.Transport, r.Target.BaseURL), a.Exchange.Lost)...)
	stranger, isStranger := checkStranger(r, a)
	switch {
	case doctor.AnyFailed(all):
		return redactChecks(r, append(all, doctor.SkippedAll("answer", "key", "altered key", "clock", "creation")...)), nil
	case a.Exchange.Lost != "":
		return redactChecks(r, append(append(all, checkSilence(r, a.Exchange.Lost)), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	case isStranger:
		return redactChecks(r, append(append(all, stranger), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	}
	if away, nothing, err := checkForeign(ctx, r, s, a); err != nil {
		return nil, err
	} else if nothing {
		none := doctor.Check{Name: "answer", State: doctor.Failed, Says: away.Reason, Remedy: away.Remedy}
		return redactChecks(r, append(append(all, none), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	}
	all = append(all, checkAnswer(a), checkKey(r, a), checkAltered(ctx, r, s, list), doctor.Clock(a.Exchange, cfg.Now))
	all = append(all, checkCreation(ctx, r, s, a.Status() == http.StatusUnauthorized))
	return redactChecks(r, all), ctx.Err()
}

// redactChecks takes the secrets out of what the target said.
func redactChecks(r *engine, all []doctor.Check) []doctor.Check {
	for i := range all {
		all[i].Says, all[i].Remedy = r.Client.Redactor.Text(all[i].Says), r.Client.Redactor.Text(all[i].Remedy)
	}
	return all
}

// noticeWarnings tell a run, before it begins, what it can live with and a person should know: a certificate that ends soon,
// clocks that are apart.
func noticeWarnings(r *engine, way *doctor.Route, a *scenario.Answer) {
	if r.cfg.Notice == nil || a.Exchange.Lost != "" {
		return
	}
	all := append(checkRoute(r, way, nil, ""), checkAnswer(a), doctor.Clock(a.Exchange, r.Now))
	for _, c := range redactChecks(r, all) {
		if c.State == doctor.Warned {
			r.cfg.Notice(c)
		}
	}
}

// plainRead is the first operation that needs nothing but the key.
func plainRead(r *engine) (spec.Operation, bool) {
	for _, op := range r.Contract.Operations() {
		if _, gone := r.Removed[op.ID]; op.Method == http.MethodGet && !gone && !strings.Contains(op.Path, "{") {
			return op, true
		}
	}
	return spec.Operation{}, false
}

// checkRoute checks the way to the target, as far as it came.
func checkRoute(r *engine, way *doctor.Route, proxy *url.URL, lost string) []doctor.Check {
	return way.Checks(r.Target.BaseURL, proxy, lost, time.Now())
}

// checkSilence is the check of a connection that brought no response.
func checkSilence(r *engine, lost string) doctor.Check {
	remedy := "the connection was made: look at the service, or at the gateway before it; --timeout gives it more time, and --wait waits until it is ready"
	switch {
	case strings.Contains(lost, "certificate required") || strings.Contains(lost, "bad certificate"):
		remedy = "the service wants a client certificate that it knows: --client-cert, and --client-key"
	case strings.Contains(lost, "looked like an HTTP/1.1 header"):
		remedy = "the service does not speak HTTP/2 without TLS; leave out --h2c"
	case strings.HasPrefix(r.Target.BaseURL, "http:") && strings.Contains(lost, `malformed HTTP response "\x15\x03`): // an alert of TLS
		remedy = "TLS is spoken at this port: try " + doctor.OverTLS(r.Target.BaseURL)
	case strings.HasPrefix(r.Target.BaseURL, "http:"):
		remedy += "; a port where TLS is spoken may end the connection like this: try " + doctor.OverTLS(r.Target.BaseURL)
	default:
		remedy += "; one that wants a client certificate (--client-cert) may end the connection like this"
	}
	return doctor.Check{Name: "answer", State: doctor.Failed, Says: "no response came: " + lost, Remedy: remedy}
}

// checkStranger reports whether a response is surely not the service's: a proxy wants credentials, or a request without TLS reached a
// port that wants it, to which servers answer 400 in words of their own.
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

// checkAnswer reports whether what answers is a service, and not a gateway before it.
func checkAnswer(a *scenario.Answer) doctor.Check {
	const name = "answer"
	says := fmt.Sprintf("%s after %v", check.Place(a.Exchange), doctor.Rounded(a.Exchange.Elapsed))
	switch status := a.Status(); {
	case status/100 == 2, status == http.StatusUnauthorized:
		return doctor.Check{Name: name, State: doctor.Good, Says: says, Remedy: ""}
	case status >= 300 && status < 400:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says + ", to " + a.Exchange.Response.Header.Get("Location"), Remedy: "give the address that it leads to; redirects are not followed"}
	case status == http.StatusNotFound:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "check the path before /v1: the service may be mounted elsewhere"}
	case status >= 500:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "the service, or a gateway before it, fails; if it is being deployed, wait for it with --wait"}
	}
	return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "a run will judge this response; a gateway may have given it in the service's place"}
}

func checkKey(r *engine, a *scenario.Answer) doctor.Check {
	if a.Status() == http.StatusUnauthorized {
		return doctor.Check{
			Name: "key", State: doctor.Failed, Says: "refused: the service answers 401 to it",
			Remedy: "check " + r.Target.KeyHint() + ": is it the key of this environment, and whole?",
		}
	}
	if a.Status()/100 != 2 {
		return doctor.Check{Name: "key", State: doctor.Skipped, Says: fmt.Sprintf("a response of %d does not tell", a.Status()), Remedy: ""}
	}
	return doctor.Check{Name: "key", State: doctor.Good, Says: "let in", Remedy: ""}
}

// checkAltered reports whether keys count: a service that lets everything in may be another than is meant.
func checkAltered(ctx context.Context, r *engine, s *scenario.Scenario, op spec.Operation) doctor.Check {
	const name = "altered key"
	c, err := credentials.Make("a random key of the right key's length", r.Target.Key)
	if err != nil {
		return doctor.Check{Name: name, State: doctor.Skipped, Says: err.Error(), Remedy: ""}
	}
	a, err := s.Perform(ctx, op, scenario.Arguments{}, nil, c, "a check")
	switch {
	case err != nil || a.Exchange.Lost != "":
		return doctor.Check{Name: name, State: doctor.Warned, Says: "no response came", Remedy: "a run may be lost on the way; look at the network"}
	case a.Status() == http.StatusUnauthorized:
		return doctor.Check{Name: name, State: doctor.Good, Says: "refused with 401", Remedy: ""}
	}
	return doctor.Check{
		Name: name, State: doctor.Warned, Says: fmt.Sprintf("not refused with 401, but answered %d", a.Status()),
		Remedy: "a run will hold this against the service; if keys are not checked in this environment, judge another one",
	}
}

// checkCreation creates a plain resource, as every run has to.
func checkCreation(ctx context.Context, r *engine, s *scenario.Scenario, refused bool) doctor.Check {
	const name = "creation"
	noun := r.Interface.Noun()
	switch {
	case r.Target.ReadOnly:
		return doctor.Check{Name: name, State: doctor.Skipped, Says: "not tried, since the target is read-only", Remedy: ""}
	case refused:
		return doctor.Check{Name: name, State: doctor.Skipped, Says: "not tried, since the key is refused", Remedy: ""}
	}
	for _, op := range r.Contract.Operations() {
		if op.Method != http.MethodPost {
			continue
		}
		a, err := s.Perform(ctx, op, scenario.Arguments{}, nil, credentials.Right(r.Target.Key), "a check")
		switch {
		case err != nil || a.Exchange.Lost != "":
			return doctor.Check{Name: name, State: doctor.Failed, Says: "no response came; whether the " + noun + " is there is not known", Remedy: "look at the network, then check again"}
		case a.Status() == op.Success(http.StatusCreated):
			text := "accepted with " + strconv.Itoa(a.Status())
			if id, ok := a.Value.At("/id"); ok {
				number, _ := id.Int()
				text += fmt.Sprintf("; the %s %s (%s) stays there", noun, number, a.Sent.Name())
			}
			return doctor.Check{Name: name, State: doctor.Good, Says: text, Remedy: ""}
		}
		return doctor.Check{
			Name: name, State: doctor.Warned, Says: fmt.Sprintf("a plain %s was answered %d: %s", noun, a.Status(), a.Value.String()),
			Remedy: fieldsRemedy(r),
		}
	}
	return doctor.Check{Name: name, State: doctor.Skipped, Says: "the contract has no operation that creates", Remedy: ""}
}

// fieldsRemedy says what to do about a creation that was refused: a value may name what the target does not have.
func fieldsRemedy(r *engine) string {
	remedy := ""
	for _, f := range r.Interface.Fields {
		remedy += "if the service has no " + f.Noun + " " + r.Target.Plain[f.Name] + ", name one that it has with --" + f.Flag + "; "
	}
	if remedy == "" {
		return "a run will hold this against the service"
	}
	return remedy + "else a run will hold this against it"
}
