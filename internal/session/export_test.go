package session

// Exports for tests outside of the package.

const (
	KeptFor      = keptFor
	KeptJournals = keptJournals
)

var (
	AppendSummary     = appendSummary
	Journals          = journals
	LastRun           = lastRun
	RemoveOldJournals = removeOldJournals
)
