// Package generate makes request bodies from the schema of an operation: plain ones with the changes that a step plans, valid
// ones, invalid ones that each violate exactly one constraint, and smaller ones for shrinking. It knows no scenario and sends
// nothing.
package generate
