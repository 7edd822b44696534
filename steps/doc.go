// Package steps is the engine: it plays the scenarios of a suite in their phases and repeats what they found. It knows how a run
// goes, and no interface.
//
// What one scenario asks, finds and keeps is in scenario, the steps of any interface in vocabulary, those of one interface in a
// package of its own, as petstore. What needs no scenario is below, too: client sends, generate makes bodies, check judges one
// exchange. Checks are pure functions from exchanges to findings; what they know of the run is handed to them as data.
package steps
