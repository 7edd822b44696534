package instance

import "github.com/hallmark-kit/hallmark/spec"

// Direction is the direction of a value. readOnly properties are left out of requests, writeOnly ones out of
// responses.
type Direction int

// The directions.
const (
	Request Direction = iota
	Response
)

// Options configures a Generator.
type Options struct {
	// Seed chooses among equivalent values. The same seed gives the same instances.
	Seed      uint64
	Direction Direction
	// Valid reports whether a value conforms to a schema. Every instance is checked with it.
	Valid func(s *spec.Schema, value any) bool
	// Limit is the maximum number of cases for one subject; 0 means 64.
	Limit int
	// Texts holds the texts of the seed, if other generators share them; nil makes new ones.
	Texts *Texts
	// Work bounds the work for all subjects together; nil means no bound. Valid takes its steps from it.
	Work *Work
	// PerSubject bounds the work for each subject; 0 means no bound but Work.
	PerSubject int
}

// Subject is what instances are made for: a parameter, a body, or a part of one.
type Subject struct {
	// Name is the name of the whole value in descriptions ("limit", "the body").
	Name string
	// Edge leads to the schema. Outer holds the places of the document that lead to the edge.
	Edge  spec.Edge
	Outer []string
	// Examples are those beside the schema: of the parameter or the media type.
	Examples []spec.Example
	// Base is the value that cases are variants of, and must be valid. If it is nil, one is made.
	Base any
}

// Case is one instance. Values consist of map[string]any, []any, json.Number, string, bool and nil. Cases share
// parts of them, so they must not be modified.
type Case struct {
	Value any
	// Pointer is the place in the value that the case is about.
	Pointer string
	// Differs is the place at which the value differs from the base: Pointer, or a place above it if the base follows
	// another branch or has fewer items.
	Differs string
	// Constraint is the pointer of the keyword that it is about, or of the name or value in it
	// ("/components/schemas/Order/required/2"); empty for the smallest and the full instance.
	Constraint string
	// Chain are the places of the document that lead to the schema with that keyword, itself the last.
	Chain []string
	Kind  Variation
	// Repaired is the value without the fault, which is valid: the base, or the base with the optional member that
	// has the fault. It is nil for valid instances.
	Repaired any
	// Description says what is special ("limit is its maximum, 100").
	Description string
}

// Cases holds the instances of one subject.
type Cases struct {
	// Base is the value that the cases are variants of, without their faults.
	Base  any
	Cases []Case
	// Defects are problems of the schemas: examples that violate them, and schemas for which no valid value was
	// found.
	Defects []Defect
	// Dropped counts the candidates that the validator did not confirm, More those beyond the limit.
	Dropped, More int
}

// Defect is something that is wrong with the document.
type Defect struct {
	Pointer, Text string
}
