// Package conformance writes and checks the conformance report, with which a vendor shows that a service conforms to the interface.
//
// [New] makes a [Report] from a view of a run. It is a document of its own, in YAML or JSON, with the schema that
// [Schema] returns; it contains each rule once, so that its totals and its result can be derived from it again.
// Its result is never better than that of the run, and only a run of the whole, unaltered suite is conformant.
//
// A [Signer] signs a report with Ed25519. The signature covers the canonical form of its content, not its text, so
// that comments, the order of members and a conversion between YAML and JSON do no harm.
//
// [Read] parses a report, within its schema and limits; [Document.Verify] checks whether it is true, as far as
// that is possible without the service.
package conformance
