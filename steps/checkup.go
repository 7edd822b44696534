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
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// CheckUp looks at each thing that a run needs of its target, one after the other: the way there, whether the key is let
// in and an altered one is not, whether a plain animal can be created. It creates one animal at most, and none for a
// target that is read-only. What depends on a check that failed is skipped.
func CheckUp(ctx context.Context, cfg Config) ([]doctor.Check, error) {
	cfg.Recorder = record.NewRecorder(record.Record{}) // which nobody reads
	r, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	all := []doctor.Check{{Name: "address", State: doctor.Good, Says: r.target.BaseURL + " ends in v1, as the interface's addresses do", Remedy: ""}}
	list, ok := r.plainRead()
	if !ok {
		return nil, errors.New("the contract holds no operation that can be read without knowing an id; nothing can be checked by it")
	}
	var way doctor.Route
	s := &scenario{run: r, pickle: &suite.Scenario{}, earlier: map[string]*answer{}}
	a, err := s.perform(httptrace.WithClientTrace(ctx, way.Trace()), list, arguments{}, nil, credentials.Right(r.target.Key), "a check")
	if err != nil && !errors.Is(err, errLost) {
		return nil, err
	}
	all = append(all, r.checks(&way, doctor.ProxyOf(cfg.Transport, r.target.BaseURL), a.ex.Lost)...)
	stranger, isStranger := r.stranger(a)
	switch {
	case doctor.AnyFailed(all):
		return r.hidden(append(all, doctor.SkippedAll("answer", "key", "altered key", "clock", "creation")...)), nil
	case a.ex.Lost != "":
		return r.hidden(append(append(all, r.checkSilence(a.ex.Lost)), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	case isStranger:
		return r.hidden(append(append(all, stranger), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	}
	if away, nothing, err := r.checkForeign(ctx, s, a); err != nil {
		return nil, err
	} else if nothing {
		none := doctor.Check{Name: "answer", State: doctor.Failed, Says: away.Reason, Remedy: away.Remedy}
		return r.hidden(append(append(all, none), doctor.SkippedAll("key", "altered key", "clock", "creation")...)), nil
	}
	all = append(all, checkAnswer(a), r.checkKey(a), r.checkAltered(ctx, s, list), doctor.Clock(a.ex, cfg.Now))
	all = append(all, r.checkCreation(ctx, s, a.status() == http.StatusUnauthorized))
	return r.hidden(all), ctx.Err()
}

// hidden takes the secrets out of what the target said.
func (r *run) hidden(all []doctor.Check) []doctor.Check {
	for i := range all {
		all[i].Says, all[i].Remedy = r.client.Redactor.Text(all[i].Says), r.client.Redactor.Text(all[i].Remedy)
	}
	return all
}

// warnings tell a run, before it begins, what it can live with and a person should know: a certificate that ends soon,
// clocks that are apart.
func (r *run) warnings(way *doctor.Route, a *answer) {
	if r.Notice == nil || a.ex.Lost != "" {
		return
	}
	all := append(r.checks(way, nil, ""), checkAnswer(a), doctor.Clock(a.ex, r.Now))
	for _, c := range r.hidden(all) {
		if c.State == doctor.Warned {
			r.Notice(c)
		}
	}
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
func (r *run) checks(way *doctor.Route, proxy *url.URL, lost string) []doctor.Check {
	return way.Checks(r.target.BaseURL, proxy, lost, time.Now())
}

// checkSilence tells of a connection that brought no response.
func (r *run) checkSilence(lost string) doctor.Check {
	remedy := "the connection was made: look at the service, or at the gateway before it; --timeout gives it more time, and --wait waits until it is ready"
	switch {
	case strings.Contains(lost, "certificate required") || strings.Contains(lost, "bad certificate"):
		remedy = "the service wants a client certificate that it knows: --client-cert, and --client-key"
	case strings.Contains(lost, "looked like an HTTP/1.1 header"):
		remedy = "the service does not speak HTTP/2 without TLS; leave out --h2c"
	case strings.HasPrefix(r.target.BaseURL, "http:") && strings.Contains(lost, `malformed HTTP response "\x15\x03`): // an alert of TLS
		remedy = "TLS is spoken at this port: try " + doctor.OverTLS(r.target.BaseURL)
	case strings.HasPrefix(r.target.BaseURL, "http:"):
		remedy += "; a port where TLS is spoken may end the connection like this: try " + doctor.OverTLS(r.target.BaseURL)
	default:
		remedy += "; one that wants a client certificate (--client-cert) may end the connection like this"
	}
	return doctor.Check{Name: "answer", State: doctor.Failed, Says: "no response came: " + lost, Remedy: remedy}
}

// stranger reports whether a response is surely not the service's: a proxy wants credentials, or a request without TLS reached a
// port that wants it, to which servers answer 400 in words of their own.
func (r *run) stranger(a *answer) (doctor.Check, bool) {
	const name = "answer"
	if a.ex.Response == nil {
		return doctor.Check{}, false
	}
	says := fmt.Sprintf("%s after %v", check.Place(a.ex), doctor.Rounded(a.ex.Elapsed))
	switch status := a.status(); {
	case status == http.StatusProxyAuthRequired && doctor.ProxyOf(r.Transport, r.target.BaseURL) != nil:
		return doctor.Check{Name: name, State: doctor.Failed, Says: says + ", from the proxy", Remedy: "the proxy wants a user name and a password: --proxy 'http://${PROXY_USER}:${PROXY_PASSWORD}@host:port'"}, true
	case status == http.StatusBadRequest && strings.HasPrefix(r.target.BaseURL, "http:") &&
		!strings.Contains(a.ex.Response.Header.Get("Content-Type"), "json") && bytes.Contains(a.ex.Response.Body, []byte("HTTPS")):
		return doctor.Check{Name: name, State: doctor.Failed, Says: says + ": TLS is spoken at this port", Remedy: "try " + doctor.OverTLS(r.target.BaseURL)}, true
	}
	return doctor.Check{}, false
}

// checkAnswer reports whether what answers is a service, and not a gateway before it.
func checkAnswer(a *answer) doctor.Check {
	const name = "answer"
	says := fmt.Sprintf("%s after %v", check.Place(a.ex), doctor.Rounded(a.ex.Elapsed))
	switch status := a.status(); {
	case status/100 == 2, status == http.StatusUnauthorized:
		return doctor.Check{Name: name, State: doctor.Good, Says: says, Remedy: ""}
	case status >= 300 && status < 400:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says + ", to " + a.ex.Response.Header.Get("Location"), Remedy: "give the address that it leads to; redirects are not followed"}
	case status == http.StatusNotFound:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "check the path before /v1: the service may be mounted elsewhere"}
	case status >= 500:
		return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "the service, or a gateway before it, fails; if it is being deployed, wait for it with --wait"}
	}
	return doctor.Check{Name: name, State: doctor.Warned, Says: says, Remedy: "a run will judge this response; a gateway may have given it in the service's place"}
}

func (r *run) checkKey(a *answer) doctor.Check {
	if a.status() == http.StatusUnauthorized {
		return doctor.Check{
			Name: "key", State: doctor.Failed, Says: "refused: the service answers 401 to it",
			Remedy: "check " + r.target.keyPlace() + ": is it the key of this environment, and whole?",
		}
	}
	if a.status()/100 != 2 {
		return doctor.Check{Name: "key", State: doctor.Skipped, Says: fmt.Sprintf("a response of %d does not tell", a.status()), Remedy: ""}
	}
	return doctor.Check{Name: "key", State: doctor.Good, Says: "let in", Remedy: ""}
}

// checkAltered reports whether keys count: a service that lets everything in may be another than is meant.
func (r *run) checkAltered(ctx context.Context, s *scenario, op spec.Operation) doctor.Check {
	const name = "altered key"
	c, err := credentials.Make("a random key of the right key's length", r.target.Key)
	if err != nil {
		return doctor.Check{Name: name, State: doctor.Skipped, Says: err.Error(), Remedy: ""}
	}
	a, err := s.perform(ctx, op, arguments{}, nil, c, "a check")
	switch {
	case err != nil || a.ex.Lost != "":
		return doctor.Check{Name: name, State: doctor.Warned, Says: "no response came", Remedy: "a run may be lost on the way; look at the network"}
	case a.status() == http.StatusUnauthorized:
		return doctor.Check{Name: name, State: doctor.Good, Says: "refused with 401", Remedy: ""}
	}
	return doctor.Check{
		Name: name, State: doctor.Warned, Says: fmt.Sprintf("not refused with 401, but answered %d", a.status()),
		Remedy: "a run will hold this against the service; if keys are not checked in this environment, judge another one",
	}
}

// checkCreation creates a plain animal, as every run has to.
func (r *run) checkCreation(ctx context.Context, s *scenario, refused bool) doctor.Check {
	const name = "creation"
	switch {
	case r.target.ReadOnly:
		return doctor.Check{Name: name, State: doctor.Skipped, Says: "not tried, since the target is read-only", Remedy: ""}
	case refused:
		return doctor.Check{Name: name, State: doctor.Skipped, Says: "not tried, since the key is refused", Remedy: ""}
	}
	for _, op := range r.contract.Operations() {
		if op.Method != http.MethodPost {
			continue
		}
		a, err := s.perform(ctx, op, arguments{}, nil, credentials.Right(r.target.Key), "a check")
		switch {
		case err != nil || a.ex.Lost != "":
			return doctor.Check{Name: name, State: doctor.Failed, Says: "no response came; whether the animal is there is not known", Remedy: "look at the network, then check again"}
		case a.status() == petstore.Success(op, http.StatusCreated):
			text := "accepted with " + strconv.Itoa(a.status())
			if id, ok := a.value.At("/id"); ok {
				number, _ := id.Int()
				text += fmt.Sprintf("; the animal %s (%s) stays there", number, a.sent.Name())
			}
			return doctor.Check{Name: name, State: doctor.Good, Says: text, Remedy: ""}
		}
		return doctor.Check{
			Name: name, State: doctor.Warned, Says: fmt.Sprintf("a plain animal was answered %d: %s", a.status(), a.value.String()),
			Remedy: "if the service has no category " + r.target.Plain["categoryId"] + ", name one that it has with --category-id; else a run will hold this against it",
		}
	}
	return doctor.Check{Name: name, State: doctor.Skipped, Says: "the contract has no operation that creates", Remedy: ""}
}
