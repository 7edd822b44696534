package judge

import (
	"fmt"
	"strconv"

	"hallmark/spec"
)

// schemaRules are the rules that the constraints of a schema belong to: by schema, then by keyword ("type", "required/0");
// the empty keyword stands for the schema as a whole.
type schemaRules map[*spec.Schema]map[string]string

// rulesOf returns the rules for a schema and everything in it, as an operation answers with it.
func rulesOf(catalogue *spec.Catalogue, operation string, e spec.Edge) (schemaRules, error) {
	all := schemaRules{}
	err := all.add(catalogue, operation, e, nil)
	return all, err
}

// add adds what an edge leads to; outer is the way to the edge. A schema that several ways lead to has its rules by the first.
func (all schemaRules) add(catalogue *spec.Catalogue, operation string, e spec.Edge, outer []string) error {
	s := e.Schema
	if all[s] != nil {
		return nil
	}
	chain := e.Chain(outer...)
	rules := map[string]string{}
	all[s] = rules
	for _, keyword := range append([]string{""}, s.Keywords()...) {
		rule, ok := catalogue.Owner(operation, chain, keyword)
		if !ok {
			at := s.Pointer
			if keyword != "" {
				at += "/" + keyword
			}
			return fmt.Errorf("no rule that always holds covers %s in the responses of %s; add the pointer to the contract list of one",
				at, operation)
		}
		rules[keyword] = rule.ID
	}
	for _, p := range s.Properties {
		if err := all.add(catalogue, operation, p.Edge, chain); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return all.add(catalogue, operation, *s.Items, chain)
	}
	return nil
}

// schemaAt returns the schema and the value at a path inside a value of a schema. The schema is nil when the contract says
// nothing of the place, or when a value on the way is not of the type it should be: then nothing is said of its inside.
func schemaAt(s *spec.Schema, value any, path []string) (*spec.Schema, any) {
	for _, token := range path {
		switch v := value.(type) {
		case []any:
			i, err := strconv.Atoi(token)
			if s.Item() == nil || err != nil || i < 0 || i >= len(v) {
				return nil, nil
			}
			s, value = s.Item(), v[i]
		case map[string]any:
			p := s.Property(token)
			if p == nil {
				return nil, nil
			}
			s, value = p.Schema, v[token]
		default:
			return nil, nil
		}
	}
	return s, value
}
