package steps

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// The steps that call operations, whatever the contract holds.

// givenCredential is "the credential is <words>".
func (s *scenario) givenCredential(_ context.Context, words string) error {
	c, err := credentials.Make(words, s.run.target.Key)
	if no, ok := errors.AsType[credentials.Impossible](err); ok {
		return excusef("%s", no.Reason)
	}
	s.credential = c
	return err
}

// givenAnswer is "<operation> has answered <status>": a plain call that must succeed for the scenario to go on.
func (s *scenario) givenAnswer(ctx context.Context, operation, status string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	a, err := s.perform(ctx, op, arguments{}, nil, credentials.Right(s.run.target.Key), "")
	if err != nil {
		return err
	}
	want, _ := strconv.Atoi(status)
	rule, err := s.blameParameter(ctx, op, a, s.acceptedRule(op, want), want)
	if err != nil {
		return err
	}
	if !s.expect(a, rule, want) && !a.value.Valid {
		return stopf("%s did not answer %d", operation, want)
	}
	s.earlier[operation] = a
	return nil
}

// whenCalled is "<operation> is called [n times] [with <arguments>]".
func (s *scenario) whenCalled(ctx context.Context, operation, times, with string) error {
	op, err := s.operation(operation)
	if err != nil {
		return err
	}
	n := 1
	if times != "" {
		if n, err = strconv.Atoi(times); err != nil || n < 1 || n > 1000 {
			return fmt.Errorf("%q is no number of times", times)
		}
	}
	plan, credential := s.body, s.credential
	s.body, s.credential = nil, credentials.Right(s.run.target.Key)
	s.answers = nil
	for range n {
		s.linkedFrom = 0
		args, err := s.arguments(op, with)
		if err != nil {
			return err
		}
		a, err := s.perform(ctx, op, args, plan, credential, s.pickle.Name)
		if err != nil {
			return err
		}
		if s.linkedFrom != 0 {
			s.comesFrom(a.ex, s.linkedFrom)
		}
		s.answers = append(s.answers, a)
	}
	return nil
}

func (s *scenario) operation(id string) (spec.Operation, error) {
	op, ok := s.run.contract.Operation(id)
	if !ok {
		return spec.Operation{}, fmt.Errorf("the contract has no operation %q", id)
	}
	if reason, gone := s.run.removed[id]; gone {
		return *op, excusef("%s", reason)
	}
	return *op, nil
}

// arguments are the values of an operation's parameters, in the order in which they were given; a name may be there twice.
type arguments []argument

type argument struct{ name, value string }

func (a *arguments) set(name, value string) { *a = append(*a, argument{name, value}) }

// value is the first that was given to a parameter.
func (a arguments) value(name string) (string, bool) {
	for _, x := range a {
		if x.name == name {
			return x.value, true
		}
	}
	return "", false
}

// arguments reads "limit 3 and status sold", "an unknown petId", "the petId of that response".
func (s *scenario) arguments(op spec.Operation, with string) (arguments, error) {
	var out arguments
	if with == "" {
		return out, nil
	}
	for _, part := range suite.SplitArguments(with) {
		name, value, _ := strings.Cut(part, " ")
		switch {
		case strings.HasPrefix(part, "the greatest "), strings.HasPrefix(part, "the default "):
			name, value, err := documentedValue(op, part)
			if err != nil {
				return out, err
			}
			out.set(name, value)
		case strings.HasPrefix(part, "an unknown "):
			out.set(strings.TrimPrefix(part, "an unknown "), s.run.FreshID())
		case strings.HasPrefix(part, "the ") && strings.HasSuffix(part, " of that response"):
			name := strings.TrimSuffix(strings.TrimPrefix(part, "the "), " of that response")
			value, err := s.linked(op, name)
			if err != nil {
				return out, err
			}
			out.set(name, value)
		default:
			if strings.HasPrefix(value, `"`) {
				text, err := strconv.Unquote(value)
				if err != nil {
					return out, fmt.Errorf("the value %s of %s is no quoted text", value, name)
				}
				value = text
			}
			out.set(name, value)
		}
	}
	return out, nil
}

// documentedValue reads "the greatest limit" and "the default limit": the values that the contract gives a parameter.
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
		if n, ok := petstore.IntegerOf(literal); ok {
			return name, strconv.FormatInt(n, 10), nil
		}
	}
	return name, "", excusef("the contract says nothing of the %s %s of %s", which, name, op.ID)
}

// linked takes a parameter's value from an earlier response, along a link of the contract.
func (s *scenario) linked(op spec.Operation, parameter string) (string, error) {
	for from, a := range s.earlier {
		link, ok := s.link(from, op.ID, parameter)
		if !ok {
			continue
		}
		v, there := a.value.At(link.Parameters[parameter])
		if !there {
			return "", excusef("the response of %s holds nothing at %s", from, link.Parameters[parameter])
		}
		if text, ok := scalarText(v.Tree); ok {
			s.linkedFrom = a.ex.Seq
			return text, nil
		}
		return "", stopf("the response of %s holds no usable %s", from, parameter)
	}
	return "", fmt.Errorf("no link of the contract leads from an earlier response to %s of %s", parameter, op.ID)
}

// link finds the link between two operations that gives a parameter.
func (s *scenario) link(from, to, parameter string) (spec.Link, bool) {
	op, ok := s.run.contract.Operation(from)
	if !ok {
		return spec.Link{}, false
	}
	for _, a := range op.Answers {
		for _, l := range a.Links {
			if _, gives := l.Parameters[parameter]; gives && l.Operation == to {
				return l, true
			}
		}
	}
	return spec.Link{}, false
}

// FreshID is an id that nothing has: 62 random bits, and never seen.
func (r *run) FreshID() string {
	for {
		id := strconv.FormatInt(1<<61+rand.Int64N(1<<61), 10)
		if !r.memory.Has(id) {
			return id
		}
	}
}

// perform calls an operation once.
func (s *scenario) perform(ctx context.Context, op spec.Operation, args arguments, plan *generate.Plan, c credentials.Credential, about string) (*answer, error) {
	what := client.Call{Operation: op.ID, About: about, Method: op.Method, Path: op.Path}
	path, certain := map[string]string{}, false
	var query []string
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		value, given := args.value(p.Name)
		if !given {
			if value, certain = s.run.memory.AnyID(); value == "" {
				value = "1"
			}
		}
		path[p.Name] = value
		what.Path = strings.ReplaceAll(what.Path, "{"+p.Name+"}", url.PathEscape(value))
	}
	for _, x := range args {
		if _, inPath := path[x.name]; !inPath {
			query = append(query, url.QueryEscape(x.name)+"="+url.QueryEscape(x.value))
		}
	}
	what.Query = strings.Join(query, "&")
	sent := generate.Build(op, plan, s.run.target.Plain, s.run)
	if sent != nil {
		what.Body, what.MediaType = sent.Raw, sent.MediaType
	}
	send := func() (*answer, error) {
		a, err := s.send(ctx, what, c, sent)
		if a != nil {
			a.path, a.certain, a.args, a.plan, a.credential = path, certain, args, plan, c
		}
		return a, err
	}
	a, err := send()
	if err != nil || op.Method != "GET" {
		return a, err
	}
	return s.askUntil(ctx, a, s.run.unread, send)
}
