// Package resource infers from a contract where the identifiers that its requests ask for come from: which operation creates what
// a path parameter names, which lists it, and which only shows it. It knows contracts and values, and sends nothing.
package resource
