// Package petstore is what the suite knows of the Petstore beyond its contract and rules: animals, the words and numbers that
// steps ask by, checks of one response and across the responses of a run, generated sequences of commands, and the model by
// which concurrent histories are judged. It sends nothing and knows no scenario.
//
// Calls, bodies, credentials, statuses and what comes back are steps of package vocabulary. A step stays here for one of these reasons:
//
//   - It judges by the memory of the run, of which a contract tells nothing: what has an id, what every list must hold, which creations
//     were refused, and what one response says of those of other scenarios.
//   - It judges under several rules of the catalogue, where a written step knows the rule of its scenario alone: an animal that is read
//     back, created by many at once, or listed by its status.
//   - It needs to know how much the store holds, or is generated from the model of the Petstore.
//   - It records what the interface leaves open in words that other records are compared by.
package petstore
