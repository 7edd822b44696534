package spec

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Allows reports whether a text is a value that the contract documents for a parameter: a member of its enum, or a number within its
// bounds, written as in JSON. The contract leaves any other value open.
func (p Parameter) Allows(text string) bool {
	s := p.Schema
	switch {
	case s == nil:
		return true
	case len(s.Enum) > 0:
		return slices.Contains(s.Members(), text)
	case s.Type == "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		least, hasLeast := IntegerOf(s.Minimum)
		most, hasMost := IntegerOf(s.Maximum)
		return err == nil && strconv.FormatInt(n, 10) == text && (!hasLeast || n >= least) && (!hasMost || n <= most)
	}
	return true
}

// Members returns the values of the schema's enum as they appear in a parameter: strings without quotes.
func (s *Schema) Members() []string {
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

// IntegerOf returns the int64 value of a literal of the contract, and false if it has none.
func IntegerOf(literal string) (n int64, ok bool) {
	if literal == "" {
		return 0, false
	}
	text, ok := exactjson.CanonicalInt(json.Number(literal))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// Success returns the success status of the operation: the usual one if it is documented, otherwise the first documented one of its
// class.
func (op *Operation) Success(usual int) int {
	if a := op.ResponseFor(usual); a != nil && a.Status == usual {
		return usual
	}
	for _, a := range op.Responses {
		if a.Status/100 == usual/100 {
			return a.Status
		}
	}
	return usual
}
