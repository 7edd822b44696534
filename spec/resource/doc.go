// Package resource infers from a contract where the identifiers in its requests come from: which operation creates
// what a path parameter names, which lists it, and which only shows it. It knows contracts and values, and sends
// nothing.
package resource
