package scenario

import (
	"errors"
	"fmt"
	"iter"
	"maps"

	"hallmark/spec/request"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
)

// State is what the steps of one scenario leave to those after them: what Given steps prepared, and what When steps got for
// Then steps to judge. Steps follow each other, so it needs no lock.
type State struct {
	// right is the credential that is sent unless a step gives another one.
	right credentials.Credential
	// credential and body are prepared for the next call; a nil body is a plain one.
	credential credentials.Credential
	body       *generate.Plan

	// making is a request in the making, and the plain one that it was made from; nil for none.
	making *Making
	// answers are those of the last When step, in order; doubts are those that they were asked for again for, in the same order,
	// if they were.
	answers []*Answer
	doubts  []Doubt
	// earlier are the answers that Given steps asked for, by operation.
	earlier map[string]*Answer
	// own is what the steps of the interface keep, Life what the steps about the life of a resource keep, Written what those of
	// features keep that people write.
	own     any
	Life    any
	Written any
}

// newState is the state before the first step.
func newState(right credentials.Credential) *State {
	return &State{right: right, credential: right, earlier: map[string]*Answer{}}
}

// Prepare sets the credential of the next call.
func (s *State) Prepare(c credentials.Credential) { s.credential = c }

// Planned is the body of the next call, in the making.
func (s *State) Planned() *generate.Plan {
	if s.body == nil {
		s.body = &generate.Plan{}
	}
	return s.body
}

// Prepared returns what was prepared for the next call, and forgets it.
func (s *State) Prepared() (*generate.Plan, credentials.Credential) {
	body, credential := s.body, s.credential
	s.body, s.credential = nil, s.right
	return body, credential
}

// Making is a request in the making.
type Making struct {
	Request    request.Request
	Credential credentials.Credential
	// Plain is the plain request that succeeded and that this one differs from; its answer is nil where that was not asked for.
	Plain Plain
	// Changed reports whether a step has changed it, if only to what it was.
	Changed bool
	// Change says in words how it differs.
	Change []string
}

// Make begins a request.
func (s *State) Make(m *Making) { s.making = m }

// Making is the request in the making; it fails where no step has begun one.
func (s *State) Making() (*Making, error) {
	if s.making == nil {
		return nil, errors.New("no request has been begun before this step")
	}
	return s.making, nil
}

// SetAnswers begins the answers of a When step, in the place of those before.
func (s *State) SetAnswers(all ...*Answer) { s.answers, s.doubts = all, nil }

// AddAnswer adds an answer of a When step.
func (s *State) AddAnswer(a *Answer) { s.answers = append(s.answers, a) }

// AddAnswerTo adds an answer to a request that was made again.
func (s *State) AddAnswerTo(d Doubt, a *Answer) {
	s.answers, s.doubts = append(s.answers, a), append(s.doubts, d)
}

// Answers are those of the last When step, in order.
func (s *State) Answers() []*Answer { return s.answers }

// Repeated are the answers to requests that were made again, with what was doubted.
func (s *State) Repeated() iter.Seq2[*Answer, Doubt] {
	return func(yield func(*Answer, Doubt) bool) {
		for i, d := range s.doubts {
			if !yield(s.answers[i], d) {
				return
			}
		}
	}
}

// Last is the last answer of the last When step.
func (s *State) Last() (*Answer, error) {
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("no operation has been called before this step")
	}
	return s.answers[len(s.answers)-1], nil
}

// SetEarlier keeps the answer of an operation that a Given step called.
func (s *State) SetEarlier(operation string, a *Answer) { s.earlier[operation] = a }

// Earlier are the answers that Given steps asked for, by operation.
func (s *State) Earlier() iter.Seq2[string, *Answer] { return maps.All(s.earlier) }

// Own is what the steps of the interface keep; see Extension.Begin.
func (s *State) Own() any { return s.own }
