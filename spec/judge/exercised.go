package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"hallmark/spec"
)

// mark notes the rules that a value put to the test. A rule about a property counts only where an object was seen that
// could have it, one about an item only where the array held any.
func (p *plan) mark(seen map[string]bool, s *spec.Schema, value any) {
	for keyword, rule := range p.rules[s] {
		if keyword != "" && concerns(keyword, value) && !short(s, keyword, value) {
			seen[rule] = true
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, property := range s.Properties {
			if member, ok := v[property.Name]; ok {
				p.mark(seen, property.Schema, member)
			}
		}
	case []any:
		inside := s.Item()
		if inside == nil {
			return
		}
		most := p.reach[inside]
		for _, item := range v {
			if coversAll(seen, most) {
				return // further items can put no other rule to the test
			}
			p.mark(seen, inside, item)
		}
	}
}

// short reports whether an array has fewer items than its maximum lets through: then the maximum may not have held anything
// back, and there may be no more.
func short(s *spec.Schema, keyword string, value any) bool {
	items, ok := value.([]any)
	return ok && keyword == "maxItems" && s.MaxItems != nil && int64(len(items)) < *s.MaxItems
}

// concerns reports whether a keyword is asserted of values of this kind.
func concerns(keyword string, value any) bool {
	keyword, _, _ = strings.Cut(keyword, "/")
	switch keyword {
	case "type", "enum", "const":
		return true
	case "required", "minProperties", "maxProperties":
		_, ok := value.(map[string]any)
		return ok
	case "minItems", "maxItems", "uniqueItems":
		_, ok := value.([]any)
		return ok
	case "minLength", "maxLength", "pattern":
		_, ok := value.(string)
		return ok
	default: // format and the bounds of numbers
		_, ok := value.(json.Number)
		return ok
	}
}

// measureReach fills in the reach of a schema and all inside it.
func (p *plan) measureReach(s *spec.Schema) []string {
	if all, measured := p.reach[s]; measured {
		return all
	}
	p.reach[s] = nil // a schema that leads to itself adds nothing on the way round
	var all []string
	for keyword, rule := range p.rules[s] {
		if keyword != "" && !slices.Contains(all, rule) {
			all = append(all, rule)
		}
	}
	for _, property := range s.Properties {
		all = append(all, p.measureReach(property.Schema)...)
	}
	if inside := s.Item(); inside != nil {
		all = append(all, p.measureReach(inside)...)
	}
	p.reach[s] = all
	return all
}

func coversAll(seen map[string]bool, rules []string) bool {
	for _, r := range rules {
		if !seen[r] {
			return false
		}
	}
	return true
}
