package openapi

import (
	"math/big"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
)

// impossible reports a schema that no value can satisfy.
func impossible(r *reader, s *spec.Schema, p place) {
	none := func(keyword, format string, args ...any) {
		at, ok := r.child(p, keyword)
		if !ok {
			at = p
		}
		r.defect(at, "no value can satisfy this schema: "+format, args...)
	}
	if at, ok := r.child(p, "enum"); ok && len(s.Enum) == 0 {
		r.defect(at, "no value can satisfy this schema: the enum is empty")
	}
	low, high := s.Minimum, s.Maximum
	exclusive := false
	if s.ExclusiveMinimum != "" && !less(s.ExclusiveMinimum, low) {
		low, exclusive = s.ExclusiveMinimum, true
	}
	if s.ExclusiveMaximum != "" && (high == "" || !less(high, s.ExclusiveMaximum)) {
		high, exclusive = s.ExclusiveMaximum, true
	}
	if less(high, low) || exclusive && low != "" && high != "" && !less(low, high) {
		none("minimum", "it lies between %s and %s", low, high)
	}
	for _, c := range []struct {
		keyword   string
		low, high *int64
		what      string
	}{
		{"minLength", s.MinLength, s.MaxLength, "characters"}, {"minItems", s.MinItems, s.MaxItems, "items"},
		{"minProperties", s.MinProperties, s.MaxProperties, "properties"},
	} {
		if c.low != nil && c.high != nil && *c.low > *c.high {
			none(c.keyword, "it has at least %s and at most %s %s", strconv.FormatInt(*c.low, 10), strconv.FormatInt(*c.high, 10), c.what)
		}
	}
}

// less reports whether a is less than b. It returns false if either is missing.
func less(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) < 0
}
