// Package client sends requests and records exchanges: rate limits, retries, connections, transports, and what is wrong
// with a response that HTTP cannot read. It knows no contract and no scenario, and passes no judgement.
package client
