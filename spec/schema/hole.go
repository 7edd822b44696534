package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Hole is a keyword, or a whole schema, that cannot be applied: it is malformed, refers to nothing or has no
// meaning. Values are judged as if it were absent.
type Hole struct {
	// Pointer is the place of the keyword or schema, Line its line in the document.
	Pointer string
	Line    int
	// Reason is a part of a sentence: "the pattern has no meaning in ECMA-262".
	Reason string
}

// maxHoles is how many holes a set remembers. A document with more is beyond repair.
const maxHoles = 10_000

// hole records what cannot be applied.
func (s *Set) hole(pointer, format string, args ...any) Hole {
	h := Hole{Pointer: pointer, Line: s.line(pointer), Reason: fmt.Sprintf(format, args...)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, there := s.holes[pointer]; there {
		return first
	}
	if len(s.holes) < maxHoles {
		s.holes[pointer] = h
	}
	return h
}

// line returns the line of a pointer, or of the nearest place around it.
func (s *Set) line(pointer string) int {
	for {
		if line := s.doc.Line(pointer); line > 0 || pointer == "" {
			return line
		}
		pointer = pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
	}
}

// allHoles returns the holes that were met so far, the first 10,000, in the order of the document.
func (s *Set) allHoles() []Hole {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.holes))
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b Hole) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Pointer, b.Pointer))
	})
	return all
}

// Survey is the result of visiting many schemas.
type Survey struct {
	// Schemas is how many were visited: the requested ones, and all that they lead to.
	Schemas int
	// Holes lists what cannot be applied, in the order of the document.
	Holes []Hole
}

// Survey visits the schemas at the pointers and all that they lead to, without keeping them. It is far cheaper
// than compiling them.
func (s *Set) Survey(pointers []string) Survey {
	seen := map[unitKey]bool{}
	var next []unitKey
	for _, p := range pointers {
		if s.doc.Node(p) == nil {
			s.hole(p, "there is no schema here")
			continue
		}
		next = append(next, unitKey{pointer: p})
	}
	schemas := 0
	for len(next) > 0 {
		key := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[key] {
			continue
		}
		seen[key] = true
		t := translator{set: s, unit: &unit{key: key}}
		t.root()
		schemas += t.nodes
		for _, e := range t.edges {
			if !seen[e.key] {
				next = append(next, e.key)
			}
		}
	}
	return Survey{Schemas: schemas, Holes: s.allHoles()}
}

// describe says what a node is.
func describe(n *source.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == source.MappingNode:
		return "an object"
	case n.Kind == source.SequenceNode:
		return "a list"
	case n.Kind == source.ScalarNode && n.ShortTag() == "!!null":
		return "null"
	case n.Kind == source.ScalarNode && isText(n):
		return "the string " + text.Quote(n.Value)
	}
	return text.Quote(n.Value)
}

func index(pointer string, i int) string { return jsonpointer.Index(pointer, i) }
