//go:build !race

package impostor

const raceDetector = false
