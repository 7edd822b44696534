// Package scenario holds what one scenario calls (Caller), finds (Judgement, Ledger) and keeps (State), combined
// in Scenario; and what the scenarios of a run share (Run): the client, the budget, the judge of the contract. It
// knows neither steps nor the order of scenarios.
package scenario
