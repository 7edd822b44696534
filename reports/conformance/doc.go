// Package conformance writes and checks the conformance report, with which a vendor shows that a service conforms to the interface.
//
// [New] makes a [Report] from a view of a run. It is a document of its own, in YAML or JSON, with the schema that [Schema] returns. It
// contains each rule once, so its totals and its result can be recomputed from it. Its result is never better than that of the run, and
// only a run of the whole, unaltered suite is conformant.
//
// A [Signer] signs a report with Ed25519. The signature covers the canonical form of its content, not its text, so comments, the order of
// members and conversion between YAML and JSON do not matter.
//
// [Read] parses a report, within its schema and limits. [Document.Verify] checks whether it is true, as far as that is possible without the
// service.
package conformance
