// Package schema compiles the schemas of an OpenAPI document once and judges exactly decoded values by them. It knows
// schemas and their dialects, and no operation.
package schema
