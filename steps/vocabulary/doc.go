// Package vocabulary holds the steps that features of any interface may use: calls of operations, bodies, credentials, what is
// generated, and judgements of responses. It knows contracts and rules, and nothing of a particular interface.
package vocabulary
