// Package behaviour judges what several responses together say about a resource: whether what was sent is returned, and whether it
// persists. Its checks are pure functions over values, and report only differences that a server may not introduce on its own.
package behaviour
