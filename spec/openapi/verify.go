package openapi

import (
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hallmark/spec"
	"hallmark/spec/source"
)

// sameSchema fails when a compiled schema does not say what the contract says. Between the two lie several libraries, each of
// which may drop a keyword or round a bound; what is lost there would let broken answers pass without a word.
func sameSchema(s *spec.Schema, c *jsonschema.Schema) error {
	for c != nil && c.Ref != nil {
		c = c.Ref
	}
	differs := func(what string) error {
		return source.Errorf(0, "the schema %s cannot be judged by: the validator does not hold its %s as written", s.Pointer, what)
	}
	switch {
	case c != nil && c.Bool != nil && *c.Bool && len(s.Keywords()) == 0 && s.Items == nil && len(s.Properties) == 0:
		return nil // a schema that says nothing
	case c == nil || c.Bool != nil:
		return differs("form")
	case (s.Type == "") != (c.Types == nil) || c.Types != nil && !slices.Equal(c.Types.ToStrings(), []string{s.Type}):
		return differs("type")
	case (s.Format == "int32" || s.Format == "int64") && (c.Format == nil || c.Format.Name != s.Format):
		return differs("format")
	case len(s.Enum) != 0 && (c.Enum == nil || len(c.Enum.Values) != len(s.Enum)):
		return differs("enum")
	case !sameBound(s.Minimum, c.Minimum) || !sameBound(s.Maximum, c.Maximum):
		return differs("bounds")
	case !sameCount(s.MinLength, c.MinLength) || !sameCount(s.MaxLength, c.MaxLength):
		return differs("length")
	case !sameCount(s.MinItems, c.MinItems) || !sameCount(s.MaxItems, c.MaxItems):
		return differs("number of items")
	case !slices.Equal(s.Required, c.Required):
		return differs("required properties")
	case len(s.Properties) != len(c.Properties):
		return differs("properties")
	case (s.Items == nil) != (c.Items2020 == nil):
		return differs("items")
	}
	for _, p := range s.Properties {
		if err := sameSchema(p.Schema, c.Properties[p.Name]); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return sameSchema(s.Items.Schema, c.Items2020)
	}
	return nil
}

func sameBound(text string, compiled *big.Rat) bool {
	if text == "" {
		return compiled == nil
	}
	want, ok := new(big.Rat).SetString(text)
	return ok && compiled != nil && want.Cmp(compiled) == 0
}

func sameCount(want *int64, compiled *int) bool {
	if want == nil {
		return compiled == nil
	}
	return compiled != nil && int64(*compiled) == *want
}
