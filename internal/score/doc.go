// Package score measures how much a suite of tests sees: it puts the faults that follow from a contract in front of a service that keeps
// it, one at a time, and notes which of them the suite tells. The suite is that which follows from the contract, or any command.
package score
