// Package exactjson reads JSON texts by RFC 8259 to the last digit, and compares and describes what they hold. It knows no
// schema.
package exactjson
