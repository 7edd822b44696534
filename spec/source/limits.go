package source

// Limits on what is read. The largest public documents have 13 MB, some 600,000 values and 40 levels.
const (
	// maxBytes bounds the text of a document, of all of its files together.
	maxBytes = 48 << 20
	// maxValues bounds the values of a document (keys, texts, numbers, lists, objects), each counted wherever an alias or a
	// merge key repeats it.
	maxValues = 3_000_000
	// maxDepth bounds how deep a document nests.
	maxDepth = 200
	// maxFiles bounds how many files a document is made of; DigitalOcean's has 3,000.
	maxFiles = 20_000
	// indexedKeys is how many keys a mapping has at least for which they are indexed.
	indexedKeys = 24
)
