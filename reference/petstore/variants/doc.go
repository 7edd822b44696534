// Package variants builds the petstore with something about it changed: a [Fault], a [Freedom] or a [Mutation].
//
// [Build] puts the change around the service: before its handler, between it and its store, and in its options. The
// service itself knows nothing of that, and nothing here knows what judges it. Each written variant stands in a file of
// its family, fault_*.go or freedom_*.go; what they are made of is in variant.go, exchange.go and fault.go.
package variants
