package scenario

import (
	"errors"
	"fmt"

	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// State is what the steps of one scenario pass on: what Given steps prepared, and what When steps got for Then
// steps to judge. Steps run one after another, so it needs no lock.
type State struct {
	// body is prepared for the next call; nil is a plain one.
	body *request.Plan

	// making is the request being built, or nil.
	making *Making
	// answers are those of the last When step, in order.
	answers []*Answer
	// Life and Written are the states of the steps about the life of a resource, and of the steps of written features.
	Life    any
	Written any
}

// Planned returns the body being built for the next call.
func (s *State) Planned() *request.Plan {
	if s.body == nil {
		s.body = &request.Plan{}
	}
	return s.body
}

// TakePlan returns the body that was prepared for the next call, and resets it; nil is a plain one.
func (s *State) TakePlan() *request.Plan {
	body := s.body
	s.body = nil
	return body
}

// Making is a request being built.
type Making struct {
	Request    request.Request
	Credential credentials.Credential
	// Plain is the plain request that succeeded and that this one is derived from; its Answer is nil if it was not
	// sent.
	Plain Plain
	// Changed reports whether a step has modified the request, even if the result is the same.
	Changed bool
}

// Make sets the request being built.
func (s *State) Make(m *Making) { s.making = m }

// Making returns the request being built. It fails if no step has begun one.
func (s *State) Making() (*Making, error) {
	if s.making == nil {
		return nil, errors.New("no request was started before this step")
	}
	return s.making, nil
}

// SetAnswers replaces the answers of the last When step.
func (s *State) SetAnswers(all ...*Answer) { s.answers = all }

// AddAnswer adds an answer of the current When step.
func (s *State) AddAnswer(a *Answer) { s.answers = append(s.answers, a) }

// Answers returns the answers of the last When step, in order.
func (s *State) Answers() []*Answer { return s.answers }

// Last returns the last answer of the last When step.
func (s *State) Last() (*Answer, error) {
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("no operation has been called before this step")
	}
	return s.answers[len(s.answers)-1], nil
}
