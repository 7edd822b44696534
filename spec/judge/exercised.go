package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"hallmark/spec"
)

// mark notes the rules that a value put to the test. A rule about a property counts only where an object was seen that
// could have it, one about an item only where the array held any.
func mark(seen map[string]bool, p *location, value any) {
	rules, keywords := p.rules()
	for _, keyword := range keywords {
		if concerns(keyword, value) && !short(p.schema, keyword, value) {
			seen[rules[keyword]] = true
		}
	}
	certain, _ := same(p.schema)
	for _, e := range certain {
		if next := p.to(e); next.parent == p { // not back where the value was marked already
			mark(seen, next, value)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for i := range p.schema.Properties {
			property := &p.schema.Properties[i]
			if member, ok := v[property.Name]; ok {
				mark(seen, p.to(property.Edge), member)
			}
		}
	case []any:
		if p.schema.Items == nil || len(v) == 0 {
			return
		}
		inside := p.to(*p.schema.Items)
		most, known := inside.reaches()
		for _, item := range v {
			if known && coversAll(seen, most) {
				return // further items can put no other rule to the test
			}
			mark(seen, inside, item)
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

// maxReach bounds how many places are looked at to find the rules that one and all inside it can put to the test.
const maxReach = 500

// reaches returns the rules that a place and all inside it can put to the test; false when there are too many places.
func (p *location) reaches() ([]string, bool) {
	p.mu.Lock()
	known := p.reach
	p.mu.Unlock()
	if known == nil {
		all := p.measure()
		known = &all
		p.mu.Lock()
		p.reach = known
		p.mu.Unlock()
	}
	return *known, *known != nil
}

// measure returns the rules of a place and of all inside it; nil when there are too many places.
func (p *location) measure() []string {
	all := []string{}
	next := []*location{p}
	seen := map[*location]bool{}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxReach {
			return nil
		}
		rules, keywords := at.rules()
		for _, keyword := range keywords {
			if !slices.Contains(all, rules[keyword]) {
				all = append(all, rules[keyword])
			}
		}
		certain, _ := same(at.schema)
		for i := range at.schema.Properties {
			certain = append(certain, at.schema.Properties[i].Edge)
		}
		if at.schema.Items != nil {
			certain = append(certain, *at.schema.Items)
		}
		for _, e := range certain {
			next = append(next, at.to(e))
		}
	}
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
