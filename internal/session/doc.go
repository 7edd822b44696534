// Package session assembles a run from its options: target, key, contract, suite, record and sinks. It does not
// know the commands.
package session
