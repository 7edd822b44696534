// Package petstore is what the suite knows of the Petstore beyond its contract and rules: animals, the words and numbers that
// steps ask by, checks of one response and across the responses of a run, generated sequences of commands, and the model by
// which concurrent histories are judged. It sends nothing and knows no scenario.
package petstore
