package steps

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/steps/petstore"
)

// blameParameter finds out why a plain reading was refused, so that the report names the right rule: it is accepted once a
// parameter is there that may be left out, or once a parameter is left out that may be there. Where that does not point
// to one parameter, the rule stays. It answers with the rule.
func (s *scenario) blameParameter(ctx context.Context, op spec.Operation, a *answer, rule string, statuses ...int) (string, error) {
	refused := a.status()/100 == 4 && a.status() != 401 && !slices.Contains(statuses, a.status())
	if !refused || !a.right || op.Method != "GET" || statuses[0]/100 != 2 || !s.run.isParameterRule(op, rule, s.acceptedRule(op, statuses[0])) {
		return rule, nil
	}
	key := op.ID + " " + a.ex.Request.URL
	s.run.mu.Lock()
	known, done := s.run.blamed[key]
	s.run.mu.Unlock()
	if done {
		return known, nil
	}
	again := func(args arguments) (bool, error) {
		x, err := s.perform(ctx, op, args, nil, a.credential, "asked to find out why another request was refused")
		return err == nil && slices.Contains(statuses, x.status()), err
	}
	if well, err := again(a.args); well || err != nil {
		return rule, err // it is refused now and then only
	}
	var suspects []string
	for _, p := range op.Parameters {
		value, ok := plainValue(p)
		if _, given := a.args.value(p.Name); given || !ok || p.Required || p.In != "query" {
			continue
		}
		well, err := again(append(slices.Clone(a.args), argument{p.Name, value}))
		if err != nil {
			return rule, err
		}
		if r, found := s.run.catalogue.ForCase(op.ID, string(derive.ParameterLeftOut), p.Pointer); well && found {
			suspects = append(suspects, r.ID)
		}
	}
	for _, p := range op.Parameters {
		value, given := a.args.value(p.Name)
		if !given || len(suspects) == 1 || p.In != "query" {
			continue
		}
		well, err := again(slices.DeleteFunc(slices.Clone(a.args), func(x argument) bool { return x.name == p.Name }))
		if err != nil {
			return rule, err
		}
		if r := s.valueRule(op, p, value); well && r != "" {
			suspects = append(suspects, r)
		}
	}
	if well, err := again(a.args); well || err != nil {
		return rule, err
	}
	if len(suspects) == 1 {
		rule = suspects[0]
	}
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	if s.run.blamed == nil {
		s.run.blamed = map[string]string{}
	}
	s.run.blamed[key] = rule
	return rule, nil
}

// isParameterRule reports whether a rule is the one for the success of a plain request, or about a parameter of it.
func (r *run) isParameterRule(op spec.Operation, id, accepted string) bool {
	if id == accepted {
		return true
	}
	rule, _ := r.catalogue.Rule(id)
	return rule.Within == accepted && slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		return p.In == "query" && slices.Contains(rule.Contract, p.Pointer)
	})
}

// valueRule is the rule by which a value of a parameter has to be accepted. It is empty for a value that the contract does
// not document, whoever made it up: a response may have shown a status that is none.
func (s *scenario) valueRule(op spec.Operation, p spec.Parameter, value string) string {
	if !petstore.Allows(p, value) {
		return ""
	}
	for _, kind := range []derive.Kind{derive.ParameterInside, derive.ParameterMember} {
		if r, ok := s.run.catalogue.ForCase(op.ID, string(kind), p.Pointer); ok {
			return r.ID
		}
	}
	return ""
}

// plainValue is a value that a parameter takes: its default, its first allowed one, or its least.
func plainValue(p spec.Parameter) (string, bool) {
	if p.Schema == nil {
		return "", false
	}
	literal := p.Schema.Default
	if literal == "" && len(p.Schema.Enum) > 0 {
		literal = p.Schema.Enum[0]
	}
	if literal == "" {
		literal = p.Schema.Minimum
	}
	var text string
	if strings.HasPrefix(literal, `"`) && json.Unmarshal([]byte(literal), &text) == nil {
		return text, true
	}
	return literal, literal != ""
}
