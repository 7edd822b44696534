//go:build race

package impostor

const raceDetector = true
