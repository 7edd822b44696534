// Package score measures how much a test suite detects. It puts each fault that can be derived from a contract in front of a service that
// keeps the contract, and records which of them the suite finds. The suite is the one derived from the contract, or any command.
package score
