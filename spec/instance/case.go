package instance

import "hallmark/spec"

// Direction is the way that a value goes. What is readOnly is left out of requests, what is writeOnly out of responses.
type Direction int

// The directions.
const (
	Request Direction = iota
	Response
)

// Options are what a Generator goes by.
type Options struct {
	// Seed chooses among values that are as good as each other. The same seed gives the same instances.
	Seed      uint64
	Direction Direction
	// Valid reports whether a value keeps a schema. Every instance is held against it.
	Valid func(s *spec.Schema, value any) bool
	// Limit is how many cases are derived of one subject at most; 0 for 64.
	Limit int
	// Texts are those of the seed, where other generators make the same; nil for texts of its own.
	Texts *Texts
	// Work bounds what all subjects take together; nil for no bound. Valid takes the steps of it that it needs.
	Work *Work
	// PerSubject is how many steps of work each subject may take; 0 for what Work says.
	PerSubject int
}

// Subject is what instances are made of: a parameter, a body, or a part of one.
type Subject struct {
	// Name is what descriptions call the whole value ("limit", "the body").
	Name string
	// Edge leads to the schema. Outer are the places of the document that lead to the edge.
	Edge  spec.Edge
	Outer []string
	// Examples are those beside the schema: of the parameter or the media type.
	Examples []spec.Example
	// Base is the value that cases are variants of, and must be valid. Where it is nil one is made.
	Base any
}

// Case is one instance. Values are made of map[string]any, []any, json.Number, string, bool and nil; cases share parts of them, so they must
// not be changed.
type Case struct {
	Value any
	// Pointer is the place in the value that the case is about.
	Pointer string
	// Differs is the place at which it differs from the base: Pointer, or one above that, where the base follows another branch or
	// has fewer items.
	Differs string
	// Constraint is the pointer of the keyword that it is about, or of the name or value in it
	// ("/components/schemas/Order/required/2"); empty for the smallest and the full instance.
	Constraint string
	// Chain are the places of the document that lead to the schema with that keyword, itself the last.
	Chain []string
	Kind  Kind
	// Repaired is the value without the fault, which is valid: the base, or the base with the optional member that the fault is in.
	// It is nil for valid instances.
	Repaired any
	// Description says in a clause what is special ("limit is its maximum, 100").
	Description string
}

// Cases are the instances of one subject.
type Cases struct {
	// Base is the value that the cases are variants of, without their faults if they have any.
	Base  any
	Cases []Case
	// Defects are what is wrong with the schemas: examples that violate them, and schemas that no value keeps as far as was found.
	Defects []Defect
	// Dropped counts the candidates that the validator did not confirm, More those beyond the limit.
	Dropped, More int
}

// Defect is something that is wrong with the document.
type Defect struct {
	Pointer, Text string
}
