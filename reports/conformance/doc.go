// Package conformance makes the conformance report: what a vendor hands over to show that a service keeps the interface, and
// what its receiver checks.
//
// [New] draws a [Report] from a view of a run. It is a document of its own, in YAML or JSON, by the schema that [Schema]
// gives; it holds each rule once, so that its totals and its result can be drawn from it again. Its result is never better
// than that of the run, and only a run of the whole, unaltered suite is conformant.
//
// A [Signer] signs a report with Ed25519. What is signed is the canonical form of its content, not its text, so that
// comments, the order of members and a change between YAML and JSON do no harm.
//
// [Read] takes a report apart again, by the schema and within bounds; [Document.Verify] checks whether it is true, as far
// as that can be told without the service.
package conformance
