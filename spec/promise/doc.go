// Package promise turns an OpenAPI document into rules and scenarios: what each operation promises, and the cases that put it to
// the test. It knows any contract and no service.
package promise
