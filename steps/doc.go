// Package steps asks: it holds the vocabulary of the steps, the scenario's state, the HTTP client that records
// exchanges, the checks that run on every exchange, and the runner on godog.
//
// Steps of two kinds live apart. The generic ones (operations.go, bodies.go, answers.go) speak of operations, bodies and
// answers and serve any contract. The others (pets_*.go) know animals.
//
// Checks are pure functions from exchanges to findings; what they know of the run is handed to them as data.
package steps
