package spec

import (
	"slices"

	"hallmark/spec/schema"
)

// Reading is what a document was read as.
type Reading struct {
	// OpenAPI is the version that the document says it is written in ("3.0.3", "2.0").
	OpenAPI    string
	Operations []Operation
	// Servers are those of the whole document.
	Servers   []Server
	Omissions []Omission
	Defects   []Defect
	// Schemas judge values; nil when nothing of them was needed for reading.
	Schemas *schema.Set
}

// Omission is something in the document that is not understood. It is left out, and nothing is judged by it.
type Omission struct {
	Pointer string
	// File is the file beside the document that it stands in; empty for the document itself.
	File string
	Line int
	// What says in a clause what it is, and what is not done for it.
	What string
	// Scope are the ids of the operations that it concerns; none when it concerns the document as a whole.
	Scope []string
}

// Hole is a place of the document that a value could not be judged by, and why.
type Hole = schema.Hole

// Unjudged is a hole that a response fell into, and the rule that it leaves open.
type Unjudged struct {
	Rule string
	Hole
}

// Defect is something that is wrong with the document itself.
type Defect struct {
	Pointer string
	// File is the file beside the document that it stands in; empty for the document itself.
	File string
	Line int
	Text string
}

// OpenAPI returns the version of OpenAPI that the document is written in ("3.0.3", "2.0").
func (c *Contract) OpenAPI() string { return c.reading.OpenAPI }

// Omissions returns what in the document is not understood, in the order of its lines.
func (c *Contract) Omissions() []Omission { return slices.Clone(c.reading.Omissions) }

// Defects returns what is wrong with the document itself, in the order of its lines.
func (c *Contract) Defects() []Defect { return slices.Clone(c.reading.Defects) }

// Servers returns the addresses that the document names for all of its operations.
func (c *Contract) Servers() []Server { return slices.Clone(c.reading.Servers) }
