package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/petstore"
)

// Steps and checks about credentials.

// whenHammered is "120 requests are made, each second one with a bad credential" over the reading operations.
func (s *scenario) whenHammered(ctx context.Context, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	var operations []string
	for _, op := range s.run.contract.Operations() {
		if _, gone := s.run.removed[op.ID]; !gone && op.Method == "GET" {
			operations = append(operations, op.ID)
		}
	}
	bad := derive.RepeatedCredentials()
	s.answers = nil
	for i := range n {
		op, err := s.operation(operations[i/2%len(operations)])
		if err != nil {
			return err
		}
		words := "right"
		if i%2 == 0 {
			words = bad[i/2/len(operations)%len(bad)].Words
		}
		if err := s.tryCredential(ctx, op, words); err != nil {
			return err
		}
	}
	return nil
}

// whenCreationsHammered is "60 creations are tried with bad credentials".
func (s *scenario) whenCreationsHammered(ctx context.Context, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	op, err := s.operation("createPet")
	if err != nil {
		return err
	}
	bad := derive.RepeatedCredentials()
	s.answers = nil
	refused := false
	for i := range n {
		if !refused && len(s.answers) >= enoughLetIn {
			break // nobody is asked for a key, and each creation more only fills the store
		}
		words := bad[i%len(bad)].Words
		if err := s.tryCredential(ctx, op, words); err != nil {
			return err
		}
		refused = refused || slices.ContainsFunc(s.answers, func(a *answer) bool { return a.status() == 401 })
	}
	return nil
}

// enoughStored is how many animals are stored by what should have been refused, before no more are for the sake of naming the
// rule exactly.
const enoughStored = 24

// enoughLetIn is how many creations with bad credentials are let in, one after the other, before no more are tried.
const enoughLetIn = 12

// thenSteady is "each bad one was answered 401 and each right one was let in". A kind of credential that is always let in
// is a matter of that kind's rule; one that is let in now and then breaks auth.steady; see nowAndThen.
func (s *scenario) thenSteady(ctx context.Context) error {
	type key struct{ operation, words string }
	tried, refused := map[key]int{}, map[key]int{}
	for _, a := range s.answers {
		k := key{a.ex.Operation, a.words}
		tried[k]++
		if a.status() == 401 {
			refused[k]++
		}
	}
	for _, a := range s.answers {
		if a.words == "right" {
			if err := s.judgeRight(ctx, a); err != nil {
				return err
			}
			continue
		}
		k := key{a.ex.Operation, a.words}
		rule := "auth.steady"
		switch {
		case a.status() == 401:
		case refused[k] > 0:
			rule = s.nowAndThen(a)
		case tried[k] > 1:
			rule = s.kindRule(a.ex.Operation, a.words)
		default:
			var err error
			if rule, err = s.blameCredential(ctx, a, s.kindRule(a.ex.Operation, a.words)); err != nil {
				return err
			}
		}
		s.expect(a, rule, 401)
	}
	return nil
}

// judgeRight judges a request with the right credential among bad ones.
func (s *scenario) judgeRight(ctx context.Context, a *answer) error {
	if a.ex.Operation == "getPet" && !a.certain {
		s.expect(a, "get.extreme", 404, s.run.terms.Found)
		return nil
	}
	op, ok := s.run.contract.Operation(a.ex.Operation)
	if !ok {
		return nil
	}
	status := petstore.Success(*op, 200)
	rule, err := s.blameParameter(ctx, *op, a, s.acceptedRule(*op, status), status)
	if err != nil {
		return err
	}
	s.expect(a, rule, status)
	return nil
}

// kindRule is the rule for a kind of bad credential, by the words that name it.
func (s *scenario) kindRule(operation, words string) string {
	op, ok := s.run.contract.Operation(operation)
	if !ok || len(op.Security) == 0 {
		return "auth.required"
	}
	for _, c := range derive.Credentials() {
		if c.Words != words {
			continue
		}
		sec := op.Security[0]
		if r, ok := s.run.catalogue.ForCase(op.ID, string(c.Kind), sec.Pointer, sec.SchemePointer); ok {
			return r.ID
		}
	}
	return "auth.required"
}

// blameCredential finds out why a bad credential was not answered 401, so that the report names the right rule: it is let
// in only now and then (auth.steady), it is let in whatever the request (the rule of its kind), or only because something
// else was looked at first (auth.first). It answers with the rule.
func (s *scenario) blameCredential(ctx context.Context, a *answer, rule string) (string, error) {
	op, err := s.operation(a.ex.Operation)
	if err != nil {
		return rule, err
	}
	if a.status()/100 == 2 && s.run.budget.Created() >= enoughStored {
		return rule, nil // it is plain by now that nobody is asked for a key
	}
	for range 2 {
		again, err := s.repeat(ctx, a)
		if err != nil {
			return rule, err
		}
		if again.status() == 401 {
			return s.nowAndThen(a), nil
		}
	}
	if !s.ruleHas(derive.CredentialFirst) {
		return rule, nil
	}
	plain, err := s.perform(ctx, op, arguments{}, nil, a.credential, "the same credential beside a plain request")
	if err != nil {
		return rule, err
	}
	if plain.status() != 401 {
		return s.kindRule(op.ID, a.credential.Words), nil
	}
	return rule, nil
}

// nowAndThen is the rule that is broken when a bad credential gets something else than 401 now and then: it is not checked
// every time; or, when nobody was let in but the response is one that the operation never gives, that is all there is to it.
func (s *scenario) nowAndThen(a *answer) string {
	if s.run.never(a.ex.Operation, a.status()) && a.status()/100 != 2 {
		return "answer.status"
	}
	return "auth.steady"
}

// repeat sends a request once more, with a body of its own where names must be new.
func (s *scenario) repeat(ctx context.Context, a *answer) (*answer, error) {
	op, err := s.operation(a.ex.Operation)
	if err != nil {
		return nil, err
	}
	return s.perform(ctx, op, a.args, a.plan, a.credential, a.ex.About+", once more")
}

func (s *scenario) ruleHas(kind derive.Kind) bool { return slices.Contains(s.rule.Cases, string(kind)) }

// isCredentialRule reports whether a rule is about bad credentials.
func (r *run) isCredentialRule(id string) bool {
	for id != "" {
		if id == "auth.required" {
			return true
		}
		rule, _ := r.catalogue.Rule(id)
		id = rule.Within
	}
	return false
}

// observeOther records what is answered beyond the interface.
func (s *scenario) thenOtherRecorded(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	s.observe(a.observation(s.rule.ID, a.ex.Request.Method+" "+check.Path(a.ex)))
	if a.status() < 500 {
		s.kept("other.robust")
	} else {
		s.find(a.ex, spec.Finding{
			Rule: "other.robust", Kind: spec.KindStatus, Expected: "no server error (5xx)", Actual: "status " + strconv.Itoa(a.status()), Status: a.status(),
			Cause: fmt.Sprintf("other.robust: status %d", a.status()),
		})
	}
	return nil
}

// tryCredential calls an operation with the credential that the words name; one that cannot be made of this key is passed
// over.
func (s *scenario) tryCredential(ctx context.Context, op spec.Operation, words string) error {
	c, err := credentials.Make(words, s.run.target.Key)
	if errors.As(err, new(credentials.Impossible)) {
		return nil
	} else if err != nil {
		return err
	}
	var a *answer
	if err := s.anew(ctx, func() (err error) {
		a, err = s.perform(ctx, op, arguments{}, nil, c, "the credential is "+words)
		return err
	}); err != nil {
		return err
	}
	a.words = words
	s.answers = append(s.answers, a)
	return nil
}
