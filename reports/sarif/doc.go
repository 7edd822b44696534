// Package sarif writes what a run found as SARIF 2.1.0, which code scanning shows beside the lines of a file: here, the lines
// of the contract that a service does not keep.
//
// A result is a cause, and not a finding: one defect may show in hundreds of scenarios, and a reader wants to see it once.
// Known violations are results that are suppressed, with their reason. What else became of the run stands in its
// invocation.
//
// The objects are types of this package: go-sarif has 18,000 lines for the ninety that they take, holds the whole log in memory, which is
// written here piece by piece, and brings testify and a second validator of JSON Schema along.
package sarif
