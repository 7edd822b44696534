package steps

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// longestQuote is how many characters of a foreign response are quoted.
const longestQuote = 300

// A mistyped address may lead to something that is no service of this interface: another API, a web page, a login.
// It must not be accused. It can be recognized because it knows neither the operations nor the key: every request
// gets the same foreign response, with and without the key.

// foreignKind returns the kind of a response that a server gives for unknown paths: "404", "302", "a page"; or
// that of a gateway that reaches no service. It returns "" for any other response: one that the operation
// documents, one with an Error body, a 500, a success with JSON. A 404 counts even if it is documented, and with
// an Error body: a service has nothing at a wrong path either.
func foreignKind(s *scenario.Scenario, a *scenario.Answer) string {
	resp := a.Exchange.Response
	if resp == nil {
		return ""
	}
	status := resp.Status
	switch {
	case status == http.StatusNotFound:
		return strconv.Itoa(status)
	case documentsResponse(s, a):
		return ""
	case resp.FromGateway():
		return unavailable
	case status/100 == 3:
		if slashOnly(a.Exchange) {
			return "" // a service that knows the path, and wants it in another form
		}
		return strconv.Itoa(status)
	case status/100 == 2:
		if mediaType(resp) == "text/html" && !a.Value.Valid {
			return "a page"
		}
		return ""
	}
	refusals := []int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusGone, http.StatusMisdirectedRequest}
	if a.Exchange.Request.Method != http.MethodGet {
		refusals = append(refusals, http.StatusNotImplemented)
	}
	if !slices.Contains(refusals, status) || showsError(s, a) {
		return ""
	}
	return strconv.Itoa(status)
}

// unavailable is the kind of a response of a gateway that reaches no service.
const unavailable = "unavailable"

// documentsResponse reports whether the contract documents the response with its media type: what a server says
// about an unknown path looks different. A default response does not count.
func documentsResponse(s *scenario.Scenario, a *scenario.Answer) bool {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return false
	}
	answer := op.ResponseFor(a.Status())
	return answer != nil && answer.Class() != 0 && (len(answer.Content) == 0 && len(a.Exchange.Response.Body) == 0 ||
		wire.Best(answer.MediaTypes(), a.Exchange.Response.Header.Get("Content-Type")) >= 0)
}

// namesNothing reports whether a response is a documented 404 for an identifier in the path. A service may say so
// for a made-up identifier, and a server that does not know the path may say the same.
func namesNothing(s *scenario.Scenario, a *scenario.Answer) bool {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	return ok && a.Status() == http.StatusNotFound && strings.Contains(op.Path, "{") && documentsResponse(s, a)
}

// showsError reports whether a response has the interface's Error body.
func showsError(s *scenario.Scenario, a *scenario.Answer) bool {
	if _, object := a.Value.Tree.(map[string]any); !a.Value.Valid || !object || a.Status() < http.StatusBadRequest {
		return false
	}
	return documentsResponse(s, a) // the documentation of the response says what an error looks like
}

// mediaType returns the media type of a response's body, without parameters.
func mediaType(resp *spec.Response) string {
	name, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return name
}

// slashOnly reports whether a redirect only adds or removes a slash at the end of the path.
func slashOnly(ex *spec.Exchange) bool {
	from, err := url.Parse(ex.Request.URL)
	if err != nil {
		return false
	}
	to, err := from.Parse(ex.Response.Header.Get("Location"))
	return err == nil && to.Host == from.Host && to.Scheme == from.Scheme && to.Path != from.Path &&
		strings.TrimRight(to.Path, "/") == strings.TrimRight(from.Path, "/")
}

// nothingHere reports whether nothing of the interface answers at the address, given that the plain reads got the
// foreign answers seen. It repeats them without the key, then creates, with and without the key. One answer that
// is not foreign, or that depends on the key, proves a service, however broken.
func nothingHere(ctx context.Context, r *engine, s *scenario.Scenario, seen []*scenario.Answer) (Unreachable, bool, error) {
	first := foreignKind(s, seen[0])
	for _, a := range seen {
		if first == "" || foreignKind(s, a) != first {
			return Unreachable{}, false, nil // it distinguishes the operations
		}
	}
	for _, a := range slices.Clone(seen) {
		if same, err := deafToKeys(ctx, r, s, a); err != nil || !same {
			return Unreachable{}, false, err
		}
	}
	for _, op := range r.probes(http.MethodPost) {
		if r.Target.ReadOnly {
			break
		}
		a, err := askAnew(ctx, s, op, (*scenario.Scenario).AskPlain, "before the run")
		if unasked(err) {
			continue
		}
		if unanswered(err) || err == nil && foreignKind(s, a) == "" {
			return Unreachable{}, false, nil
		} else if err != nil {
			return Unreachable{}, false, err
		}
		if same, err := deafToKeys(ctx, r, s, a); err != nil || !same {
			return Unreachable{}, false, err
		}
		seen = append(seen, a)
	}
	if !slices.ContainsFunc(seen, func(a *scenario.Answer) bool { return !namesNothing(s, a) }) {
		return Unreachable{}, false, nil // a service without resources may say no more
	}
	if first == unavailable {
		return downAt(r, seen), true, nil
	}
	// If something gets a 404 with the Error body, and the rest something else, it is a broken service.
	if slices.ContainsFunc(seen, func(a *scenario.Answer) bool { return showsError(s, a) }) && slices.ContainsFunc(seen, func(a *scenario.Answer) bool { return a.Status() != http.StatusNotFound }) {
		return Unreachable{}, false, nil
	}
	return wrongAddress(r, seen), true, nil
}

// checkForeign reports whether nothing of the interface answers at the address, starting from the response of one
// operation.
func checkForeign(ctx context.Context, r *engine, s *scenario.Scenario, first *scenario.Answer) (Unreachable, bool, error) {
	if foreignKind(s, first) == "" {
		return Unreachable{}, false, nil
	}
	seen := []*scenario.Answer{first}
	for _, op := range r.probes(http.MethodGet) {
		if op.ID == first.Exchange.Operation {
			continue
		}
		a, err := askAnew(ctx, s, op, (*scenario.Scenario).AskPlain, "a check")
		if unasked(err) {
			continue
		}
		if unanswered(err) {
			return Unreachable{}, false, nil
		} else if err != nil {
			return Unreachable{}, false, err
		}
		seen = append(seen, a)
	}
	return nothingHere(ctx, r, s, seen)
}

// deafToKeys repeats a request without a key, and reports whether the response is the same foreign one.
func deafToKeys(ctx context.Context, r *engine, s *scenario.Scenario, a *scenario.Answer) (bool, error) {
	op, ok := r.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return false, nil
	}
	b, err := askAnew(ctx, s, *op, (*scenario.Scenario).AskWithout, "before the run, without the key")
	if unasked(err) {
		return true, nil // nothing to compare with
	}
	if unanswered(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return foreignKind(s, b) == foreignKind(s, a) && mediaType(b.Exchange.Response) == mediaType(a.Exchange.Response), nil
}

// askAnew calls an operation plainly, and again if that was lost: servers like these may close connections
// silently, and a lost request says nothing about who is there.
func askAnew(
	ctx context.Context, s *scenario.Scenario, op spec.Operation,
	ask func(*scenario.Scenario, context.Context, spec.Operation, string) (*scenario.Answer, error), about string,
) (a *scenario.Answer, err error) {
	err = s.Anew(ctx, func() (err error) {
		a, err = ask(s, ctx, op, about)
		return err
	})
	return a, err
}

// unanswered reports whether an error says that no readable response arrived. That is judged elsewhere.
func unanswered(err error) bool {
	return errors.Is(err, scenario.ErrLost) || errors.Is(err, scenario.ErrUnreadable)
}

// mostAsked is how many requests are listed when all got the same foreign response.
const mostAsked = 6

// downAt describes a service that is down: the requests, and what to do about it.
func downAt(r *engine, seen []*scenario.Answer) Unreachable {
	return Unreachable{
		Reason: fmt.Sprintf("the service at %s is down: %s", r.Target.BaseURL, askedWords(seen)),
		Remedy: "start it, or wait for it with --wait; if it is up, check where the gateway in front of it leads",
	}
}

// askedWords lists requests and their responses.
func askedWords(seen []*scenario.Answer) string {
	var asked []string
	for _, a := range seen {
		text := check.Place(a.Exchange).String()
		if kind := mediaType(a.Exchange.Response); kind != "" {
			text += " (" + kind + ")"
		}
		asked = append(asked, text)
	}
	if more := len(asked) - mostAsked; more > 0 {
		asked = append(asked[:mostAsked], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(asked, ", ")
}

// wrongAddress describes a wrong address: the requests, and what to do about it.
func wrongAddress(r *engine, seen []*scenario.Answer) Unreachable {
	reason := fmt.Sprintf("nothing of this interface answers at %s: %s", r.Target.BaseURL, askedWords(seen))
	if slices.ContainsFunc(seen, func(a *scenario.Answer) bool {
		op, known := r.Contract.Operation(a.Exchange.Operation)
		return known && !op.Anonymous()
	}) {
		reason += ", with the key and without it"
	}
	away := Unreachable{
		Reason: reason,
		Remedy: "check the host and the path of the address, to which the paths of the contract are added",
	}
	if servers := r.Contract.Servers(); len(servers) > 0 {
		away.Remedy += fmt.Sprintf("; the contract names the server %s, whose path is not added", text.Elide(servers[0].Address(), longestQuote))
	}
	if to := seen[0].Exchange.Response.Header.Get("Location"); to != "" && seen[0].Status()/100 == 3 {
		away.Remedy = fmt.Sprintf("GET leads to %s; if that is the service, give its address (redirects are not followed)", text.Elide(to, longestQuote))
	}
	return away
}
