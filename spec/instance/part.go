package instance

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// part is one of the schemas that a value must conform to, with the path to it.
type part struct {
	*spec.Schema
	// chain holds the places that lead to the schema, which is the last.
	chain []string
	// alternative reports whether it is one of several branches.
	alternative bool
}

func partOf(e spec.Edge, outer []string) *part {
	return &part{Schema: e.Schema, chain: e.Chain(outer...)}
}

// parts are schemas that a value must all conform to, without duplicates.
type parts []*part

func (c parts) key() string {
	if len(c) == 1 {
		return c[0].Pointer
	}
	pointers := make([]string, len(c))
	for i := range c {
		pointers[i] = c[i].Pointer
	}
	return strings.Join(pointers, " ")
}

func (c parts) with(e spec.Edge, outer []string) parts {
	if e.Schema == nil || slices.ContainsFunc(c, func(p *part) bool { return p.Schema == e.Schema }) {
		return c
	}
	return append(c, partOf(e, outer))
}

// constraint is a keyword of a part; the zero constraint is none.
type constraint struct {
	by *part
	// keyword is the rest of the pointer after the schema's ("required/2").
	keyword string
}

func (c constraint) pointer() string {
	switch {
	case !c.there():
		return ""
	case c.keyword == "":
		return c.by.Pointer
	case strings.HasPrefix(c.keyword, "/"):
		return c.keyword // a pointer of its own
	}
	return c.by.Pointer + "/" + c.keyword
}

func (c constraint) there() bool { return c.by != nil && c.by.Schema != nil }

// chain are the places that lead to the schema; none of the zero constraint.
func (c constraint) chain() []string {
	if c.by == nil {
		return nil
	}
	return c.by.chain
}

// entry returns the constraint for one entry of a list.
func entry(by *part, keyword string, i int) constraint {
	return constraint{by, jsonpointer.Index(keyword, i)}
}
