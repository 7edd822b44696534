package vocabulary

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/written"
)

// Steps that record what a service does beyond its contract, or where the contract leaves it open.

// beyondSteps returns the steps about what the contract does not define.
func beyondSteps() []scenario.Form {
	return []scenario.Form{
		{Pattern: `(GET|HEAD|OPTIONS) (\S+) is sent`, Do: stepWithTwo(whenSent)},
		{Pattern: `a removed (\w+) is called`, Do: stepWith(whenRemovedCalled)},
		{Pattern: `its header (\S+) is recorded`, Do: stepWith(thenHeader)},
		{Pattern: `the order of its items by (\S+) is recorded`, Do: written.Ordered},
		{Pattern: `what is answered beyond the interface is recorded`, Do: step(thenOtherRecorded)},
	}
}

// thenHeader implements "its header Location is recorded".
func thenHeader(_ context.Context, s *scenario.Scenario, name string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	what := "absent"
	if v := a.Exchange.Response.Header.Get(name); v != "" {
		what = "present"
	}
	Note(s, a, "the header "+name, what)
	return nil
}

// whenSent implements "GET /store/orders is sent", a request that the contract does not define. Only safe methods
// are sent.
func whenSent(ctx context.Context, s *scenario.Scenario, method, path string) error {
	var with credentials.Credential
	if all := s.Run.Contract.Operations(); len(all) > 0 {
		var err error
		if with, err = s.Entitled(ctx, &all[0]); err != nil {
			return scenario.Stopf("%v", err)
		}
	}
	a, err := s.Send(ctx, client.Call{Method: method, Path: path, About: "beyond the interface"}, with)
	if err != nil {
		return err
	}
	s.SetAnswers(a)
	return nil
}

// whenRemovedCalled implements "a removed getPet is called". It applies after the removal date only.
func whenRemovedCalled(ctx context.Context, s *scenario.Scenario, operation string) error {
	if _, gone := s.Run.Removed[operation]; !gone {
		return scenario.Excusef("%s is not removed yet", operation)
	}
	op, ok := s.Run.Contract.Operation(operation)
	if !ok {
		return fmt.Errorf("the contract has no operation %q", operation)
	}
	path := op.Path
	for _, p := range op.Parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", "1")
		}
	}
	return whenSent(ctx, s, "GET", path)
}

// thenOtherRecorded implements "what is answered beyond the interface is recorded".
func thenOtherRecorded(_ context.Context, s *scenario.Scenario) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	s.Observe(observation(a, s.Rule.ID, a.Exchange.Request.Method+" "+check.Path(a.Exchange)))
	// An open rule is observed; a server error breaks another one that the scenario names.
	i := slices.IndexFunc(s.Pickle.Rules, func(id string) bool { r, ok := s.Run.Catalogue.Rule(id); return ok && r.Level != spec.Open })
	if i < 0 {
		return nil
	}
	rule := s.Pickle.Rules[i]
	if a.Status() < 500 {
		s.Kept(rule)
	} else {
		s.Find(a.Exchange, spec.Finding{
			Rule: rule, Kind: spec.KindStatus, Expected: phrase.Of("no server error (5xx)"),
			Actual: phrase.Of("status {}", phrase.Status(a.Status())), Status: a.Status(),
			Cause: fmt.Sprintf("%s: status %d", rule, a.Status()),
		})
	}
	return nil
}

// Note records an observation for the scenario's rule.
func Note(s *scenario.Scenario, a *scenario.Answer, asked, what string) {
	s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: asked, Answer: what, Reading: what, Exchange: a.Exchange.Seq})
}
