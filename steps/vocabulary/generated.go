package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
)

// generatedSteps returns the steps that try generated cases.
func generatedSteps() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: `generated valid bodies are sent to (\w+)`,
			Do:      stepWith(whenAnyValid),
			Creates: (*scenario.Run).ExampleCount,
		},
		{Pattern: `each is refused with 400, or accepted with 201 and comes back exactly`, Do: Judged},
		{Pattern: `generated bodies that each break one constraint are sent to (\w+)`, Do: stepWith(whenAnyInvalid)},
		{Pattern: `each is refused with 400`, Do: Judged},
	}
}

// whenAnyValid implements "generated valid bodies are sent to createPet".
func whenAnyValid(ctx context.Context, s *scenario.Scenario, operation string) error {
	op, err := s.Operation(operation)
	if err != nil {
		return err
	}
	cases := generate.Valid(op, s.Run.Target.Plain, s.Run.ExampleCount(), func(i int) int { return s.Run.SeedOf("valid body", i) })
	return NewExploration(s, Property[generate.ValidBody]{
		Noun: "body", Plural: "valid bodies",
		Ask: func(ctx context.Context, t *scenario.Scenario, d generate.ValidBody) (generate.ValidBody, error) {
			return d, askValid(ctx, t, op, d)
		},
		Smaller: generate.ValidBody.Smaller,
		Creates: func(generate.ValidBody) int { return 1 },
		kind:    func(f spec.Finding) string { return validKind(s, f) },
	}).Explore(ctx, cases)
}

// validKind is like defectOf, but treats all rules that require 201 as one: which of them is broken depends on
// what else is unusual in the body.
func validKind(s *scenario.Scenario, f spec.Finding) string {
	if f.Status != 0 && IsStatusRule(s.Run, f.Rule) && f.Rule != "get.created" {
		return fmt.Sprintf("accepted, status %d", f.Status)
	}
	return defectOf(f)
}

// askValid creates a resource from a generated body, and reads it back.
func askValid(ctx context.Context, s *scenario.Scenario, op spec.Operation, d generate.ValidBody) error {
	fresh := s.Run.FreshName()
	raw, names := d.Write(fresh)
	a, err := postBody(ctx, s, op, raw, names, "a generated body")
	if err != nil {
		return err
	}
	if rule, open := unusualRule(s, op, d, fresh); open {
		s.Expect(a, rule, op.Success(http.StatusCreated), 400)
	} else {
		s.Expect(a, rule, op.Success(http.StatusCreated))
	}
	if a.Status() == 400 {
		observeRefusal(s, a)
	}
	if a.Status()/100 != 2 {
		return nil
	}
	for _, p := range op.Body.Properties() {
		JudgeEcho(s, a, op, p.Name)
	}
	return IgnoreStop(s.Run.Extension.ReadBack(ctx, s, a))
}

// IgnoreStop drops an error that only says that a check could not be made, to go on with other cases.
func IgnoreStop(err error) error {
	if errors.As(err, new(scenario.Stop)) {
		return nil
	}
	return err
}

// whenAnyInvalid implements "generated bodies that each break one constraint are sent to createPet".
func whenAnyInvalid(ctx context.Context, s *scenario.Scenario, operation string) error {
	op, err := s.Operation(operation)
	if err != nil {
		return err
	}
	rule := func(kind derive.Kind, pointers ...string) string { return refusedRule(s.Run, op, kind, pointers...) }
	cases := generate.Invalid(op, s.Run.Target.Plain, rule, generate.InvalidEach*s.Run.ExampleCount(), func(i int) int {
		return s.Run.SeedOf("invalid body", i)
	})
	return NewExploration(s, Property[generate.InvalidBody]{
		Noun: "invalid body", Plural: "invalid bodies",
		Ask: func(ctx context.Context, t *scenario.Scenario, b generate.InvalidBody) (generate.InvalidBody, error) {
			return b, askInvalid(ctx, t, op, b)
		},
		Smaller: generate.InvalidBody.Smaller,
		Creates: func(generate.InvalidBody) int { return 0 },
		rule:    func(b generate.InvalidBody) string { return b.Rule },
	}).Explore(ctx, cases)
}

// askInvalid sends a body that must be refused.
func askInvalid(ctx context.Context, s *scenario.Scenario, op spec.Operation, b generate.InvalidBody) error {
	name := s.Run.FreshName()
	a, err := postBody(ctx, s, op, b.Write(name), []string{name}, "a generated body that breaks a constraint")
	if err != nil {
		return err
	}
	s.Expect(a, b.Rule, 400)
	return nil
}

// postBody sends a generated body.
func postBody(ctx context.Context, s *scenario.Scenario, op spec.Operation, raw []byte, names []string, about string) (*scenario.Answer, error) {
	sent := &generate.SentBody{Raw: raw, MediaType: "application/json", Names: names}
	sent.SetValues(generate.Decoded(raw))
	if sent.Values == nil {
		sent.Values = map[string]any{} // it counts against the budget: a faulty service may accept it
	}
	return s.Send(ctx, client.Call{
		Operation: op.ID, About: about, Method: op.Method, Path: op.Path, Body: raw,
		MediaType: sent.MediaType,
	}, credentials.Right(s.Run.Target.Key), sent)
}
