// Package petstore holds the written features of the Petstore, about what no contract says. The scenarios that follow from the contract
// are derived when they are needed; "hallmark derive" keeps a copy of them for readers in the folder derived, and checks it for drift.
package petstore

import "embed"

// FS holds the written features.
//
//go:embed *.feature
var FS embed.FS
