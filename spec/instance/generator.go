package instance

import (
	"errors"
	"hash/fnv"

	"hallmark/spec"
	"hallmark/spec/pattern"
)

// Generator derives instances. It remembers what it made, so one should serve all subjects of a document. It must not be used by
// several goroutines at a time.
type Generator struct {
	options  Options
	made     map[string]made
	patterns map[string]*pattern.Pattern
	texts    map[textKey][]string

	// active are the schemas that a value is being made of, cuts counts how often one led to itself.
	active map[string]bool
	cuts   int
	// effort is what is left for the step at hand.
	effort int
}

// made is what became of making a value.
type made struct {
	value any
	err   error
}

// defaultLimit is how many cases are derived of one subject where the options do not say.
const defaultLimit = 64

const (
	// maxEffort bounds how many values are tried for each step of a subject: to find a valid one, to find the branches that it
	// keeps, to choose cases. Schemas can be combined so that a few lines have more
	// combinations than there is time for.
	maxEffort = 1_000
	// maxPicks bounds how many combinations of branches are tried for one value.
	maxPicks = 64
	// maxWeight bounds the values of one instance, see weight.
	maxWeight = 20_000
	// maxDepth bounds how deep required members nest.
	maxDepth = 120
)

var (
	errEndless = errors.New("it requires itself without end")
	errLarge   = errors.New("the smallest value that was found is larger than hallmark makes")
	errEffort  = errors.New("there are more combinations of its branches than can be tried")
)

// New returns a generator.
func New(o Options) *Generator {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	if o.Valid == nil {
		o.Valid = func(*spec.Schema, any) bool { return false } // what cannot be confirmed is not valid
	}
	return &Generator{
		options: o, made: map[string]made{}, patterns: map[string]*pattern.Pattern{}, texts: map[textKey][]string{},
		active: map[string]bool{},
	}
}

// seed returns a number for a purpose, the same for the same seed of the options.
func (g *Generator) seed(purpose string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose))
	return h.Sum64() ^ g.options.Seed
}

// keeps reports whether a value keeps all of the schemas, and is not too large.
func (g *Generator) keeps(c parts, value any) bool {
	if weight(value, maxWeight) <= 0 {
		return false
	}
	for _, p := range c {
		g.effort--
		if !g.options.Valid(p.Schema, value) {
			return false
		}
	}
	return true
}

// hidden reports whether a member with these schemas does not go in the direction.
func (g *Generator) hidden(c parts) bool {
	s := view(c, func(*point, int) int { return 0 })
	for _, p := range s.parts {
		if p.ReadOnly && g.options.Direction == Request || p.WriteOnly && g.options.Direction == Response {
			return true
		}
	}
	return false
}

// weight returns what is left of a number when the values in a value are taken from it, long texts as several; it is not positive
// when there are more.
func weight(value any, left int) int {
	const textUnit = 32
	left--
	switch v := value.(type) {
	case string:
		left -= len(v) / textUnit
	case []any:
		for i := 0; i < len(v) && left > 0; i++ {
			left = weight(v[i], left)
		}
	case map[string]any:
		for _, member := range v {
			if left <= 0 {
				break
			}
			left = weight(member, left)
		}
	}
	return left
}
