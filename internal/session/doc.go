// Package session assembles a run from its options: target, key, contract, suite, record and sinks. It does not know which
// commands there are.
package session
