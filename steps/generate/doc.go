// Package generate makes request bodies from the schema of an operation: valid ones, invalid ones that each violate exactly
// one constraint, and smaller ones of both for shrinking. It knows no scenario and sends nothing.
package generate
