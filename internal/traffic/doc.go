// Package traffic judges exchanges that others made: handlers in tests, recordings, what passes through a proxy. It judges each exchange by
// itself, by the rules that hold for every exchange, and keeps a bounded number of examples, however many exchanges there are.
package traffic
