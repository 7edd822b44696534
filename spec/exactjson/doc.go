// Package exactjson decodes JSON texts (RFC 8259) without losing digits, and compares and describes their values. It knows no
// schemas.
package exactjson
