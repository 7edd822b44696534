// Package client sends requests and records exchanges: rate limits, retries, connections, transports, and
// malformed responses. It knows no contract and no scenario, and judges nothing.
package client
