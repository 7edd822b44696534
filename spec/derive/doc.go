// Package derive makes scenarios out of the contract: for whatever operations, parameters, bodies, answers and security
// an OpenAPI document holds, the cases that keep it and the cases that break it, as Gherkin that a person can read.
//
// What a case must give follows from what its operation documents: a body that breaks the contract must be refused
// where a 400 is documented; where none is, the response is the service's own choice, and is observed.
package derive
