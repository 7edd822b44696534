// Package score measures how much a test suite detects: it puts the faults that are derived from a contract in
// front of a service that keeps it, one at a time, and records which of them the suite finds. The suite is the one
// derived from the contract, or any command.
package score
