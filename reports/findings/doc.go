// Package findings writes what a run found as a short JSON document for programs and agents: each finding with an id that is the same in the
// next run, and what is needed to understand it and to ask again.
//
// docs/findings.schema.json describes the document. It is bounded whatever was found: details are dropped before findings are, and what does
// not lead a cause before what does.
package findings
