package vocabulary

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/exactjson"
	"hallmark/steps/scenario"
)

// NarrowToParameter finds out why a plain read was refused, for the report to name the right rule, which it
// returns: the read is accepted once an optional parameter is added, or once one is left out. If that does not
// point to one parameter, the rule stays.
func NarrowToParameter(ctx context.Context, s *scenario.Scenario, op spec.Operation, a *scenario.Answer, rule string, statuses ...int) (string, error) {
	refused := a.Status()/100 == 4 && a.Status() != 401 && !slices.Contains(statuses, a.Status())
	if !refused || !a.Right || op.Method != "GET" || statuses[0]/100 != 2 || !isParameterRule(s.Run, op, rule, acceptedRule(s, op, statuses[0])) {
		return rule, nil
	}
	key := op.ID + " " + a.Exchange.Request.URL
	if known, done := s.Run.Narrowed(key); done {
		return known, nil
	}
	again := func(args scenario.Arguments) (bool, error) {
		x, err := s.Perform(ctx, op, args, nil, a.Credential, "asked to find out why another request was refused")
		return err == nil && slices.Contains(statuses, x.Status()), err
	}
	if well, err := again(a.Arguments); well || err != nil {
		return rule, err // it is refused intermittently
	}
	var suspects []string
	for _, p := range op.Parameters {
		value, ok := plainValue(p)
		if _, given := a.Arguments.Value(p.Name); given || !ok || p.Required || p.In != "query" {
			continue
		}
		well, err := again(append(slices.Clone(a.Arguments), scenario.Argument{Name: p.Name, Value: value}))
		if err != nil {
			return rule, err
		}
		if r, found := s.Run.Catalogue.ForCase(op.ID, string(derive.ParameterLeftOut), p.Pointer); well && found {
			suspects = append(suspects, r.ID)
		}
	}
	for _, p := range op.Parameters {
		value, given := a.Arguments.Value(p.Name)
		if !given || len(suspects) == 1 || p.In != "query" {
			continue
		}
		well, err := again(slices.DeleteFunc(slices.Clone(a.Arguments), func(x scenario.Argument) bool { return x.Name == p.Name }))
		if err != nil {
			return rule, err
		}
		if r := valueRule(s, op, p, value); well && r != "" {
			suspects = append(suspects, r)
		}
	}
	if well, err := again(a.Arguments); well || err != nil {
		return rule, err
	}
	if len(suspects) == 1 {
		rule = suspects[0]
	}
	s.Run.Narrow(key, rule)
	return rule, nil
}

// plainValue returns a value that a parameter accepts: its default, its first enum value, or its minimum.
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
