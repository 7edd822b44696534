package source

// Limits on documents. The largest public ones have 13 MB, about 600,000 values and 40 levels.
const (
	// maxBytes is the maximum size of a document with all of its files.
	maxBytes = 48 << 20
	// maxValues is the maximum number of values (keys, strings, numbers, lists, objects), counted again for each alias and
	// merge key.
	maxValues = 3_000_000
	// maxDepth is the maximum nesting.
	maxDepth = 200
	// maxFiles is the maximum number of files of a document; DigitalOcean's has 3,000.
	maxFiles = 20_000
	// indexedKeys is the number of keys from which on a mapping is indexed.
	indexedKeys = 24
)
