package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/steps/credentials"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/steps/written"
)

// The steps that call operations of any contract.

// givenCredential implements "the credential is <words>".
func givenCredential(_ context.Context, s *scenario.Scenario, words string) error {
	if s.Run.Promises != nil {
		return written.PrepareCredential(s, words)
	}
	c, err := credentials.Make(words, s.Run.Target.Key)
	if no, ok := errors.AsType[credentials.Impossible](err); ok {
		return scenario.Excusef("%s", no.Reason)
	}
	s.Prepare(c)
	return err
}

// givenAnswer implements "<operation> has answered <status>", a plain call that must succeed for the scenario to
// go on.
func givenAnswer(ctx context.Context, s *scenario.Scenario, operation, status string) error {
	op, err := s.Operation(operation)
	if err != nil {
		return err
	}
	want, _ := strconv.Atoi(status)
	if s.Run.Promises != nil {
		if err := callEach(ctx, s, op.ID, 1, "", nil); err != nil {
			return err
		}
		if a, err := s.Last(); err != nil || a.Status() != want {
			return scenario.Stopf("%s did not answer %d", operation, want)
		}
		return nil
	}
	a, err := s.Perform(ctx, op, scenario.Arguments{}, nil, credentials.Right(s.Run.Target.Key), "")
	if err != nil {
		return err
	}
	rule, err := NarrowToParameter(ctx, s, op, a, acceptedRule(s, op, want), want)
	if err != nil {
		return err
	}
	if !s.Expect(a, rule, want) && !a.Value.Valid {
		return scenario.Stopf("%s did not answer %d", operation, want)
	}
	s.SetEarlier(operation, a)
	return nil
}

// whenCalled implements "<operation> is called [n times] [with <arguments>]".
func whenCalled(ctx context.Context, s *scenario.Scenario, operation, times, with string) error {
	op, err := s.Operation(unquoted(operation))
	if err != nil {
		return err
	}
	n := 1
	if times != "" {
		if n, err = strconv.Atoi(times); err != nil || n < 1 || n > 1000 {
			return fmt.Errorf("%q is no number of times", times)
		}
	}
	plan, credential := s.Prepared()
	s.SetAnswers()
	if s.Run.Promises != nil {
		return callEach(ctx, s, op.ID, n, with, plan)
	}
	for range n {
		args, origin, err := readArguments(s, op, with)
		if err != nil {
			return err
		}
		a, err := s.Perform(ctx, op, args, plan, credential, s.Pickle.Name)
		if err != nil {
			return err
		}
		if origin != 0 {
			s.ComesFrom(a.Exchange, origin)
		}
		s.AddAnswer(a)
	}
	return nil
}

// callEach calls an operation of a contract from which rules follow.
func callEach(ctx context.Context, s *scenario.Scenario, operation string, n int, with string, plan *request.Plan) error {
	op, _ := s.Run.Contract.Operation(operation)
	defer written.Forget(s)
	for range n {
		args, err := argumentsOf(s, op, with)
		if err != nil {
			return err
		}
		a, err := written.Call(ctx, s, op, args, plan)
		if err != nil {
			return err
		}
		written.Remember(s, a)
		written.Note(s, a, "")
		s.AddAnswer(a)
	}
	return nil
}

// argumentsOf parses "limit 3 and ticketId {mine}", "an unknown ticketId", "the greatest limit".
func argumentsOf(s *scenario.Scenario, op *spec.Operation, with string) (all []written.Argument, err error) {
	if with == "" {
		return nil, nil
	}
	for _, part := range suite.SplitArguments(with) {
		name, source, _ := strings.Cut(part, " ")
		one := written.Argument{Name: name, Value: source, Known: written.IsKnown(source)}
		switch unknown, is := strings.CutPrefix(part, "an unknown "); {
		case is:
			i := slices.IndexFunc(op.Parameters, func(p spec.Parameter) bool { return p.Name == unknown })
			if i < 0 {
				return nil, fmt.Errorf("%s has no parameter %s", op.ID, unknown)
			}
			value, ok := unknownID(s, op, op.Parameters[i])
			if !ok {
				return nil, scenario.Excusef("the contract allows no value of %s that certainly does not exist", unknown)
			}
			one = written.Argument{Name: unknown, Value: value}
		case strings.HasPrefix(part, "the greatest "), strings.HasPrefix(part, "the default "):
			var text string
			if one.Name, text, err = documentedValue(*op, part); err != nil {
				return nil, err
			}
			one.Value = exactNumber(text)
		case strings.HasPrefix(source, `"`):
			one.Value, err = written.Value(s, source)
		default:
			one.Value, err = written.Value(s, strconv.Quote(source))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// readArguments parses "limit 3 and status sold", "an unknown petId", "the petId of that response". It also
// returns the number of the exchange that a value was taken from, or 0.
func readArguments(s *scenario.Scenario, op spec.Operation, with string) (out scenario.Arguments, origin int, err error) {
	if with == "" {
		return out, 0, nil
	}
	for _, part := range suite.SplitArguments(with) {
		name, value, _ := strings.Cut(part, " ")
		switch {
		case strings.HasPrefix(part, "the greatest "), strings.HasPrefix(part, "the default "):
			name, value, err := documentedValue(op, part)
			if err != nil {
				return out, 0, err
			}
			out.Set(name, value)
		case strings.HasPrefix(part, "an unknown "):
			out.Set(strings.TrimPrefix(part, "an unknown "), s.Run.FreshID())
		case strings.HasPrefix(part, "the ") && strings.HasSuffix(part, " of that response"):
			name := strings.TrimSuffix(strings.TrimPrefix(part, "the "), " of that response")
			value, from, err := linkedValue(s, op, name)
			if err != nil {
				return out, 0, err
			}
			origin = from
			out.Set(name, value)
		default:
			if strings.HasPrefix(value, `"`) {
				text, err := strconv.Unquote(value)
				if err != nil {
					return out, 0, fmt.Errorf("the value %s of %s is no quoted text", value, name)
				}
				value = text
			}
			out.Set(name, value)
		}
	}
	return out, origin, nil
}

// documentedValue parses "the greatest limit" and "the default limit", values from the contract.
func documentedValue(op spec.Operation, words string) (name, value string, err error) {
	which, name, _ := strings.Cut(strings.TrimPrefix(words, "the "), " ")
	for _, p := range op.Parameters {
		if p.Name != name || p.Schema == nil {
			continue
		}
		literal := p.Schema.Maximum
		if which == "default" {
			literal = p.Schema.Default
		}
		if n, ok := spec.IntegerOf(literal); ok {
			return name, strconv.FormatInt(n, 10), nil
		}
	}
	return name, "", scenario.Excusef("the contract says nothing of the %s %s of %s", which, name, op.ID)
}

// linkedValue returns a parameter's value from an earlier response, along a link of the contract, and the number
// of that exchange.
func linkedValue(s *scenario.Scenario, op spec.Operation, parameter string) (value string, origin int, err error) {
	for from, a := range s.Earlier() {
		link, ok := linkBetween(s, from, op.ID, parameter)
		if !ok {
			continue
		}
		v, there := a.Value.At(link.Parameters[parameter])
		if !there {
			return "", 0, scenario.Excusef("the response of %s holds nothing at %s", from, link.Parameters[parameter])
		}
		if text, ok := scalarText(v.Tree); ok {
			return text, a.Exchange.Seq, nil
		}
		return "", 0, scenario.Stopf("the response of %s holds no usable %s", from, parameter)
	}
	return "", 0, fmt.Errorf("no link of the contract leads from an earlier response to %s of %s", parameter, op.ID)
}

// linkBetween returns the link between two operations that sets a parameter.
func linkBetween(s *scenario.Scenario, from, to, parameter string) (spec.Link, bool) {
	op, ok := s.Run.Contract.Operation(from)
	if !ok {
		return spec.Link{}, false
	}
	for _, a := range op.Responses {
		for _, l := range a.Links {
			if _, gives := l.Parameters[parameter]; gives && l.Operation == to {
				return l, true
			}
		}
	}
	return spec.Link{}, false
}
