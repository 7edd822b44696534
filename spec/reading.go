package spec

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec/schema"
)

// Reading is the result of reading a document.
type Reading struct {
	// OpenAPI is the OpenAPI version of the document ("3.0.3", "2.0").
	OpenAPI    string
	Operations []Operation
	// Servers are the servers of the whole document.
	Servers   []Server
	Omissions []Omission
	Defects   []Defect
	// Schemas are the compiled schemas; nil if reading needed none.
	Schemas *schema.Set
}

// Omission is a part of the document that is not supported and is ignored.
type Omission struct {
	Pointer string
	// File is the referenced file that contains it; empty for the document itself.
	File string
	Line int
	// What describes in a clause what it is and what is ignored.
	What string
	// Scope are the ids of the affected operations; empty if it concerns the whole document.
	Scope []string
}

// Hole is a place of the document that cannot be used to judge a value, and the reason.
type Hole = schema.Hole

// Unjudged is a hole that a response ran into, and the rule that remains unexercised.
type Unjudged struct {
	Rule string
	Hole
}

// Defect is a mistake in the document.
type Defect struct {
	Pointer string
	// File is the referenced file that contains it; empty for the document itself.
	File string
	Line int
	Text string
}

// OpenAPI returns the OpenAPI version of the document ("3.0.3", "2.0").
func (c *Contract) OpenAPI() string { return c.reading.OpenAPI }

// Omissions returns the ignored parts of the document, ordered by line.
func (c *Contract) Omissions() []Omission { return slices.Clone(c.reading.Omissions) }

// Defects returns the mistakes in the document, ordered by line.
func (c *Contract) Defects() []Defect { return slices.Clone(c.reading.Defects) }

// Servers returns the servers of the whole document.
func (c *Contract) Servers() []Server { return slices.Clone(c.reading.Servers) }
