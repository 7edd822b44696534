package stub

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// filter is a parameter that selects resources by the value of a member.
type filter struct {
	param *param
	// key is the member of the parameter's object that holds the value, or "".
	key string
	// member is that of the representation.
	member string
	// bound is 1 for the least value, -1 for the greatest, and 0 for the value itself.
	bound int
}

var (
	lowerBounds = []string{"min", "minimum", "gte", "gt", "ge", "from", "since", "after"}
	upperBounds = []string{"max", "maximum", "lte", "lt", "le", "to", "until", "before"}
)

// boundOf returns the bound that a word asks for.
func boundOf(word string) int {
	switch {
	case slices.Contains(lowerBounds, word):
		return 1
	case slices.Contains(upperBounds, word):
		return -1
	}
	return 0
}

// furtherFilters returns the filters that a parameter is without being named as a member: bounds, members of an object, lists of names.
func furtherFilters(a *api, op *operation, p *param, members map[string]*spec.Schema) []filter {
	if p.Style == "deepObject" {
		var all []filter
		for key := range p.members {
			if bound := boundOf(plainName(key)); bound != 0 {
				if name := boundedMember(a, members, p.Name); name != "" {
					all = append(all, filter{p, key, name, bound})
				}
			} else if m := members[key]; m != nil && a.shapes.isScalar(m) {
				all = append(all, filter{param: p, key: key, member: key})
			}
		}
		return all
	}
	words := wordsOf(p.Name)
	if len(words) == 0 {
		return nil
	}
	if p.array {
		words[len(words)-1] = singular(words[len(words)-1])
		one := strings.Join(words, "")
		for member, s := range members {
			if plainName(member) == one && a.shapes.isScalar(s) {
				return []filter{{param: p, member: member}}
			}
		}
		if n := len(op.kind.id); n > 0 && words[len(words)-1] == "id" && members[op.kind.id[n-1]] != nil {
			return []filter{{param: p, member: op.kind.id[n-1]}}
		}
		return nil
	}
	if len(words) < 2 || !a.shapes.isScalar(p.schema()) {
		return nil
	}
	first, last := words[0], words[len(words)-1]
	if bound := boundOf(first); bound != 0 {
		if name := boundedMember(a, members, strings.Join(words[1:], "")); name != "" {
			return []filter{{param: p, member: name, bound: bound}}
		}
	} else if bound := boundOf(last); bound != 0 {
		if name := boundedMember(a, members, strings.Join(words[:len(words)-1], "")); name != "" {
			return []filter{{param: p, member: name, bound: bound}}
		}
	}
	return nil
}

// boundedMember returns the member with a name, perhaps with a word for times behind it.
func boundedMember(a *api, members map[string]*spec.Schema, name string) string {
	for _, end := range []string{"", "at", "on", "date", "time", "datetime", "timestamp"} {
		for member, s := range members {
			if plainName(member) == plainName(name)+end && a.shapes.isScalar(s) {
				return member
			}
		}
	}
	return ""
}

// wanted returns the value that a request gives for a filter; false if it gives none.
func (f filter) wanted(at *call) (any, bool) {
	value, asked := at.values[f.param.place]
	if f.key != "" {
		object, _ := value.(map[string]any)
		value, asked = object[f.key]
	}
	return value, asked && value != nil && value != ""
}

// matchesRow reports whether a list shows a row by the filters of a request.
func matchesRow(op *operation, at *call, row any, folded bool) bool {
	for _, f := range op.filters {
		wanted, asked := f.wanted(at)
		if !asked {
			continue
		}
		own, there := memberOf(row, []string{f.member})
		if !there {
			return false
		}
		if f.bound != 0 {
			if own == nil || compareScalars(own, wanted)*f.bound < 0 {
				return false
			}
			continue
		}
		same := func(one any) bool {
			return textOf(one) == textOf(own) || folded && strings.EqualFold(textOf(one), textOf(own))
		}
		if list, several := wanted.([]any); several {
			if len(list) > 0 && !slices.ContainsFunc(list, same) {
				return false
			}
		} else if !same(wanted) {
			return false
		}
	}
	return true
}
