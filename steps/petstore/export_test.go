package petstore

import "hallmark/steps/scenario"

// What tests of the package see besides.
var OtherID = otherID

// Own is the animal that a Given step chose; nil for none.
func Own(s *scenario.Scenario) *Creation { return sceneOf(s).own }

// MemoryOf is what a run remembers.
func MemoryOf(r *scenario.Run) *Memory { return petsOf(r).memory }
