package spec

import (
	"fmt"
	"slices"
	"strconv"
)

// owners are the rules that the constraints of a schema belong to: by schema, then by keyword ("type", "required/0");
// the empty keyword stands for the schema as a whole.
type owners map[*Schema]map[string]string

// owners finds the rules for a schema and everything in it, as an operation answers with it.
func (c *Catalogue) owners(operation string, s *Schema) (owners, error) {
	all := owners{}
	err := c.own(all, operation, s)
	return all, err
}

func (c *Catalogue) own(all owners, operation string, s *Schema) error {
	rules := map[string]string{}
	all[s] = rules
	for _, keyword := range append([]string{""}, s.keywords()...) {
		rule, ok := c.Owner(operation, s, keyword)
		if !ok {
			way := s.way(keyword)
			return fmt.Errorf("no rule that always holds covers %s in the responses of %s; add the pointer to the contract list of one",
				way[len(way)-1], operation)
		}
		rules[keyword] = rule.ID
	}
	for _, p := range s.Properties {
		if err := c.own(all, operation, p.Schema); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return c.own(all, operation, s.Items)
	}
	return nil
}

// Owner finds the rule that a breach of a schema's keyword ("type", "required/0") belongs to, in the responses of an
// operation. The empty keyword stands for the schema as a whole.
func (c *Catalogue) Owner(operation string, s *Schema, keyword string) (Rule, bool) {
	return c.deepest(s.way(keyword), func(r Rule) bool {
		return r.Always && r.Level == Must && r.speaksOf(operation) && !envelope(r.ID)
	})
}

// way leads to a keyword of the schema.
func (s *Schema) way(keyword string) []string {
	way := s.Chain()
	if keyword != "" {
		way = append(way, s.Pointer+"/"+keyword)
	}
	return way
}

// Envelope returns the rules that a response with that status breaks when it has no body, one that is no JSON, or another
// media type than the documented one.
func Envelope(status int) (body, json, media string) {
	if status >= 400 {
		return ruleErrorBody, ruleErrorBody, ruleMediaType
	}
	return ruleBody, ruleJSON, ruleMediaType
}

// envelope reports whether a rule is about what is around a value: its pointers hold schemas, but it does not own them.
func envelope(rule string) bool {
	return slices.Contains([]string{ruleStatus, ruleBody, ruleMediaType, ruleJSON}, rule)
}

// keywords are the keywords by which a schema asserts something of its own value; of required each entry counts.
func (s *Schema) keywords() []string {
	var all []string
	add := func(there bool, keyword string) {
		if there {
			all = append(all, keyword)
		}
	}
	add(s.Type != "", "type")
	add(s.Format != "", "format")
	add(len(s.Enum) > 0, "enum")
	add(s.Minimum != "", "minimum")
	add(s.Maximum != "", "maximum")
	add(s.MinLength != nil, "minLength")
	add(s.MaxLength != nil, "maxLength")
	add(s.MinItems != nil, "minItems")
	add(s.MaxItems != nil, "maxItems")
	for i := range s.Required {
		add(true, joinIndex("required", i))
	}
	return all
}

// at finds the schema and the value at a path inside a value of this schema. The schema is nil when the contract says
// nothing of the place, or when a value on the way is not of the type it should be: then nothing is said of its inside.
func (s *Schema) at(value any, path []string) (*Schema, any) {
	for _, token := range path {
		switch v := value.(type) {
		case []any:
			i, err := strconv.Atoi(token)
			if s.Items == nil || err != nil || i < 0 || i >= len(v) {
				return nil, nil
			}
			s, value = s.Items, v[i]
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
