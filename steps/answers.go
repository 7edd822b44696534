package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/check"
	"hallmark/steps/petstore"
)

// The steps that judge responses, whatever the contract holds.

// statusRule is the rule that asks for a documented response of an operation: the scenario's own when it is about
// statuses, else the one that the catalogue has for the response.
func (s *scenario) statusRule(op spec.Operation, a *answer, status int) string {
	if s.run.isStatusRule(s.rule.ID) {
		return s.rule.ID
	}
	return s.plainRule(op, a, status)
}

// plainRule is the rule that asks for the success of a plain request: the one about the parameter that it gave, or the one
// for the documented response.
func (s *scenario) plainRule(op spec.Operation, a *answer, status int) string {
	for _, p := range op.Parameters {
		value, given := a.args.value(p.Name)
		if !given || p.In == "path" || status/100 != 2 {
			continue
		}
		if rule := s.valueRule(op, p, value); rule != "" {
			return rule
		}
	}
	return s.acceptedRule(op, status)
}

// acceptedRule is the catalogue's rule for a documented response.
func (s *scenario) acceptedRule(op spec.Operation, status int) string {
	for _, a := range op.Answers {
		if a.Status == status {
			if r, ok := s.run.catalogue.ForCase(op.ID, string(derive.Answer), append([]string{a.Pointer}, a.Via...)...); ok {
				return r.ID
			}
		}
	}
	return "answer.status"
}

// isStatusRule reports whether a rule is about which status a response has: answer.status, and all within it.
func (r *run) isStatusRule(id string) bool {
	for id != "" {
		if id == "answer.status" {
			return true
		}
		rule, _ := r.catalogue.Rule(id)
		id = rule.Within
	}
	return false
}

// thenStatus is "the response is 200" and "the response is 201 or 400".
func (s *scenario) thenStatus(ctx context.Context, words string) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	return s.judgeStatus(ctx, a, words)
}

// thenEachStatus is "each response is 404".
func (s *scenario) thenEachStatus(ctx context.Context, words string) error {
	for _, a := range s.answers {
		if err := s.judgeStatus(ctx, a, words); err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) judgeStatus(ctx context.Context, a *answer, words string) error {
	op, err := s.operation(a.ex.Operation)
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
	rule := s.statusRule(op, a, statuses[0])
	if !slices.Contains(statuses, a.status()) && !a.right && s.run.isCredentialRule(rule) {
		if rule, err = s.blameCredential(ctx, a, rule); err != nil {
			return err
		}
	}
	if rule, err = s.blameParameter(ctx, op, a, rule, statuses...); err != nil {
		return err
	}
	s.expect(a, rule, statuses...)
	return nil
}

// documentedStatuses puts the success of an operation as the contract documents it in the place of the one that the features
// name: they say 201 where another contract says 200.
func documentedStatuses(op *spec.Operation, statuses []int) []int {
	out := slices.Clone(statuses)
	for i, n := range out {
		if op != nil && n/100 == 2 {
			out[i] = petstore.Success(*op, n)
		}
	}
	return out
}

// thenThatOne is "the response is 404, or 200 with that petId".
func (s *scenario) thenThatOne(ctx context.Context, missing, found, parameter string) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	if err := s.judgeStatus(ctx, a, missing+" or "+found); err != nil || strconv.Itoa(a.status()) != found {
		return err
	}
	property, ok := s.mirrors(a.ex.Operation, parameter)
	if !ok || s.broken(a.ex) {
		return nil
	}
	v, there := a.value.At("/" + property)
	text, scalar := scalarText(v.Tree)
	if there && scalar && text != a.path[parameter] {
		s.find(a.ex, spec.Finding{
			Rule: s.rule.ID, Kind: spec.KindAnother, Expected: found + " with the " + property + " " + a.path[parameter] + ", or " + missing,
			Actual: property + " " + text, Where: check.Place(a.ex) + ", /" + property, Pointer: "/" + property, Cause: s.rule.ID,
		})
	}
	return nil
}

// mirrors names the property that a path parameter is taken from, by the links that lead to the operation.
func (s *scenario) mirrors(operation, parameter string) (string, bool) {
	for _, op := range s.run.contract.Operations() {
		for _, a := range op.Answers {
			for _, l := range a.Links {
				if p := l.Parameters[parameter]; l.Operation == operation && strings.Count(p, "/") == 1 {
					return p[1:], true
				}
			}
		}
	}
	return "", false
}

// thenOpen is "the response is the service's own choice": it is recorded, and can only be warned of.
func (s *scenario) thenOpen(_ context.Context) error {
	for _, a := range s.answers {
		s.observeAnswer(a, s.pickle.Name)
		s.adviseOpen(a)
	}
	return nil
}

// thenChoice is "the response is the service's own choice of 201 and 400": the request keeps the contract, and so the status
// has to be one that is documented; which of them is recorded.
func (s *scenario) thenChoice(ctx context.Context, one, other string) error {
	var statuses []int
	for _, word := range []string{one, other} {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("%q is no HTTP status", word)
		}
		statuses = append(statuses, n)
	}
	for _, a := range s.answers {
		op, _ := s.run.contract.Operation(a.ex.Operation)
		s.expect(a, "answer.status", documentedStatuses(op, statuses)...)
	}
	return s.thenOpen(ctx)
}

// observeAnswer records how a target answers an open question.
func (s *scenario) observeAnswer(a *answer, asked string) {
	s.observe(a.observation(s.rule.ID, asked))
}

// adviseOpen warns of a server error where the interface leaves the response open, and of whatever the catalogue's should
// rules ask of the operation.
func (s *scenario) adviseOpen(a *answer) {
	op, ok := s.run.contract.Operation(a.ex.Operation)
	if !ok {
		return
	}
	advise := func(kind derive.Kind, good bool, expected string) {
		rule, ok := s.run.catalogue.ForCase(op.ID, string(kind), op.Pointer)
		if !ok {
			return
		}
		if good {
			s.kept(rule.ID)
		} else {
			s.find(a.ex, spec.Finding{
				Rule: rule.ID, Kind: spec.KindStatus, Expected: expected, Actual: "status " + strconv.Itoa(a.status()), Status: a.status(),
				Where: check.Place(a.ex) + ", " + s.pickle.Name, Cause: fmt.Sprintf("%s: status %d", rule.ID, a.status()),
			})
		}
	}
	advise(derive.NoServerError, a.status() < 500, "no server error (5xx)")
	if slices.Contains(s.rule.Cases, string(derive.PathType)) {
		advise(derive.ClientError, a.status()/100 == 4, "an error of the client's (4xx)")
	}
}

// observation describes a response in a few words: status, the code of an Error, the length of a list.
func (a *answer) observation(rule, asked string) spec.Observation {
	status := "status " + strconv.Itoa(a.status())
	o := spec.Observation{Rule: rule, Asked: asked, Answer: status, Reading: status, Exchange: a.ex.Seq}
	switch tree := a.value.Tree.(type) {
	case []any:
		n := int64(max(len(tree), a.items))
		o.Answer, o.Reading, o.Count = status+", "+text.Count(n, "animal"), status+", a list", &n
	case map[string]any:
		if code, ok := tree["code"].(string); ok && a.status() >= 400 {
			o.Answer, o.Reading = status+", code "+strconv.Quote(code), status+", a code"
		}
	}
	return o
}
