// Package history follows each rule through the records of many runs: since when it is broken, when it was fixed, and in how many runs it was
// broken now and then.
//
// [Take] extracts from a record the little that is kept of it, so one record is in memory at a time. [New] puts the runs in the order of their
// times, by contract. A [History] can be written for a terminal, as one HTML page, and as JSON.
package history
