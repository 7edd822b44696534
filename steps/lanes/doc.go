// Package lanes lets one scenario have several requests under way, where none needs the response to another: behind latency a run
// otherwise waits for its longest chain of requests.
package lanes
