package vocabulary

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/steps/written"
)

// The steps that call operations of any contract.

// givenCredential implements "the credential is <words>".
func givenCredential(_ context.Context, s *scenario.Scenario, words string) error {
	return written.PrepareCredential(s, words)
}

// givenAnswer implements "<operation> has answered <status>", a plain call that must succeed for the scenario to
// go on.
func givenAnswer(ctx context.Context, s *scenario.Scenario, operation, status string) error {
	op, err := s.Operation(operation)
	if err != nil {
		return err
	}
	want, _ := strconv.Atoi(status)
	if err := callEach(ctx, s, op.ID, 1, "", nil); err != nil {
		return err
	}
	if a, err := s.Last(); err != nil || a.Status() != want {
		return scenario.Stopf("%s did not answer %d", operation, want)
	}
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
	plan := s.TakePlan()
	s.SetAnswers()
	return callEach(ctx, s, op.ID, n, with, plan)
}

// callEach calls an operation a number of times. Of several calls, one whose connection breaks is repeated alone: the more calls a scenario
// makes, the less often all of them keep theirs on an unreliable network.
func callEach(ctx context.Context, s *scenario.Scenario, operation string, n int, with string, plan *request.Plan) error {
	op, _ := s.Run.Contract.Operation(operation)
	defer written.Forget(s)
	for range n {
		args, err := argumentsOf(s, op, with)
		if err != nil {
			return err
		}
		var a *scenario.Answer
		call := func() (err error) {
			a, err = written.Call(ctx, s, op, args, plan)
			return err
		}
		if n > 1 {
			err = s.Anew(ctx, call)
		} else {
			err = call()
		}
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
		quoted := strings.HasPrefix(source, `"`)
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
		case source == "", !quoted && strings.Contains(source, " "):
			return nil, fmt.Errorf("%q gives no parameter a value; write its name and the value, the latter in quotes if it has blanks", part)
		case quoted:
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
