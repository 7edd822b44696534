// Package speed measures how long runs of hallmark take, beside a client that sends the same requests and looks at nothing:
// make bench.
package speed
