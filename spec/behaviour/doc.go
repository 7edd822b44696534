// Package behaviour judges what several responses say together of one resource: whether what was sent comes back, and whether it
// stays. Its checks are pure functions over values, and take for a difference only what no server may make of a value on its own.
package behaviour
