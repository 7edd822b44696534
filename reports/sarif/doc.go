// Package sarif writes what a run found as SARIF 2.1.0, which code scanning shows beside the lines of a file: here, the lines
// of the contract that a service does not keep.
//
// A result is a cause, and not a finding: one defect may show in hundreds of scenarios, and a reader wants to see it once.
// Known violations are results that are suppressed, with their reason. What else became of the run stands in its
// invocation.
package sarif
