// Package jsonpointer writes and reads JSON Pointers (RFC 6901). It knows no document.
package jsonpointer
