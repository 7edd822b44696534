package vocabulary

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/written"
)

// The steps that judge responses, for any contract.

// thenStatus implements "the response is 200" and "the response is 201 or 400".
func thenStatus(ctx context.Context, s *scenario.Scenario, words string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	return written.Status(ctx, s, a, words)
}

// thenEachStatus implements "each response is 404".
func thenEachStatus(ctx context.Context, s *scenario.Scenario, words string) error {
	for _, a := range s.Answers() {
		if err := written.Status(ctx, s, a, words); err != nil {
			return err
		}
	}
	return nil
}

// thenThatOne implements "the response is 404, or 200 with that petId".
func thenThatOne(ctx context.Context, s *scenario.Scenario, missing, found, parameter string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if err := written.Status(ctx, s, a, missing+" or "+found); err != nil || strconv.Itoa(a.Status()) != found {
		return err
	}
	property, ok := linkedProperty(s, a.Exchange.Operation, parameter)
	if !ok || s.Broken(a.Exchange) {
		return nil
	}
	v, there := a.Value.At("/" + property)
	text, scalar := scalarText(v.Tree)
	asked := askedFor(a, parameter)
	if there && scalar && text != asked {
		s.Find(a.Exchange, spec.Finding{
			Rule: itselfRule(s, a), Kind: spec.KindAnother, Expected: phrase.Of("{} with the {} {}, or {}", phrase.Text(found), phrase.Field(property), phrase.ID(asked), phrase.Text(missing)),
			Actual: phrase.Of("{} {}", phrase.Field(property), phrase.ID(text)), Where: check.Place(a.Exchange).At("/" + property), Pointer: "/" + property, Cause: s.Rule.ID,
		})
	}
	return nil
}

// itselfRule returns the derived rule that an operation returns what its path names, or the scenario's own if there is none.
func itselfRule(s *scenario.Scenario, a *scenario.Answer) string {
	if r, ok := s.Run.Catalogue.Rule(s.Run.Promises.Names.Rule(a.Exchange.Operation, promise.Itself)); ok && r.Level.Fails() && s.Rule.Level.Fails() {
		return r.ID
	}
	return s.Rule.ID
}

// askedFor returns the value of a path parameter in the request of a response, as text.
func askedFor(a *scenario.Answer, parameter string) string {
	for _, p := range a.Request.Operation.Parameters {
		if value, given := a.Request.Value(request.PlaceOf(p)); given && p.In == "path" && p.Name == parameter {
			return fmt.Sprint(value)
		}
	}
	return ""
}

// linkedProperty returns the property that a path parameter is taken from, by the links to the operation.
func linkedProperty(s *scenario.Scenario, operation, parameter string) (string, bool) {
	for _, op := range s.Run.Contract.Operations() {
		for _, a := range op.Responses {
			for _, l := range a.Links {
				if p := l.Parameters[parameter]; l.Operation == operation && strings.Count(p, "/") == 1 {
					return p[1:], true
				}
			}
		}
	}
	return "", false
}

// thenOpen implements "the response is the service's own choice". It records the response.
func thenOpen(_ context.Context, s *scenario.Scenario) error {
	for _, a := range s.Answers() {
		observeAnswer(s, a, s.Pickle.Name)
	}
	return nil
}

// thenChoice implements "the response is the service's own choice of 201 and 400". The request is valid, so the
// status must be one of these; which one is recorded.
func thenChoice(ctx context.Context, s *scenario.Scenario, one, other string) error {
	for _, a := range s.Answers() {
		if err := written.Status(ctx, s, a, one+" or "+other); err != nil {
			return err
		}
	}
	return thenOpen(ctx, s)
}

// observeAnswer records how a target answers an open question.
func observeAnswer(s *scenario.Scenario, a *scenario.Answer, asked string) {
	s.Observe(observation(a, s.Rule.ID, asked))
}

// observation describes a response briefly: the status, the code of an Error, the length of a list.
func observation(a *scenario.Answer, rule, asked string) spec.Observation {
	status := "status " + strconv.Itoa(a.Status())
	o := spec.Observation{Rule: rule, Asked: asked, Answer: status, Reading: status, Exchange: a.Exchange.Seq}
	switch tree := a.Value.Tree.(type) {
	case []any:
		n := int64(max(len(tree), a.Items))
		o.Answer, o.Reading, o.Count = status+", "+text.Count(n, "resource"), status+", a list", &n
	case map[string]any:
		if code, ok := tree["code"].(string); ok && a.Status() >= 400 {
			o.Answer, o.Reading = status+", code "+strconv.Quote(code), status+", a code"
		}
	}
	return o
}

// scalarText returns the text of a scalar as a parameter carries it.
func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		if n, ok := exactjson.CanonicalInt(v); ok {
			return n, true
		}
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
