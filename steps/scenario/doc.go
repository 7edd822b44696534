// Package scenario holds what one scenario asks (Caller), finds (Judgement, Ledger) and keeps (State), put together by Scenario;
// and what the scenarios of a run share (Run): the client, the budget, the judge of the contract. It knows neither steps nor the
// order in which scenarios are played.
package scenario
