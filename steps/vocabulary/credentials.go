package vocabulary

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/spec/credential"
	"hallmark/spec/derive"
	"hallmark/steps/credentials"
	"hallmark/steps/scenario"
)

// Steps and checks about credentials.

// whenHammered implements "120 requests are made, each second one with a bad credential", for the operations that
// read.
func whenHammered(ctx context.Context, s *scenario.Scenario, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	var operations []string
	for _, op := range s.Run.Contract.Operations() {
		if _, gone := s.Run.Removed[op.ID]; !gone && op.Method == "GET" {
			operations = append(operations, op.ID)
		}
	}
	bad := credential.RepeatedTokens()
	answers := make([]*scenario.Answer, n)
	err = s.Run.Lanes.Do(n, func(i int) error {
		op, err := s.Operation(operations[i/2%len(operations)])
		if err != nil {
			return err
		}
		words := "right"
		if i%2 == 0 {
			words = bad[i/2/len(operations)%len(bad)].Words
		}
		answers[i], err = tryCredential(ctx, s, op, words)
		return err
	})
	s.SetAnswers(withoutNil(answers)...)
	return err
}

// withoutNil removes the answers of requests that were not sent.
func withoutNil(all []*scenario.Answer) []*scenario.Answer {
	return slices.DeleteFunc(all, func(a *scenario.Answer) bool { return a == nil })
}

// whenCreationsHammered implements "60 creations are tried with bad credentials".
func whenCreationsHammered(ctx context.Context, s *scenario.Scenario, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	op, err := creatingOperation(s)
	if err != nil {
		return err
	}
	bad := credential.RepeatedTokens()
	answers := make([]*scenario.Answer, n)
	try := func(i int) (err error) {
		answers[i], err = tryCredential(ctx, s, op, bad[i%len(bad)].Words)
		return err
	}
	tried, letIn, refused := 0, 0, false
	for ; tried < n && !refused && letIn < enoughLetIn && err == nil; tried++ {
		if err = try(tried); answers[tried] != nil {
			letIn++
			refused = answers[tried].Status() == http.StatusUnauthorized
		}
	}
	if refused && err == nil { // otherwise no key is checked, and more creations only fill the store
		err = s.Run.Lanes.Do(n-tried, func(i int) error { return try(tried + i) })
	}
	s.SetAnswers(withoutNil(answers)...)
	return err
}

// creatingOperation returns the contract's first operation that creates something.
func creatingOperation(s *scenario.Scenario) (spec.Operation, error) {
	for _, op := range s.Run.Contract.Operations() {
		if s.Run.Creates(op.ID) {
			return s.Operation(op.ID)
		}
	}
	return spec.Operation{}, scenario.Excusef("the contract has no operation that creates")
}

// enoughStored is how many resources may be stored by requests that should be refused before no more are created
// to find the exact rule.
const enoughStored = 24

// enoughLetIn is how many consecutive creations with bad credentials may be accepted before no more are tried.
const enoughLetIn = 12

// thenSteady implements "each bad one was answered 401 and each right one was let in". A kind of credential that
// is always accepted breaks the rule of that kind; one that is accepted intermittently breaks auth.steady; see
// unsteadyRule.
func thenSteady(ctx context.Context, s *scenario.Scenario) error {
	type key struct{ operation, words string }
	tried, refused := map[key]int{}, map[key]int{}
	for _, a := range s.Answers() {
		k := key{a.Exchange.Operation, a.Credential.Words}
		tried[k]++
		if a.Status() == 401 {
			refused[k]++
		}
	}
	unsteady := false
	for k := range refused {
		unsteady = unsteady || k.words != "right" && refused[k] < tried[k]
	}
	for _, a := range s.Answers() {
		if a.Credential.Words == "right" {
			if err := judgeRight(ctx, s, a); err != nil {
				return err
			}
			continue
		}
		k := key{a.Exchange.Operation, a.Credential.Words}
		rule := "auth.steady"
		switch {
		case a.Status() == 401:
		case refused[k] > 0:
			rule = unsteadyRule(s, a)
		case tried[k] > 1 && !unsteady: // otherwise it may have been accepted by chance
			rule = credentialRule(s, a.Exchange.Operation, a.Credential.Words)
		default:
			var err error
			if rule, err = narrowToCredential(ctx, s, a, credentialRule(s, a.Exchange.Operation, a.Credential.Words)); err != nil {
				return err
			}
		}
		s.Expect(a, rule, 401)
	}
	return nil
}

// judgeRight judges a request with the right credential among bad ones.
func judgeRight(ctx context.Context, s *scenario.Scenario, a *scenario.Answer) error {
	op, ok := s.Run.Contract.Operation(a.Exchange.Operation)
	if !ok {
		return nil
	}
	status := op.Success(http.StatusOK)
	for _, p := range op.Parameters {
		if p.In == "path" && !a.Certain { // what others created may be gone
			s.Expect(a, extremeRule(s.Run, op, p), http.StatusNotFound, status)
			return nil
		}
	}
	rule, err := NarrowToParameter(ctx, s, *op, a, acceptedRule(s, *op, status), status)
	if err != nil {
		return err
	}
	s.Expect(a, rule, status)
	return nil
}

// narrowToCredential finds out why a bad credential was not answered 401, for the report to name the right rule,
// which it returns. The credential may be accepted intermittently (auth.steady), with every request (the rule of
// its kind), or only because something else is checked first (auth.first).
func narrowToCredential(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, rule string) (string, error) {
	op, err := s.Operation(a.Exchange.Operation)
	if err != nil {
		return rule, err
	}
	if a.Status()/100 == 2 && s.Run.Budget().Created() >= enoughStored {
		return rule, nil // plainly no key is checked
	}
	for range 2 {
		again, err := sendAgain(ctx, s, a)
		if err != nil {
			return rule, err
		}
		if again.Status() == 401 {
			return unsteadyRule(s, a), nil
		}
	}
	if !ruleHas(s, derive.CredentialFirst) {
		return rule, nil
	}
	plain, err := s.Perform(ctx, op, scenario.Arguments{}, nil, a.Credential, "the same credential beside a plain request")
	if err != nil {
		return rule, err
	}
	if plain.Status() != 401 {
		return credentialRule(s, op.ID, a.Credential.Words), nil
	}
	return rule, nil
}

// sendAgain repeats a request, with a new body where names must be unique.
func sendAgain(ctx context.Context, s *scenario.Scenario, a *scenario.Answer) (*scenario.Answer, error) {
	op, err := s.Operation(a.Exchange.Operation)
	if err != nil {
		return nil, err
	}
	return s.Perform(ctx, op, a.Arguments, a.Plan, a.Credential, a.Exchange.About+", once more")
}

// tryCredential calls an operation with the credential that the words describe. The answer is nil if that cannot
// be made from this key.
func tryCredential(ctx context.Context, s *scenario.Scenario, op spec.Operation, words string) (a *scenario.Answer, err error) {
	c, err := credentials.Make(words, s.Run.Target.Key)
	if errors.As(err, new(credentials.Impossible)) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := s.Anew(ctx, func() (err error) {
		a, err = s.Perform(ctx, op, scenario.Arguments{}, nil, c, "the credential is "+words)
		return err
	}); err != nil {
		return nil, err
	}
	return a, nil
}
