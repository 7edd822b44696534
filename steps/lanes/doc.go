// Package lanes lets a scenario make several requests concurrently if none needs the response to another. Otherwise, with high latency, a
// run waits for its longest chain of requests.
package lanes
