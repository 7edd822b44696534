package session

// Exports for tests outside of the package.

const (
	KeptFor      = keptFor
	KeptJournals = keptJournals
)

var (
	AppendSummary     = appendSummary
	Journals          = journals
	LastSearches      = lastSearches
	RemoveOldJournals = removeOldJournals
)
