package reports

// What the tests outside of the package look at.

const (
	Bold          = bold
	CitedBody     = citedBody
	CitedPerCause = citedPerCause
	Dim           = dim
	Green         = green
	KeptBody      = keptBody
	MaxDeviations = maxDeviations
	PartBytes     = partBytes
	PreflightID   = preflightID
	Red           = red
	WriteEvery    = writeEvery
	Yellow        = yellow
)

var (
	AnsweredStatus  = answeredStatus
	Itoa            = itoa
	KindsText       = kindsText
	NewBook         = newBook
	ParseDeviations = parseDeviations
	ReplaceWith     = replace
	Shortened       = shortened
	Starts          = starts
	Wrap            = wrap
)
