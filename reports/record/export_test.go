package record

// What the tests outside of the package look at.

const (
	CitedBody     = citedBody
	KeptBody      = keptBody
	CitedPerCause = citedPerCause
	PreflightID   = preflightID
	PartBytes     = partBytes
)

var (
	Shortened = shortened
	Fill      = fill
)
