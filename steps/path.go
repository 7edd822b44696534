package steps

import "hallmark/steps/pathguard"

// This package imports godog, so godog is initialized by now, and PATH can come back.
func init() { //nolint:gochecknoinits // PATH has to be back before main begins, and tests have no main of ours
	pathguard.Restore()
}
