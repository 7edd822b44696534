// Package vocabulary holds the steps for features of any interface: calls of operations, bodies, credentials,
// generated cases, and judgements of responses. It knows contracts and rules, but no particular interface.
package vocabulary
