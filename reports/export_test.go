package reports

// What the tests outside of the package look at.

const (
	Bold          = bold
	Dim           = dim
	Green         = green
	MaxDeviations = maxDeviations
	Red           = red
	WriteEvery    = writeEvery
	Yellow        = yellow
)

var (
	AnsweredStatus  = answeredStatus
	KindsText       = kindsText
	NewBook         = newBook
	ParseDeviations = parseDeviations
	ReplaceWith     = replace
	Starts          = starts
)
