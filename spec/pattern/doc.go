// Package pattern generates texts that match a regular expression of ECMA-262, or narrowly miss it, and texts of the formats of JSON
// Schema. Each text is checked against its pattern. The package knows no schemas.
//
// It does not use rapid's StringMatching, which supports only the syntax of Go's regexp, has no lookahead, near misses or shortest texts,
// and for every tenth pattern of 42 real documents generated control characters or rare scripts, which services reject although their
// documents allow them.
package pattern
