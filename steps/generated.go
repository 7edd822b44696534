package steps

import (
	"context"
	"errors"
	"fmt"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
)

// generatedSteps are those that try what was generated.
func generatedSteps() []form {
	return []form{
		{`generated valid bodies are sent to (\w+)`, func(ctx context.Context, op string) error {
			return from(ctx).whenAnyValid(ctx, op)
		}},
		{`each is refused with 400, or accepted with 201 and comes back exactly`, done},
		{`generated bodies that each break one constraint are sent to (\w+)`, func(ctx context.Context, op string) error {
			return from(ctx).whenAnyInvalid(ctx, op)
		}},
		{`each is refused with 400`, done},
		{`no list holds an animal of theirs`, func(ctx context.Context) error { return from(ctx).whenNoTrace(ctx) }},
		{`generated sequences of (operations|reading operations) are performed`, func(ctx context.Context, which string) error {
			return from(ctx).whenAnySequence(ctx, which == "reading operations")
		}},
		{`each response agrees with those before it`, done},
		{`generated operations of several clients are performed at once`, func(ctx context.Context) error {
			return from(ctx).whenAnyHistory(ctx)
		}},
		{`the responses agree with the operations in some order`, done},
	}
}

// whenAnyValid is "generated valid bodies are sent to createPet".
func (s *scenario) whenAnyValid(ctx context.Context, operation string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	cases := generate.Valid(op, s.run.target.Plain, s.run.examples(), func(i int) int { return s.run.seedOf("valid body", i) })
	return newExploration(s, property[generate.ValidBody]{
		noun: "body", plural: "valid bodies",
		ask: func(ctx context.Context, t *scenario, d generate.ValidBody) (generate.ValidBody, error) {
			return d, t.askValid(ctx, op, d)
		},
		smaller: generate.ValidBody.Smaller,
		animals: func(generate.ValidBody) int { return 1 },
		kind:    s.validKind,
	}).explore(ctx, cases)
}

// validKind is kindOf, save that the rules which ask for 201 count as one: which of them is broken depends on what else
// is unusual in the body.
func (s *scenario) validKind(f spec.Finding) string {
	if f.Status != 0 && s.run.isStatusRule(f.Rule) && f.Rule != "get.created" {
		return fmt.Sprintf("accepted, status %d", f.Status)
	}
	return kindOf(f)
}

// askValid creates an animal of a generated body, and reads it back.
func (s *scenario) askValid(ctx context.Context, op spec.Operation, d generate.ValidBody) error {
	fresh := s.run.FreshName()
	raw, names := d.Write(fresh)
	a, err := s.post(ctx, op, raw, names, "a generated body")
	if err != nil {
		return err
	}
	if rule, open := s.unusualRule(op, d, fresh); open {
		s.expect(a, rule, s.run.terms.Added, 400)
	} else {
		s.expect(a, rule, s.run.terms.Added)
	}
	if a.status() == 400 {
		s.observeRefusal(a)
	}
	if a.status()/100 != 2 {
		return nil
	}
	for _, p := range op.Body.Schema.Properties {
		s.judgeEcho(a, op, p.Name)
	}
	made, ok := s.made(a)
	if !ok {
		return nil
	}
	return ignoreStop(s.readBack(ctx, petstore.Creation{Animal: made, Seq: a.ex.Seq}, "get.created"))
}

// ignoreStop takes no notice of a check that could not be made: what is generated goes on.
func ignoreStop(err error) error {
	if errors.As(err, new(stop)) {
		return nil
	}
	return err
}

// unusualRule is the rule for the status of a response to a generated body, and whether that may be 400: for a plain one it is not.
func (s *scenario) unusualRule(op spec.Operation, d generate.ValidBody, fresh string) (string, bool) {
	if property, ok := d.Unusual(fresh); ok {
		rule := "create." + property + ".unusual"
		if _, ok := s.run.catalogue.Rule(rule); !ok {
			rule = s.acceptedRule(op, s.run.terms.Added)
		}
		return rule, true
	}
	return s.acceptedRule(op, s.run.terms.Added), false
}

// whenAnyInvalid is "generated bodies that each break one constraint are sent to createPet".
func (s *scenario) whenAnyInvalid(ctx context.Context, operation string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	rule := func(kind derive.Kind, pointers ...string) string { return s.run.refusedRule(op, kind, pointers...) }
	cases := generate.Invalid(op, s.run.target.Plain, rule, generate.InvalidEach*s.run.examples(), func(i int) int {
		return s.run.seedOf("invalid body", i)
	})
	return newExploration(s, property[generate.InvalidBody]{
		noun: "invalid body", plural: "invalid bodies",
		ask: func(ctx context.Context, t *scenario, b generate.InvalidBody) (generate.InvalidBody, error) {
			return b, t.askInvalid(ctx, op, b)
		},
		smaller: generate.InvalidBody.Smaller,
		animals: func(generate.InvalidBody) int { return 0 },
		rule:    func(b generate.InvalidBody) string { return b.Rule },
	}).explore(ctx, cases)
}

// refusedRule returns the rule that a body of a kind breaks, or the one by which createPet refuses whatever is invalid.
func (r *run) refusedRule(op spec.Operation, kind derive.Kind, pointers ...string) string {
	if rule, ok := r.catalogue.ForCase(op.ID, string(kind), pointers...); ok {
		return rule.ID
	}
	return "create.refused"
}

// askInvalid sends a body that has to be refused.
func (s *scenario) askInvalid(ctx context.Context, op spec.Operation, b generate.InvalidBody) error {
	name := s.run.FreshName()
	a, err := s.post(ctx, op, b.Write(name), []string{name}, "a generated body that breaks a constraint")
	if err != nil {
		return err
	}
	s.expect(a, b.Rule, 400)
	return nil
}

// whenNoTrace is "no list holds an animal of theirs". The memory of the run judges every list that is seen.
func (s *scenario) whenNoTrace(ctx context.Context) error {
	before := len(s.findings)
	err := s.whenListsSeen(ctx)
	for i := before; i < len(s.findings); i++ {
		if s.run.fails(s.findings[i]) {
			s.findings[i].Story = s.storyOf(fmt.Sprintf("invalid bodies of --seed %d, what shows it", s.run.Seed), s.findings[i])
		}
	}
	return err
}

// post sends a body that was generated.
func (s *scenario) post(ctx context.Context, op spec.Operation, raw []byte, names []string, about string) (*answer, error) {
	sent := &generate.SentBody{Raw: raw, MediaType: "application/json", Names: names}
	sent.SetValues(generate.Decoded(raw))
	if sent.Values == nil {
		sent.Values = map[string]any{} // it counts for the budget: a faulty service may take it for an animal
	}
	credential := credentials.Right(s.run.target.Key)
	a, err := s.send(ctx, client.Call{
		Operation: op.ID, About: about, Method: op.Method, Path: op.Path, Body: raw,
		MediaType: sent.MediaType,
	}, credential, sent)
	if a != nil {
		a.credential = credential
	}
	return a, err
}
