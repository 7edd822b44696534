package verdict

// What the tests outside of the package look at.

const MaxDeviations = maxDeviations

var (
	AnsweredStatus  = answeredStatus
	KindsText       = kindsText
	ParseDeviations = parseDeviations
	Starts          = starts
)
