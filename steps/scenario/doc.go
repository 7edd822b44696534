// Package scenario holds what one scenario asks, finds and keeps, and what the scenarios of a run share: the client, the budget,
// the judge of the contract. It knows neither steps nor the order in which scenarios are played.
package scenario
