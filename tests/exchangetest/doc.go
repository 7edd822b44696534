// Package exchangetest makes exchanges for tests, and compares what checks find in them. It knows no scenario and no server.
package exchangetest
