package scenario

import (
	"context"
	"errors"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// enoughToRepeat is how many resources a run may have created before wrong responses to creations are not checked by repeating them.
const enoughToRepeat = 24

// LetInBy returns the derived rule, and the part of it, that is broken by a response to a wrong credential, and whether the same request
// is rejected when it is repeated. The rule is empty if the contract has none for this credential.
//
// rejects reports whether a status is that of a rejection.
func (s *Scenario) LetInBy(ctx context.Context, a *Answer, rejects func(status int) bool) (rule string, parts []string, sometimes bool, err error) {
	if a.Request == nil || a.Credential.Right {
		return "", nil, false, nil
	}
	op := a.Request.Operation
	kind, part := promise.OfCredential(op, a.Credential.Words)
	if part == "" {
		return "", nil, false, nil
	}
	if sometimes, err = s.RightAgain(ctx, a, func(a *Answer) bool { return rejects(a.Status()) }); err != nil {
		return "", nil, false, err
	}
	switch parts = []string{part}; {
	case sometimes && a.Status() >= http.StatusInternalServerError: // the credential is not the reason
		kind, parts = promise.Available, []string{promise.PartSometimes}
	case sometimes:
		parts = append(parts, promise.PartSometimes)
	}
	return s.Run.Promises.Names.Rule(op.ID, kind), parts, sometimes, nil
}

// RightAgain reports whether the response is right when a request is repeated, so that the request is not the reason for a wrong one.
// Requests that change something are repeated only if they create, and only while few resources were created.
func (s *Scenario) RightAgain(ctx context.Context, a *Answer, right func(*Answer) bool) (bool, error) {
	if a.Request == nil {
		return false, nil
	}
	op := a.Request.Operation
	creates := s.Run.Creates(op.ID) && s.Run.Budget().Created() < enoughToRepeat
	if op.Method != http.MethodGet && !creates {
		return false, nil
	}
	for range 2 {
		again, err := s.Ask(ctx, renewedNames(s, *a.Request), a.Credential, a.Exchange.About+", once more")
		switch {
		case errors.As(err, new(Stop)):
			return false, nil // no more may be created
		case err != nil:
			return false, err
		case right(again):
			return true, nil
		}
	}
	return false, nil
}

// renewedNames returns a request with other names where its own may be taken.
func renewedNames(s *Scenario, r request.Request) request.Request {
	if NewlyNamed(s, r) {
		return Renamed(s, r)
	}
	return r
}
