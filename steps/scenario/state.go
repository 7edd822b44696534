package scenario

import (
	"errors"
	"fmt"
	"iter"
	"maps"

	"hallmark/spec/request"
	"hallmark/steps/credentials"
)

// State is what the steps of one scenario pass on: what Given steps prepared, and what When steps got for Then
// steps to judge. Steps run one after another, so it needs no lock.
type State struct {
	// right is the credential that is sent unless a step sets another one.
	right credentials.Credential
	// credential and body are prepared for the next call; a nil body is a plain one.
	credential credentials.Credential
	body       *request.Plan

	// making is the request being built, or nil.
	making *Making
	// answers are those of the last When step, in order. If they repeat earlier requests, doubts holds the reasons,
	// in the same order.
	answers []*Answer
	doubts  []Doubt
	// earlier holds the answers to requests of Given steps, by operation.
	earlier map[string]*Answer
	// own, Life and Written are the states of the interface's own steps, of the steps about the life of a resource,
	// and of the steps of written features.
	own     any
	Life    any
	Written any
}

// newState returns the state before the first step.
func newState(right credentials.Credential) *State {
	return &State{right: right, credential: right, earlier: map[string]*Answer{}}
}

// Prepare sets the credential of the next call.
func (s *State) Prepare(c credentials.Credential) { s.credential = c }

// Planned returns the body being built for the next call.
func (s *State) Planned() *request.Plan {
	if s.body == nil {
		s.body = &request.Plan{}
	}
	return s.body
}

// Prepared returns what was prepared for the next call, and resets it.
func (s *State) Prepared() (*request.Plan, credentials.Credential) {
	body, credential := s.body, s.credential
	s.body, s.credential = nil, s.right
	return body, credential
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
func (s *State) SetAnswers(all ...*Answer) { s.answers, s.doubts = all, nil }

// AddAnswer adds an answer of the current When step.
func (s *State) AddAnswer(a *Answer) { s.answers = append(s.answers, a) }

// AddAnswerTo adds the answer to a repeated request.
func (s *State) AddAnswerTo(d Doubt, a *Answer) {
	s.answers, s.doubts = append(s.answers, a), append(s.doubts, d)
}

// Answers returns the answers of the last When step, in order.
func (s *State) Answers() []*Answer { return s.answers }

// Repeated returns the answers to repeated requests, with the doubts that caused them.
func (s *State) Repeated() iter.Seq2[*Answer, Doubt] {
	return func(yield func(*Answer, Doubt) bool) {
		for i, d := range s.doubts {
			if !yield(s.answers[i], d) {
				return
			}
		}
	}
}

// Last returns the last answer of the last When step.
func (s *State) Last() (*Answer, error) {
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("no operation has been called before this step")
	}
	return s.answers[len(s.answers)-1], nil
}

// SetEarlier records the answer of an operation that a Given step called.
func (s *State) SetEarlier(operation string, a *Answer) { s.earlier[operation] = a }

// Earlier returns the answers to requests of Given steps, by operation.
func (s *State) Earlier() iter.Seq2[string, *Answer] { return maps.All(s.earlier) }

// Own returns the state of the interface's own steps; see Extension.Begin.
func (s *State) Own() any { return s.own }
