// Package variants builds modified versions of the petstore: with a [Fault], a [Freedom] or a [Mutation].
//
// [Build] puts the modification around the service: before its handler, between it and its store, and in its options. The service itself
// knows nothing of that, and nothing here knows what judges it. Each hand-written variant is in the file of its family, fault_*.go or
// freedom_*.go; their building blocks are in variant.go, exchange.go and fault.go.
package variants
