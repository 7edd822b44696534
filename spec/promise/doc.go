// Package promise turns an OpenAPI document into rules and scenarios: what each operation promises, and the cases
// that test it. It knows any contract and no service.
package promise
