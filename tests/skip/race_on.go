//go:build race

package skip

// RaceDetector reports whether the race detector is enabled.
const RaceDetector = true
