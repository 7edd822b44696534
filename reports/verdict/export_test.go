package verdict

// Exports for tests outside of the package.

const MaxDeviations = maxDeviations

var (
	KindsText       = kindsText
	ParseDeviations = parseDeviations
)
