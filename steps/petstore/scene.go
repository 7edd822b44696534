package petstore

import (
	"sync"
	"sync/atomic"
	"time"

	"hallmark/spec/request"
	"hallmark/steps/credentials"
	"hallmark/steps/scenario"
)

// pets is what a run knows of the interface's animals.
type pets struct {
	*scenario.Run
	terms  Terms
	memory *Memory
	// whole reports whether the last list that might hold the whole store did.
	whole atomic.Bool
	// stocking is held by the one scenario that fills the store, while it asks.
	stocking chan struct{}
}

// petsOf is what a run knows of animals.
func petsOf(r *scenario.Run) *pets {
	p, _ := r.Extension.(*pets)
	return p
}

// scene is a scenario with what the steps about animals keep of it.
type scene struct {
	*scenario.Scenario
	pets *pets

	// own is an animal of this run that a Given step chose, sentID an id that a body holds.
	own    *Creation
	sentID string
	// watch is what the lists showed before and after creations that must be refused.
	watch *watch
	// reread are the animals of the run that were read once more.
	reread []rereading
}

// sceneOf is the scene of a scenario.
func sceneOf(s *scenario.Scenario) *scene {
	own, _ := s.Own().(*scene)
	return own
}

// watch is what the lists have shown so far.
type watch struct {
	// refused is the status by which the creations have to be refused.
	refused  int
	attempts []attempt
	// seen are the ids that were known before.
	seen map[string]bool
	// fresh are the animals that the last look saw for the first time, and that this run did not create, and in the list.
	fresh []SeenAnimal
	in    *scenario.Answer
	mu    sync.Mutex
	// longest is the longest time that a refused creation took.
	longest time.Duration
}

// took notes how long a refused creation took.
func (w *watch) took(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.longest = max(w.longest, d)
}

// attempt is a creation that has to be refused.
type attempt struct {
	plan       *request.Plan
	credential credentials.Credential
}

// rereading is an animal of this run and the response to its last reading.
type rereading struct {
	Creation
	answer *scenario.Answer
}
