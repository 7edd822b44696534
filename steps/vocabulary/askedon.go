package vocabulary

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// plainsAskedOn is how many plain requests are sent if an operation seems to fail intermittently.
const plainsAskedOn = 8

// repeatAfterServerError sends plain requests after a server error that only breaks a should rule and does not
// recur when the request is repeated. The request may not be the reason, and an operation that fails
// intermittently probably fails plain requests, too. Otherwise the single response that shows it might count for
// nothing. Only safe requests are repeated, and an error that prevents them does not affect earlier findings.
func repeatAfterServerError(ctx context.Context, s *scenario.Scenario, op *spec.Operation, a *scenario.Answer) error {
	m, err := s.Making()
	safe := slices.Contains([]string{http.MethodGet, http.MethodHead}, a.Exchange.Request.Method)
	if err != nil || !safe || a.Status() < 500 || !scenario.MayAskOn(s.Run, op.ID) {
		return nil //nolint:nilerr // a step that made no request has nothing to repeat
	}
	again, err := s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name)
	if err != nil || again.Status() >= 500 {
		return unlessEnded(err)
	}
	for range plainsAskedOn {
		plain, err := s.Plain(ctx, op)
		if err != nil {
			return unlessEnded(err)
		}
		one, err := s.Ask(ctx, plain.Request, plain.Answer.Credential, "a plain request")
		if err != nil {
			return unlessEnded(err)
		}
		if v := promise.Judge(op, one.Exchange.Response, promise.Keeps, promise.Available); !v.Unavailable && slices.Contains(v.Broken, promise.Available) {
			f := statusPromise(s, one, s.Run.Promises.Names.Rule(op.ID, promise.Available), promise.Available, nil)
			f.Where = check.Place(one.Exchange).In("a plain request")
			s.Find(one.Exchange, f)
			return nil
		}
	}
	return nil
}

// unlessEnded returns an error, unless it only says that no more requests may be sent.
func unlessEnded(err error) error {
	if _, stop := errors.AsType[scenario.Stop](err); stop || client.IsLimit(err) {
		return nil
	}
	return err
}
