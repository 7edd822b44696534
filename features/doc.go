// Package features holds how it is asked: the derived features (derived, written by "hallmark derive" and checked for
// drift) and the written ones beside them, for what a contract cannot say. All are embedded into the binary.
package features

import "embed"

// FS holds the feature files.
//
//go:embed *.feature derived/*.feature
var FS embed.FS
