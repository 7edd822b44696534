// Package steps is the engine: it plays the scenarios of a suite in their phases and repeats what they found. It
// knows how a run proceeds, but no interface.
//
// What one scenario asks, finds and keeps is in package scenario; the steps of any interface are in vocabulary,
// those of one interface in a package of its own, such as petstore. Below are packages that need no scenario:
// client sends, generate makes bodies, check judges one exchange. Checks are pure functions from exchanges to
// findings, and get what they need to know about the run as data.
package steps
