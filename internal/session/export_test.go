package session

// What tests from outside look at.

const (
	KeptFor      = keptFor
	KeptJournals = keptJournals
)

var (
	AppendSummary     = appendSummary
	Journals          = journals
	PlaceOf           = placeOf
	RemoveOldJournals = removeOldJournals
)
