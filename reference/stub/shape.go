package stub

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec"
)

// shapes interprets schemas of objects, once for each schema.
type shapes struct {
	members sync.Map // of map[string]*spec.Schema by *spec.Schema
	types   sync.Map // of []string
}

// applicableSchemas returns a schema and all schemas that apply to the same value, including alternatives.
func applicableSchemas(s *spec.Schema) []*spec.Schema {
	var all []*spec.Schema
	var add func(s *spec.Schema)
	add = func(s *spec.Schema) {
		if s == nil || slices.Contains(all, s) || len(all) > 200 {
			return
		}
		all = append(all, s)
		if s.Ref != nil {
			add(s.Ref.Schema)
		}
		for _, list := range [][]spec.Edge{s.AllOf, s.OneOf, s.AnyOf} {
			for _, e := range list {
				add(e.Schema)
			}
		}
		for _, e := range []*spec.Edge{s.Then, s.Else} {
			if e != nil {
				add(e.Schema)
			}
		}
		if s.Discriminator != nil {
			for _, m := range s.Discriminator.Mapping {
				add(m.Schema)
			}
		}
	}
	add(s)
	return all
}

// membersOf returns the documented members of an object.
func (h *shapes) membersOf(s *spec.Schema) map[string]*spec.Schema {
	if s == nil {
		return nil
	}
	if stored, ok := h.members.Load(s); ok {
		known, _ := stored.(map[string]*spec.Schema)
		return known
	}
	all := map[string]*spec.Schema{}
	for _, part := range applicableSchemas(s) {
		for i := range part.Properties {
			if p := &part.Properties[i]; all[p.Name] == nil {
				all[p.Name] = p.Schema
			}
		}
	}
	h.members.Store(s, all)
	return all
}

// typesOf returns the types of a value; none if any is allowed.
func (h *shapes) typesOf(s *spec.Schema) []string {
	if s == nil {
		return nil
	}
	if stored, ok := h.types.Load(s); ok {
		known, _ := stored.([]string)
		return known
	}
	var all []string
	for _, part := range applicableSchemas(s) {
		all = append(all, part.Types...)
		if len(part.Types) == 0 && len(part.Properties) > 0 {
			all = append(all, "object")
		}
		if len(part.Types) == 0 && (part.Items != nil || len(part.PrefixItems) > 0) {
			all = append(all, "array")
		}
		if len(part.Types) == 0 && part.Nullable {
			all = append(all, "null")
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	h.types.Store(s, all)
	return all
}

// isObject reports whether a schema certainly describes objects.
func (h *shapes) isObject(s *spec.Schema) bool {
	types := h.typesOf(s)
	return slices.Contains(types, "object") && !slices.ContainsFunc(types, func(t string) bool { return t != "object" && t != "null" })
}

// isScalar reports whether a schema describes strings, numbers or booleans.
func (h *shapes) isScalar(s *spec.Schema) bool {
	types := h.typesOf(s)
	return len(types) > 0 && !slices.Contains(types, "object") && !slices.Contains(types, "array")
}

// itemOf returns the edge to the items of an array; nil if it is not an array.
func itemOf(s *spec.Schema) *spec.Edge {
	for _, part := range applicableSchemas(s) {
		if part.Items != nil && part.Items.Schema != nil {
			return part.Items
		}
	}
	return nil
}

// isArray reports whether a schema certainly describes arrays.
func (h *shapes) isArray(s *spec.Schema) bool {
	types := h.typesOf(s)
	return slices.Contains(types, "array") && !slices.ContainsFunc(types, func(t string) bool { return t != "array" && t != "null" })
}

// plainName returns a name without case and signs: "petid" of pet_id and petId.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// wordsOf returns the words of a name, in lower case: "pet", "id" of petId and pet_id.
func wordsOf(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return all
}

// singular returns the singular of a noun.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return strings.TrimSuffix(word, "es")
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// usualIDs are names of members that identify, the surest first.
var usualIDs = []string{"id", "uuid", "uid", "guid", "key", "slug", "name", "code", "number", "login", "ref", "token", "href"}

// identifies returns the member of an object that holds the value of a path parameter, or nil.
func (h *shapes) identifies(s *spec.Schema, param, noun string) []string {
	members := h.membersOf(s)
	if len(members) == 0 {
		return nil
	}
	wanted := []string{plainName(param)}
	words := wordsOf(param)
	if len(words) > 1 {
		wanted = append(wanted, words[len(words)-1])
	}
	noun = singular(plainName(noun))
	wanted = append(wanted, noun+"id", noun+plainName(param), noun+"name", noun+"uuid")
	wanted = append(wanted, usualIDs...)
	for _, want := range wanted {
		for name, member := range members {
			if plainName(name) == want && h.isScalar(member) {
				return []string{best(members, name, want)}
			}
		}
	}
	for _, inner := range []string{"metadata", "meta", "attributes", "properties"} {
		if m := members[inner]; m != nil && h.isObject(m) {
			if below := h.identifies(m, param, noun); len(below) == 1 {
				return []string{inner, below[0]}
			}
		}
	}
	return nil
}

// best returns the name among members with that plain form that is written in it already, or the first by the alphabet.
func best(members map[string]*spec.Schema, found, plain string) string {
	if members[plain] != nil {
		return plain
	}
	for name := range members {
		if plainName(name) == plain && name < found {
			found = name
		}
	}
	return found
}
