// Package petstore holds how the Petstore is asked: the derived features (derived, written by "hallmark derive" and checked for
// drift) and the written ones beside them, for what a contract cannot say. All are embedded into the binary.
package petstore

import "embed"

// FS holds the feature files.
//
//go:embed *.feature derived/*.feature
var FS embed.FS
