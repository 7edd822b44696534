package vocabulary

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/lifecycle"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// The steps for requests that no plain request leads to: an undefined method of a path, and following a link.

func pathSteps() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.MethodSent.Pattern(), Do: stepWith(whenMethodSent)},
		{Pattern: promise.LinkFollowed.Pattern(), Do: stepWith(whenLinkFollowed)},
		{Pattern: promise.HeadSent, Do: step(whenHeadSent)},
		{Pattern: promise.Outcome(promise.Elsewhere), Do: step(func(_ context.Context, s *scenario.Scenario) error { return thenOutside(s, promise.Elsewhere) })},
		{Pattern: promise.Outcome(promise.LikeGet), Do: step(func(_ context.Context, s *scenario.Scenario) error { return thenOutside(s, promise.LikeGet) })},
	}
}

// whenMethodSent implements "GET is sent to the path of <operation>". The response is not judged by the contract,
// which does not define it.
func whenMethodSent(ctx context.Context, s *scenario.Scenario, operation string) error {
	op, ok := s.Run.Contract.Operation(unquoted(operation))
	if !ok {
		return fmt.Errorf("the contract has no operation %q", unquoted(operation))
	}
	if err := scenario.Permit(s, op); err != nil {
		return err // a path that may do harm by one method may do so by another
	}
	with, err := s.Entitled(ctx, op)
	if err != nil {
		return scenario.Stopf("%v", err)
	}
	a, err := s.Send(ctx, client.Call{Beside: op.ID, Method: http.MethodGet, Path: op.Path, About: s.Pickle.Name}, with)
	if err != nil {
		return err
	}
	s.Make(&scenario.Making{Request: request.New(op), Credential: with})
	s.SetAnswers(a)
	return nil
}

// whenHeadSent implements "HEAD is sent in its place".
func whenHeadSent(ctx context.Context, s *scenario.Scenario) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	w, err := m.Request.Write("hallmark")
	if err != nil {
		return scenario.Excusef("%v", err)
	}
	a, err := s.Send(ctx, client.Call{
		Beside: m.Request.Operation.ID, Method: http.MethodHead, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie, Accept: m.Plain.Answer.Exchange.Request.Header.Get("Accept"), About: s.Pickle.Name,
	}, m.Credential)
	if err != nil {
		return err
	}
	s.SetAnswers(a)
	return nil
}

// thenOutside judges a request with a method that the contract does not define.
func thenOutside(s *scenario.Scenario, aspect promise.Aspect) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	m, err := s.Making()
	if err != nil {
		return err
	}
	op := m.Request.Operation
	kind := aspect.Kind()
	v := promise.Judge(op, a.Exchange.Response, aspect, kind)
	for _, k := range v.Kept {
		s.Kept(ruleOf(s, op, k, kind))
	}
	for _, k := range v.Broken {
		s.Find(a.Exchange, statusPromise(s, a, ruleOf(s, op, k, kind), k, v.Wanted))
	}
	return nil
}

// whenLinkFollowed implements "the link <name> of its response is followed".
func whenLinkFollowed(ctx context.Context, s *scenario.Scenario, name string) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	if m.Plain.Answer == nil {
		return fmt.Errorf("no request succeeded before its link is followed")
	}
	a, err := followLink(ctx, s, m.Plain.Answer.Whole(), unquoted(name))
	if err != nil {
		return err
	}
	if slices.Contains(promise.LeadsNowhere, a.Status()) {
		// The target of the link may have been deleted since, so another response is tried.
		again, err := askedAgain(ctx, s, m.Credential)
		if err != nil {
			return err
		}
		if !again.Succeeded() {
			return scenario.Excusef("what the link %s leads to may have been removed since, and the request that succeeded is answered %d by now", unquoted(name), again.Status())
		}
		if a, err = followLink(ctx, s, again, unquoted(name)); err != nil {
			return err
		}
	}
	s.SetAnswers(a)
	return nil
}

// followLink requests the target of a link until it exists or its time is up.
func followLink(ctx context.Context, s *scenario.Scenario, from *scenario.Answer, name string) (*scenario.Answer, error) {
	answer := from.Request.Operation.ResponseFor(from.Status())
	if answer == nil || from.Status() == http.StatusAccepted {
		return nil, scenario.Excusef("the response %d has no link %s", from.Status(), name)
	}
	for _, l := range answer.Links {
		target, ok := s.Run.Contract.Operation(l.Operation)
		if l.Name != name || !ok {
			continue
		}
		if _, gone := s.Run.Removed[target.ID]; gone {
			return nil, scenario.Excusef("%s is removed by now", target.ID)
		}
		plain, err := s.Run.Promises.Requests(target)
		if err != nil {
			return nil, scenario.Excusef("%v", err)
		}
		r, err := promise.Follow(l, plain[0], promise.Source{Request: *from.Request, Exchange: from.Exchange, Body: from.Value.Tree})
		if err != nil {
			return nil, scenario.Excusef("the link %s leads nowhere: %v", name, err)
		}
		with, err := s.Entitled(ctx, target)
		if err != nil {
			return nil, scenario.Stopf("%v", err)
		}
		return lifecycle.Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, r, with, s.Pickle.Name) }, func(a *scenario.Answer) bool {
			return a.Status() != http.StatusNotFound
		})
	}
	return nil, scenario.Excusef("the response %d has no link %s", from.Status(), name)
}
