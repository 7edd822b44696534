package vocabulary

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
	"hallmark/steps/written"
)

// The steps that judge responses, for any contract.

// thenStatus implements "the response is 200" and "the response is 201 or 400".
func thenStatus(ctx context.Context, s *scenario.Scenario, words string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	return judgeStatus(ctx, s, a, words)
}

// thenEachStatus implements "each response is 404".
func thenEachStatus(ctx context.Context, s *scenario.Scenario, words string) error {
	for _, a := range s.Answers() {
		if err := judgeStatus(ctx, s, a, words); err != nil {
			return err
		}
	}
	return nil
}

func judgeStatus(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, words string) error {
	if s.Run.Promises != nil {
		return written.Status(ctx, s, a, words)
	}
	op, err := s.Operation(a.Exchange.Operation)
	if err != nil {
		return err
	}
	var statuses []int
	for w := range strings.SplitSeq(words, " or ") {
		n, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("%q is no HTTP status", w)
		}
		statuses = append(statuses, n)
	}
	statuses = documentedStatuses(&op, statuses)
	rule := statusRule(s, op, a, statuses[0])
	if !slices.Contains(statuses, a.Status()) && !a.Right && isCredentialRule(s.Run, rule) {
		if rule, err = narrowToCredential(ctx, s, a, rule); err != nil {
			return err
		}
	}
	if rule, err = NarrowToParameter(ctx, s, op, a, rule, statuses...); err != nil {
		return err
	}
	s.Expect(a, rule, statuses...)
	return nil
}

// documentedStatuses replaces each success status with the one that the contract documents: the features say 201
// where another contract may say 200.
func documentedStatuses(op *spec.Operation, statuses []int) []int {
	out := slices.Clone(statuses)
	for i, n := range out {
		if op != nil && n/100 == 2 {
			out[i] = op.Success(n)
		}
	}
	return out
}

// thenThatOne implements "the response is 404, or 200 with that petId".
func thenThatOne(ctx context.Context, s *scenario.Scenario, missing, found, parameter string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if err := judgeStatus(ctx, s, a, missing+" or "+found); err != nil || strconv.Itoa(a.Status()) != found {
		return err
	}
	property, ok := linkedProperty(s, a.Exchange.Operation, parameter)
	if !ok || s.Broken(a.Exchange) {
		return nil
	}
	v, there := a.Value.At("/" + property)
	text, scalar := scalarText(v.Tree)
	asked := a.Path[parameter]
	if a.Request != nil {
		asked = askedFor(a, parameter)
	}
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
	if s.Run.Promises != nil {
		if r, ok := s.Run.Catalogue.Rule(s.Run.Promises.Names.Rule(a.Exchange.Operation, promise.Itself)); ok && r.Level.Fails() && s.Rule.Level.Fails() {
			return r.ID
		}
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

// thenOpen implements "the response is the service's own choice". It records the response; at most it reports a
// warning.
func thenOpen(_ context.Context, s *scenario.Scenario) error {
	for _, a := range s.Answers() {
		observeAnswer(s, a, s.Pickle.Name)
		AdviseOpen(s, a)
	}
	return nil
}

// thenChoice implements "the response is the service's own choice of 201 and 400". The request is valid, so the
// status must be one of these; which one is recorded.
func thenChoice(ctx context.Context, s *scenario.Scenario, one, other string) error {
	var statuses []int
	for _, word := range []string{one, other} {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("%q is no HTTP status", word)
		}
		statuses = append(statuses, n)
	}
	for _, a := range s.Answers() {
		if s.Run.Promises != nil {
			if err := written.Status(ctx, s, a, one+" or "+other); err != nil {
				return err
			}
			continue
		}
		op, _ := s.Run.Contract.Operation(a.Exchange.Operation)
		s.Expect(a, "answer.status", documentedStatuses(op, statuses)...)
	}
	return thenOpen(ctx, s)
}

// observeAnswer records how a target answers an open question.
func observeAnswer(s *scenario.Scenario, a *scenario.Answer, asked string) {
	s.Observe(observation(s, a, s.Rule.ID, asked))
}

// AdviseOpen reports a warning for a server error where the interface leaves the response open, and judges the
// operation by the catalogue's should rules.
func AdviseOpen(s *scenario.Scenario, a *scenario.Answer) {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return
	}
	advise := func(kind derive.Kind, good bool, expected phrase.Phrase) {
		rule, ok := s.Run.Catalogue.ForCase(op.ID, string(kind), op.Pointer)
		if !ok {
			return
		}
		if good {
			s.Kept(rule.ID)
		} else {
			s.Find(a.Exchange, spec.Finding{
				Rule: rule.ID, Kind: spec.KindStatus, Expected: expected, Actual: phrase.Of("status {}", phrase.Status(a.Status())), Status: a.Status(),
				Where: check.Place(a.Exchange).In(s.Pickle.Name), Cause: fmt.Sprintf("%s: status %d", rule.ID, a.Status()),
				After: brokenBody(s, a.Exchange),
			})
		}
	}
	advise(derive.NoServerError, a.Status() < 500, phrase.Of("no server error (5xx)"))
	if slices.Contains(s.Rule.Cases, string(derive.PathType)) {
		advise(derive.ClientError, a.Status()/100 == 4, phrase.Of("an error of the client's (4xx)"))
	}
}

// brokenBody returns the must rule that the body of a response breaks, whatever its status, or "". A gateway's
// page is one defect, and so is a server error without a body.
func brokenBody(s *scenario.Scenario, ex *spec.Exchange) string {
	rule := ""
	s.Found(func(f spec.Finding) bool {
		if r, _ := s.Run.Catalogue.Rule(f.Rule); r.Level.Fails() && r.Always && f.After == "" && slices.Equal(f.Exchanges, []int{ex.Seq}) {
			rule = f.Rule
		}
		return rule != ""
	})
	return rule
}

// observation describes a response briefly: the status, the code of an Error, the length of a list.
func observation(s *scenario.Scenario, a *scenario.Answer, rule, asked string) spec.Observation {
	status := "status " + strconv.Itoa(a.Status())
	o := spec.Observation{Rule: rule, Asked: asked, Answer: status, Reading: status, Exchange: a.Exchange.Seq}
	switch tree := a.Value.Tree.(type) {
	case []any:
		n := int64(max(len(tree), a.Items))
		o.Answer, o.Reading, o.Count = status+", "+s.Run.Interface.Count(n), status+", a list", &n
	case map[string]any:
		if code, ok := tree["code"].(string); ok && a.Status() >= 400 {
			o.Answer, o.Reading = status+", code "+strconv.Quote(code), status+", a code"
		}
	}
	return o
}
