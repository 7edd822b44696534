// Package schema compiles the schemas of an OpenAPI document once and validates exactly decoded values. It knows
// schemas and their dialects, but no operations.
package schema
