// Package steps asks: it holds the vocabulary of the steps, what a scenario does and remembers, and the runner on godog.
//
// Steps of two kinds live apart. The generic ones (operations.go, answers.go, echoes.go) speak of operations, bodies and
// responses and serve any contract. The others (pets_*.go) know animals.
//
// What needs no scenario has a package of its own below: client sends, generate makes bodies, check judges one exchange, and
// petstore holds what is known of animals. Checks are pure functions from exchanges to findings; what they know of the run is
// handed to them as data.
package steps
