//go:build race

package skip

// RaceDetector reports whether the race detector watches.
const RaceDetector = true
