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

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/wire"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/scenario"
)

// longestQuote is how much of what a stranger says is quoted, in characters.
const longestQuote = 300

// A mistyped address leads to something that is no service of this interface: another API, a web page, a login. It
// must not be accused. It gives itself away since it knows none of the operations, and no key: whatever is asked gets the
// same foreign answer, with the key and without it.

// foreignKind names the kind of a response that a server gives to paths that it does not know: "404", "302", "a page"; or one that a
// gateway gives which reaches no service. Empty is any other response: one that the operation documents, one with an Error body, a 500,
// JSON with a success. A 404 counts where it is documented, and with an Error body, too: a service has nothing at another path.
func foreignKind(s *scenario.Scenario, a *scenario.Answer) string {
	resp := a.Exchange.Response
	if resp == nil {
		return ""
	}
	status := resp.Status
	switch {
	case status == http.StatusNotFound:
		return strconv.Itoa(status)
	case s.Run.Promises != nil && documents(s, a):
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
	refusals := []int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusGone, http.StatusMisdirectedRequest}
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

// documents reports whether the contract documents the response, its media type included, with content: what a server says of a
// path that it does not know looks different. A default stands for anything.
func documents(s *scenario.Scenario, a *scenario.Answer) bool {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return false
	}
	answer := op.Answer(a.Status())
	return answer != nil && answer.Class() != 0 && (len(answer.Content) == 0 && len(a.Exchange.Response.Body) == 0 ||
		wire.Best(answer.MediaTypes(), a.Exchange.Response.Header.Get("Content-Type")) >= 0)
}

// namesNothing reports whether a response says by a documented 404 that an identifier in the path names nothing. A service may say so
// of an identifier that was made up, and a server that knows no such path may say it in the same words.
func namesNothing(s *scenario.Scenario, a *scenario.Answer) bool {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	return ok && a.Status() == http.StatusNotFound && strings.Contains(op.Path, "{") && documents(s, a)
}

// showsError reports whether a response has the interface's Error body.
func showsError(s *scenario.Scenario, a *scenario.Answer) bool {
	if _, object := a.Value.Tree.(map[string]any); !a.Value.Valid || !object || a.Status() < http.StatusBadRequest {
		return false
	}
	if s.Run.Promises != nil {
		return documents(s, a) // what an error looks like is said where it is documented
	}
	return !s.Found(func(f spec.Finding) bool {
		return strings.HasPrefix(f.Rule, "error.") && slices.Contains(f.Exchanges, a.Exchange.Seq)
	})
}

// mediaType is the type of a response's body, without parameters.
func mediaType(resp *spec.Response) string {
	name, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return name
}

// slashOnly reports whether a redirect leads to the same path with a slash behind it, or without one.
func slashOnly(ex *spec.Exchange) bool {
	from, err := url.Parse(ex.Request.URL)
	if err != nil {
		return false
	}
	to, err := from.Parse(ex.Response.Header.Get("Location"))
	return err == nil && to.Host == from.Host && to.Scheme == from.Scheme && to.Path != from.Path &&
		strings.TrimRight(to.Path, "/") == strings.TrimRight(from.Path, "/")
}

// nothingHere reports that nothing of the interface answers at the address, where the plain reading requests got the
// given answers, all of a foreign kind. It asks them without the key, then creates, with the key and without it. One
// answer that is not foreign, or that the key makes a difference to, is a service's, however broken that is.
func nothingHere(ctx context.Context, r *engine, s *scenario.Scenario, seen []*scenario.Answer) (Unreachable, bool, error) {
	first := foreignKind(s, seen[0])
	for _, a := range seen {
		if first == "" || foreignKind(s, a) != first {
			return Unreachable{}, false, nil // it knows the operations apart
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
		a, err := askAnew(ctx, s, op, credentials.Right(r.Target.Key), "before the run")
		if unasked(r, err) {
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
		return Unreachable{}, false, nil // a service that holds nothing yet may say no more
	}
	if first == unavailable {
		return downAt(r, seen), true, nil
	}
	// One that answers 404 with the Error body to something, and anything else to the rest, is a broken service.
	if slices.ContainsFunc(seen, func(a *scenario.Answer) bool { return showsError(s, a) }) && slices.ContainsFunc(seen, func(a *scenario.Answer) bool { return a.Status() != http.StatusNotFound }) {
		return Unreachable{}, false, nil
	}
	return wrongAddress(r, seen), true, nil
}

// checkForeign reports that nothing of the interface answers at the address, going by the response of one operation.
func checkForeign(ctx context.Context, r *engine, s *scenario.Scenario, first *scenario.Answer) (Unreachable, bool, error) {
	if foreignKind(s, first) == "" {
		return Unreachable{}, false, nil
	}
	seen := []*scenario.Answer{first}
	for _, op := range r.probes(http.MethodGet) {
		if op.ID == first.Exchange.Operation {
			continue
		}
		a, err := askAnew(ctx, s, op, credentials.Right(r.Target.Key), "a check")
		if unasked(r, err) {
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

// deafToKeys asks again without a key, and reports whether the response is the same foreign one.
func deafToKeys(ctx context.Context, r *engine, s *scenario.Scenario, a *scenario.Answer) (bool, error) {
	op, ok := r.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return false, nil
	}
	without, err := credentials.Make("missing", r.Target.Key)
	if err != nil {
		return false, err
	}
	b, err := askAnew(ctx, s, *op, without, "before the run, without the key")
	if unasked(r, err) {
		return true, nil // there is nothing to compare with
	}
	if unanswered(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return foreignKind(s, b) == foreignKind(s, a) && mediaType(b.Exchange.Response) == mediaType(a.Exchange.Response), nil
}

// askAnew calls an operation plainly, and calls it again when that was lost: who answers so may close connections without a word, and
// one that was lost tells nothing of who is there.
func askAnew(ctx context.Context, s *scenario.Scenario, op spec.Operation, with credentials.Credential, about string) (a *scenario.Answer, err error) {
	err = s.Anew(ctx, func() (err error) {
		a, err = s.Perform(ctx, op, scenario.Arguments{}, nil, with, about)
		return err
	})
	return a, err
}

// unanswered reports whether an error says that no response came that could be read. That is judged elsewhere.
func unanswered(err error) bool {
	return errors.Is(err, scenario.ErrLost) || errors.Is(err, scenario.ErrUnreadable)
}

// mostAsked is how many requests are told of where all of them got the same foreign response.
const mostAsked = 6

// downAt says what was asked of a service that is down, and what to do about it.
func downAt(r *engine, seen []*scenario.Answer) Unreachable {
	return Unreachable{
		Reason: fmt.Sprintf("the service at %s is down: %s", r.Target.BaseURL, askedWords(seen)),
		Remedy: "start it, or wait for it with --wait; if it is up, check where the gateway in front of it leads",
	}
}

// askedWords says what was asked and what came.
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

// wrongAddress says what was asked and what came, and what to do about it.
func wrongAddress(r *engine, seen []*scenario.Answer) Unreachable {
	away := Unreachable{
		Reason: fmt.Sprintf("nothing of this interface answers at %s: %s, with the key and without it", r.Target.BaseURL, askedWords(seen)),
		Remedy: "check the host and the path before /v1: the service may be mounted elsewhere",
	}
	if r.Promises != nil {
		away.Remedy = "check the host and the path of the address, behind which the paths of the contract begin"
		if servers := r.Contract.Servers(); len(servers) > 0 {
			away.Remedy += fmt.Sprintf("; the contract names the server %s, whose path is not added", text.Elide(servers[0].Address(), longestQuote))
		}
	}
	if to := seen[0].Exchange.Response.Header.Get("Location"); to != "" && seen[0].Status()/100 == 3 {
		away.Remedy = fmt.Sprintf("GET leads to %s; if that is the service, give its address (redirects are not followed)", text.Elide(to, longestQuote))
	}
	return away
}
