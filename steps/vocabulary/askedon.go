package vocabulary

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/promise"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/scenario"
)

// plainsAskedOn is how many plain requests are sent where an operation seems to fail now and then.
const plainsAskedOn = 8

// askOn sends plain requests where a server error came to a request of which it breaks a should only, and does not come when the same is
// sent again: then it may not be the request's doing, and an operation that fails now and then probably fails plain requests, too.
// Otherwise the one response that shows it may be the one by which nothing is decided. Only what is safe is asked again; what keeps that from
// being asked takes nothing from what was found.
func askOn(ctx context.Context, s *scenario.Scenario, op *spec.Operation, a *scenario.Answer) error {
	m, err := s.Making()
	safe := slices.Contains([]string{http.MethodGet, http.MethodHead}, a.Exchange.Request.Method)
	if err != nil || !safe || a.Status() < 500 || !scenario.MayAskOn(s.Run, op.ID) {
		return nil //nolint:nilerr // a step that made no request has nothing to send again
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
			f := statusPromise(s, one, s.Run.Promises.Names.Rule(op.ID, promise.Available), promise.Available, nil, false)
			f.Where = check.Place(one.Exchange).In("a plain request")
			s.Find(one.Exchange, f)
			return nil
		}
	}
	return nil
}

// unlessEnded returns an error, but for one by which nothing more can be asked.
func unlessEnded(err error) error {
	if _, stop := errors.AsType[scenario.Stop](err); stop || client.IsLimit(err) {
		return nil
	}
	return err
}
