package verdict

// What the tests outside of the package look at.

const MaxDeviations = maxDeviations

var (
	KindsText       = kindsText
	ParseDeviations = parseDeviations
)
