package record

// Exports for tests outside of the package.

const (
	CitedBody     = citedBody
	KeptBody      = keptBody
	CitedPerCause = citedPerCause
	PreflightID   = preflightID
	PartBytes     = partBytes
)

var (
	Fill = fill
)
