// Package coverage writes how much of the contract was judged as JSON, for other programs. docs/coverage.schema.json describes it.
package coverage
