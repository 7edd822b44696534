// Package pattern makes texts that match a regular expression of ECMA-262, or narrowly miss it, and texts of the formats of JSON
// Schema. Each text of a pattern is tried before it is given away. The package knows no schema.
//
// It has a generator of its own: rapid's StringMatching knows the syntax of Go's regexp only, has no lookahead, neither near misses nor a
// shortest text, and of the patterns of 42 real documents every tenth gave control characters or rare scripts, which services refuse
// although their documents allow them.
package pattern
