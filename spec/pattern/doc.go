// Package pattern makes texts that match a regular expression of ECMA-262, or narrowly miss it, and texts of the formats of JSON
// Schema. Each text of a pattern is tried before it is given away. The package knows no schema.
package pattern
