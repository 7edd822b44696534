package steps

import (
	"encoding/json"
	"slices"
	"strconv"

	"hallmark/spec"
)

// allows reports whether a text is a value that the contract documents for a parameter: a member of its enum, a number
// within its bounds, written as JSON writes it. Anything else is a question that the contract leaves open.
func allows(p spec.Parameter, text string) bool {
	s := p.Schema
	switch {
	case s == nil:
		return true
	case len(s.Enum) > 0:
		return slices.Contains(members(s), text)
	case s.Type == "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		least, hasLeast := integerOf(s.Minimum)
		most, hasMost := integerOf(s.Maximum)
		return err == nil && strconv.FormatInt(n, 10) == text && (!hasLeast || n >= least) && (!hasMost || n <= most)
	}
	return true
}

// members returns the values of a schema's enum as a parameter carries them.
func members(s *spec.Schema) []string {
	var out []string
	for _, literal := range s.Enum {
		var text string
		if json.Unmarshal([]byte(literal), &text) != nil {
			text = literal
		}
		out = append(out, text)
	}
	return out
}

// integerOf returns the int64 that a literal of the contract stands for; false for none, and for a number beyond int64.
func integerOf(literal string) (n int64, ok bool) {
	if literal == "" {
		return 0, false
	}
	text, ok := spec.CanonicalInt(json.Number(literal))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// petTerms is what the contract says of the numbers and words that the steps about animals ask by.
type petTerms struct {
	// limit and status are the parameters of listPets; nil when the contract has none of that name.
	limit, status *spec.Parameter
	// created is the status of a new animal in the body of createPet; nil when the contract has none.
	created *spec.Schema
}

// termsOf reads the terms of a contract.
func termsOf(c *spec.Contract) petTerms {
	var t petTerms
	if op, ok := c.Operation("listPets"); ok {
		for i := range op.Parameters {
			p := &op.Parameters[i]
			switch {
			case p.In != "query":
			case p.Name == "limit":
				t.limit = p
			case p.Name == "status":
				t.status = p
			}
		}
	}
	if op, ok := c.Operation("createPet"); ok && op.Body != nil {
		if p := op.Body.Schema.Property("status"); p != nil {
			t.created = p.Schema
		}
	}
	return t
}

// isFilter reports whether lists may be filtered by a status.
func (t petTerms) isFilter(status string) bool {
	return t.status != nil && allows(*t.status, status)
}
